// SPDX-License-Identifier: Apache-2.0
#include "program_owner.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace skein::inline v0::xsk {

namespace {

struct process_stat {
    char state;
    std::uint64_t start_time;
};

// Empty where there is no such process.
std::optional<process_stat> stat_of(std::uint32_t process_id) {
    std::ifstream file("/proc/" + std::to_string(process_id) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return {};
    const auto name_end = line.rfind(')');  // the name may hold blanks and brackets itself
    if (name_end == line.npos) return {};
    std::istringstream fields(line.substr(name_end + 1));
    process_stat result{};
    fields >> result.state;
    std::string skipped;
    for (int field = 4; field < 22; ++field)
        fields >> skipped;
    fields >> result.start_time;
    if (!fields) return {};
    return result;
}

// The link reads "pid:[4026531836]"; 0 where it cannot be read.
std::uint64_t namespace_inode(const char* kind) {
    std::error_code failure;
    const auto link =
        std::filesystem::read_symlink(std::string("/proc/self/ns/") + kind, failure).string();
    const auto bracket = link.find('[');
    std::uint64_t inode = 0;
    if (bracket != link.npos)
        std::from_chars(link.data() + bracket + 1, link.data() + link.size(), inode);
    return inode;
}

// A /proc mounted in another pid namespace numbers processes in its own way.
bool proc_is_ours() {
    std::error_code failure;
    const auto self = std::filesystem::read_symlink("/proc/self", failure).string();
    return self == std::to_string(::getpid());
}

}  // namespace

skein_owner this_process() {
    skein_owner owner{};
    owner.magic = SKEIN_OWNER_MAGIC;
    owner.process_id = static_cast<std::uint32_t>(::getpid());
    if (!proc_is_ours()) return owner;  // namespaces stay 0: nobody can tell
    const auto stat = stat_of(owner.process_id);
    if (!stat) return owner;
    owner.start_time = stat->start_time;
    owner.pid_namespace = namespace_inode("pid");
    owner.time_namespace = namespace_inode("time");
    return owner;
}

process_state state_of(const skein_owner& owner) {
    const bool comparable = owner.pid_namespace != 0 && proc_is_ours() &&
                            owner.pid_namespace == namespace_inode("pid") &&
                            owner.time_namespace == namespace_inode("time");
    if (!comparable) return process_state::unknown;
    const auto stat = stat_of(owner.process_id);
    if (!stat || stat->start_time != owner.start_time) return process_state::gone;
    return stat->state == 'Z' || stat->state == 'X' ? process_state::gone : process_state::alive;
}

}  // namespace skein::inline v0::xsk
