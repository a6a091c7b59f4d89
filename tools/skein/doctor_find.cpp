// SPDX-License-Identifier: Apache-2.0
// Where a device is that is not here.
#include <net/if.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "command.hpp"
#include "doctor.hpp"
#include "lab_namespace.hpp"

namespace skein::tool {

namespace {

// How many letters have to be changed, added or taken away (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

std::vector<std::string> spaces_with(const std::string& device) {
    std::vector<std::string> found;
    for (const std::string& space : named_spaces()) {
        try {
            const namespace_visit visit(space);
            if (::if_nametoindex(device.c_str()) != 0) found.push_back(space);
        } catch (const command_failure&) {  // not ours to enter
        }
    }
    return found;
}

}  // namespace

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    const auto list = ::if_nameindex();
    for (auto* each = list; each != nullptr && each->if_index != 0; ++each)
        names.emplace_back(each->if_name);
    if (list != nullptr) ::if_freenameindex(list);
    return names;
}

std::vector<std::string> close_names(const std::string& name, const std::vector<std::string>& all) {
    std::vector<std::string> found;
    const std::size_t allowed = name.size() < 4 ? 1 : 2;
    for (const std::string& each : all) {
        const bool begins = name.size() >= 2 && (each.starts_with(name) || name.starts_with(each));
        if (begins || distance(name, each) <= allowed) found.push_back(each);
    }
    return found;
}

std::vector<std::string> named_spaces() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/run/netns", ignored))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

void require_device(const std::string& name) {
    if (!name.empty() && name.size() < IFNAMSIZ && ::if_nametoindex(name.c_str()) != 0) return;
    std::string what = fmt::format("no interface '{}' in this network namespace", name);
    std::string remedy;
    const auto spaces = spaces_with(name);
    if (!spaces.empty()) {
        what += fmt::format("; it is in namespace {}", fmt::join(spaces, " and "));
        remedy = fmt::format("skein doctor {} --netns {}", name, spaces.front());
    } else if (const auto near = close_names(name, device_names()); !near.empty()) {
        remedy = fmt::format("did you mean {}?", fmt::join(near, " or "));
    } else {
        remedy = fmt::format("there are {}", fmt::join(device_names(), ", "));
    }
    throw command_failure(what, remedy);
}

}  // namespace skein::tool
