// SPDX-License-Identifier: Apache-2.0
// Where the program writes metadata: directly below the data of what it takes, nowhere else.
#include <cstring>
#include <optional>

#include <skein/rx_metadata.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"

using namespace skein;
using namespace skein::test;
using skein::wire::ip_protocol;

namespace {

struct outcome {
    std::uint32_t action;
    std::vector<std::byte> bytes;  // from the metadata on
};

// A test run wants a program that is not bound to a device: that of super packets.
class metadata_run {
  public:
    metadata_run() {
        space_.add_veth("veth0");
        program_.emplace(xsk::program_options{.interface = "veth0",
                                              .mode = xsk::xdp_mode::generic,
                                              .rx_metadata = xsk::choice::automatic});
        if (program_->attached().metadata == xsk::metadata_kind::none)
            skip("this kernel has no metadata in generic mode");
        socket_ = ::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
        REQUIRE(socket_ >= 0);
    }
    metadata_run(const metadata_run&) = delete;
    metadata_run& operator=(const metadata_run&) = delete;
    ~metadata_run() { ::close(socket_); }

    xsk::redirect_program& program() { return *program_; }
    int socket() const { return socket_; }

    outcome run(std::span<const std::byte> frame) const {
        std::vector<std::byte> out(frame.size() + 256);
        LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame.data(), .data_out = out.data(),
                    .data_size_in = static_cast<std::uint32_t>(frame.size()),
                    .data_size_out = static_cast<std::uint32_t>(out.size()), .repeat = 1);
        REQUIRE(::bpf_prog_test_run_opts(program_->file_descriptor(), &options) == 0);
        out.resize(options.data_size_out);
        return {options.retval, std::move(out)};
    }

  private:
    network_namespace space_;
    std::optional<xsk::redirect_program> program_;
    int socket_ = -1;
};

}  // namespace

TEST_CASE("a packet that is taken has a record of 32 bytes directly below its data") {
    metadata_run kernel;
    kernel.program().insert_socket(0, kernel.socket());
    const auto frame = frame_builder().ipv4(ip_protocol::udp).ports(1, 2).fill(40).bytes();
    const auto after = kernel.run(frame);
    CHECK(after.action == XDP_REDIRECT);
    REQUIRE(after.bytes.size() == frame.size() + sizeof(rx_metadata_record));
    rx_metadata_record record;
    std::memcpy(&record, after.bytes.data(), sizeof record);
    CHECK(record.magic == rx_metadata_record::right_magic);
    CHECK(record.version == rx_metadata_record::right_version);
    CHECK(record.valid == 0);  // no super packet
    CHECK(std::equal(frame.begin(), frame.end(), after.bytes.begin() + sizeof record));
}

TEST_CASE("a packet that goes on to the kernel is not touched") {
    const metadata_run kernel;  // without a socket
    const auto frame = frame_builder().ipv4(ip_protocol::udp).ports(1, 2).fill(40).bytes();
    const auto after = kernel.run(frame);
    CHECK(after.action == XDP_PASS);
    CHECK(std::equal(frame.begin(), frame.end(), after.bytes.begin(), after.bytes.end()));
}
