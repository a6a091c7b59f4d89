// SPDX-License-Identifier: Apache-2.0
// The XDP program under the kernel's test-run (BPF_PROG_TEST_RUN): one frame in, the verdict out.
//
// The program is attached to a veth of a namespace of its own, since a test-run takes its queue
// index from a real device; no frame goes over that device. A queue's socket need not be bound for
// the redirect to be chosen.
#pragma once

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <span>
#include <string>
#include <vector>

#include <sys/socket.h>

#include <skein/xsk/program.hpp>

#include "support/network_namespace.hpp"

namespace skein::test {

struct verdict {
    std::uint32_t action;  // XDP_PASS, XDP_REDIRECT
    std::string reason;    // the one counter that went up by one, else "none" or "several"

    bool operator==(const verdict&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const verdict& v) {
    return out << "{" << v.action << ", " << v.reason << "}";
}

class test_run {
  public:
    static constexpr unsigned queues = 4;

    test_run() : program_(attach(space_)) {
        for (std::uint32_t queue = 0; queue + 1 < queues; ++queue) {  // none on the last
            const int fd = ::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
            REQUIRE(fd >= 0);
            sockets_.push_back(fd);
            program_.insert_socket(queue, fd);
        }
    }
    test_run(const test_run&) = delete;
    test_run& operator=(const test_run&) = delete;
    ~test_run() {
        for (const int fd : sockets_)
            ::close(fd);
    }

    xsk::redirect_program& program() { return program_; }

    void rules(const std::vector<std::string>& texts,
               xsk::default_action otherwise = xsk::default_action::nothing) {
        std::vector<xsk::rule> rules;
        for (const auto& text : texts)
            rules.push_back(xsk::parse_rule(text));
        program_.set_rules(rules, otherwise);
    }

    struct how {
        std::uint32_t queue = 0;
        std::size_t linear_bytes = 0;  // of the first buffer; 0: as much as fits
    };
    // `supported` turns false where the kernel cannot run it this way (linear_bytes before 6.18).
    verdict run(std::span<const std::byte> frame, const how& with, bool* supported = nullptr) {
        const auto before = program_.verdicts(with.queue);
        std::uint32_t action = 0;
        const int status = run_in_kernel(frame, with, 1, action);
        if (supported != nullptr && status != 0) {
            *supported = false;
            return {0, "none"};
        }
        INFO("frame of " << frame.size() << " bytes");
        REQUIRE(status == 0);
        return {action, reason(before, program_.verdicts(with.queue))};
    }
    verdict run(std::span<const std::byte> frame) { return run(frame, how{}); }

    void repeat(std::span<const std::byte> frame, int times) {
        std::uint32_t action = 0;
        REQUIRE(run_in_kernel(frame, how{}, times, action) == 0);
    }

  private:
    static constexpr const char* device = "veth0";

    int run_in_kernel(std::span<const std::byte> frame, const how& with, int times,
                      std::uint32_t& action) {
        const auto bytes = static_cast<std::uint32_t>(frame.size());
        const auto linear = static_cast<std::uint32_t>(with.linear_bytes);
        xdp_md context{};
        context.data_end = linear == 0 ? bytes : linear;
        context.ingress_ifindex = static_cast<std::uint32_t>(space_.index_of(device));
        context.rx_queue_index = with.queue;
        LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame.data(), .data_size_in = bytes,
                    .ctx_in = &context, .ctx_size_in = sizeof context, .repeat = times);
        const int status = ::bpf_prog_test_run_opts(program_.file_descriptor(), &options);
        action = options.retval;
        return status;
    }

    static xsk::redirect_program attach(const network_namespace& space) {
        space.add_veth(device, queues);
        return xsk::redirect_program({.interface = device, .mode = xsk::xdp_mode::generic});
    }

    static std::string reason(const xsk::verdict_counts& before, const xsk::verdict_counts& after) {
        std::string found = "none";
        for (std::size_t i = 0; i < xsk::verdict_reasons; ++i) {
            const auto more = after.packets[i] - before.packets[i];
            if (more == 0) continue;
            if (more != 1 || found != "none") return "several";
            found = to_string(static_cast<xsk::verdict_reason>(i));
        }
        return found;
    }

    network_namespace space_;
    xsk::redirect_program program_;
    std::vector<int> sockets_;
};

}  // namespace skein::test
