// SPDX-License-Identifier: Apache-2.0
#include "program_error.hpp"

#include <cerrno>

#include "support/catch.hpp"

using namespace skein::xsk;
using Catch::Contains;

namespace {

const interface_facts nowhere{.name = "nowhere", .driver = {}};

}  // namespace

TEST_CASE("each known refusal of a device has its cause and its remedy") {
    struct known {
        int error_number;
        const char* cause;
        const char* remedy;
    };
    for (const known& k :
         {known{EPERM, "not permitted", "CAP_NET_ADMIN"},
          {ERANGE, "MTU is too large for native XDP", "ip link set nowhere mtu 3506"},
          {ENOSPC, "at least as many RX queues as its peer has TX queues", "ethtool -L nowhere rx"},
          {EOPNOTSUPP, "no native XDP", "generic mode"},
          {EBUSY, "another XDP program", "--replace"},
          {EEXIST, "another XDP program", "--replace"},
          {ENODEV, "gone", "ip link"}}) {
        INFO("errno " << k.error_number);
        const auto [cause, remedy] = explain_attach(k.error_number, xdp_mode::native, nowhere);
        CHECK_THAT(cause, Contains(k.cause));
        CHECK_THAT(remedy, Contains(k.remedy));
    }
    CHECK(explain_attach(EIO, xdp_mode::native, nowhere).cause.empty());
}

TEST_CASE("generic mode is no remedy where generic mode was refused") {
    CHECK_THAT(explain_attach(ERANGE, xdp_mode::generic, nowhere).remedy, !Contains("generic"));
}

TEST_CASE("an error names the mode, the device, the errno, and what the library said") {
    const auto error = attach_error(ENOSPC, xdp_mode::native, nowhere, "said by the library");
    CHECK_THAT(error.what(), Contains("attach XDP program (native) on nowhere") &&
                                 Contains("ENOSPC") && Contains("said by the library"));
    CHECK(error.error_number() == ENOSPC);
    const auto unknown = attach_error(EIO, xdp_mode::native, nowhere, "");
    CHECK_THAT(unknown.what(), Contains("EIO"));
    CHECK(unknown.remedy().empty());
}

TEST_CASE("a load that is not permitted names capabilities, not the library's guess") {
    const auto error = load_error(EPERM, nowhere, "try ulimit -l");
    CHECK_THAT(error.what(), Contains("load XDP program") && !Contains("ulimit"));
    CHECK_THAT(error.remedy(), Contains("CAP_BPF"));
    CHECK_THAT(load_error(EACCES, nowhere, "R7 is bad").what(), Contains("R7 is bad"));
    CHECK_THAT(load_error(EINVAL, nowhere, "").remedy(), Contains("Linux 5.18"));
}
