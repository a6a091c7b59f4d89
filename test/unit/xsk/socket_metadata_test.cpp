// SPDX-License-Identifier: Apache-2.0
// How TX metadata is asked for, and what comes of it on which kernel.
#include "support/catch.hpp"
#include "support/fake_set_up.hpp"

using namespace skein;
using namespace skein::test;
namespace uapi = xsk::uapi;

namespace {

xsk::socket_options wishing(xsk::choice wish) {
    auto options = options_for("fake0");
    options.tx_metadata = wish;
    return options;
}

}  // namespace

TEST_CASE("TX metadata is registered where it is wanted, and only there") {
    set_up kernel(linux_6_18());
    {
        const xsk::socket socket(kernel.memory, options_for("fake0"));
        CHECK(socket.bound().tx_metadata.bytes == 0);
    }
    const xsk::socket socket(kernel.memory, wishing(xsk::choice::required));
    const auto& request = kernel.kernel.socket("fake0").umem->registration;
    CHECK(request.tx_metadata_bytes == 24);
    CHECK(request.flags == uapi::umem_tx_metadata_bytes);
    CHECK(socket.bound().tx_metadata.checksum);
    CHECK(socket.bound().tx_metadata.timestamp);
    CHECK(socket.bound().tx_metadata.launch);
    CHECK_THAT(to_string(socket.bound()),
               Catch::Contains("TX metadata (checksum, timestamp, launch time)") &&
                   Catch::Contains("veth accepts launch times and ignores them"));
}

TEST_CASE("on Linux 6.1 TX metadata is negotiated away and that is said, or refused if required") {
    set_up kernel(linux_6_1());
    CHECK(kernel.refusal(wishing(xsk::choice::required)).remedy().find("6.11") !=
          std::string::npos);
    const xsk::socket socket(kernel.memory, wishing(xsk::choice::automatic));
    CHECK(socket.bound().tx_metadata.bytes == 0);
    CHECK_THAT(to_string(socket.bound()), Catch::Contains("TX metadata refused: EINVAL"));
}

TEST_CASE("where completions may come early no times are offered in copy mode") {
    set_up kernel(linux_6_12());
    const xsk::socket socket(kernel.memory, wishing(xsk::choice::automatic));
    CHECK(socket.bound().tx_metadata.checksum);
    CHECK_FALSE(socket.bound().tx_metadata.timestamp);
    CHECK_FALSE(socket.bound().tx_metadata.launch);
    CHECK_THAT(to_string(socket.bound()), Catch::Contains("no timestamps and launch times before"));
}

TEST_CASE("zero-copy has times on every kernel with metadata, and no software checksums") {
    set_up kernel(linux_6_12(), {.driver = "mlx5_core", .zero_copy = true});
    auto options = wishing(xsk::choice::automatic);
    options.tx_software_checksum = true;
    const xsk::socket socket(kernel.memory, options);
    REQUIRE(socket.bound().zero_copy);
    CHECK(socket.bound().tx_metadata.timestamp);
    CHECK_FALSE(socket.bound().tx_metadata.checksum);
}

TEST_CASE("a driver that sends from the pages honours no metadata in copy mode") {
    set_up kernel(linux_6_18(), {.driver = "virtio_net"});
    CHECK(kernel.refusal(wishing(xsk::choice::required)).error_number() == EOPNOTSUPP);
    const xsk::socket socket(kernel.memory, wishing(xsk::choice::automatic));
    CHECK_FALSE(socket.bound().tx_metadata.checksum);
    CHECK_FALSE(socket.bound().tx_metadata.timestamp);
    CHECK_THAT(to_string(socket.bound()), Catch::Contains("TX metadata (nothing)"));
}

TEST_CASE("software checksums are asked for on request") {
    set_up kernel(linux_6_18());
    auto options = wishing(xsk::choice::automatic);
    options.tx_software_checksum = true;
    const xsk::socket socket(kernel.memory, options);
    CHECK(kernel.kernel.socket("fake0").umem->registration.flags ==
          (uapi::umem_tx_metadata_bytes | uapi::umem_tx_software_checksum));
    CHECK(socket.bound().tx_metadata.software_checksum);
}

TEST_CASE("a second socket takes over the first one's metadata with its memory") {
    set_up kernel(linux_6_18());
    kernel.kernel.add_device({.name = "fake1"});
    const xsk::socket first(kernel.memory, wishing(xsk::choice::required));
    auto options = wishing(xsk::choice::automatic);
    options.interface = "fake1";
    const xsk::socket second(kernel.memory, options);
    CHECK(second.bound().shared_umem);
    CHECK(second.bound().tx_metadata.bytes == 24);
    CHECK(second.bound().tx_metadata.checksum);
}
