// SPDX-License-Identifier: Apache-2.0
#include <skein/parse_reason.hpp>

#include <set>
#include <string>

#include "support/catch.hpp"

using namespace skein;

TEST_CASE("every parse reason has a name of its own in snake case") {
    std::set<std::string> names;
    for (const parse_reason reason : all_parse_reasons) {
        const std::string name(to_string(reason));
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos);
        names.insert(name);
    }
    CHECK(names.size() == all_parse_reasons.size());
    CHECK(names.size() + 1 == parse_reason_count);
    CHECK(names.count("zero_length") == 1);
    CHECK(names.count("none") == 0);
}

TEST_CASE("a number that is no reason is called unknown") {
    CHECK(to_string(parse_reason::none) == "none");
    CHECK(to_string(parse_reason{255}) == "unknown");
}
