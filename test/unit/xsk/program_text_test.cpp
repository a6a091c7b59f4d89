// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <skein/xsk/program.hpp>

#include "abi.h"
#include "support/catch.hpp"

using namespace skein::xsk;

TEST_CASE("every verdict is called what the XDP program calls it") {
    constexpr const char* names[] = {
#define SKEIN_NAME(name) #name,
        SKEIN_VERDICT_REASONS(SKEIN_NAME)
#undef SKEIN_NAME
    };
    for (std::size_t i = 0; i < verdict_reasons; ++i)
        CHECK(to_string(static_cast<verdict_reason>(i)) == names[i]);
    CHECK(std::set<std::string>(std::begin(names), std::end(names)).size() == verdict_reasons);
}

TEST_CASE("the sums of verdicts are over those that begin so") {
    verdict_counts counts;
    std::uint64_t taken = 0;
    std::uint64_t passed = 0;
    for (std::size_t i = 0; i < verdict_reasons; ++i) {
        counts.packets[i] = std::uint64_t{1} << i;
        const bool takes = to_string(static_cast<verdict_reason>(i)).starts_with("taken");
        (takes ? taken : passed) += counts.packets[i];
    }
    CHECK(counts.taken() == taken);
    CHECK(counts.passed() == passed);
    counts += counts;
    CHECK(counts.taken() == 2 * taken);
}

TEST_CASE("what was obtained is one line, and one more for each note") {
    const attach_result result{.mode = xdp_mode::generic,
                               .method = attach_method::single,
                               .program_id = 7,
                               .notes = {"because", "and because"}};
    CHECK(to_string(result) ==
          "generic, libxdp without dispatcher, program 7\nbecause\nand because");
    const attach_result with_metadata{.metadata = metadata_kind::device, .program_id = 7};
    CHECK(to_string(with_metadata) == "native, link, program 7, RX metadata from the device");
}

TEST_CASE("a program on a device is named with all that is known of it") {
    CHECK(to_string(attached_program{.id = 7, .name = "xdp_pass"}) ==
          "program 7 \"xdp_pass\" (native)");
    CHECK(to_string(attached_program{.id = 7, .offloaded = true}) == "program 7 (offloaded)");
    const attached_program component{.id = 7,
                                     .name = "skein_redirect",
                                     .mode = xdp_mode::generic,
                                     .in_dispatcher = true,
                                     .owner = program_owner::ours_dead,
                                     .process_id = 99};
    CHECK(to_string(component) ==
          "program 7 \"skein_redirect\" (generic, in libxdp's dispatcher, left behind by skein "
          "process 99)");
}
