// SPDX-License-Identifier: Apache-2.0
// What the XDP program's values are called.
#include <skein/xsk/program.hpp>

namespace skein::inline v0::xsk {

std::string_view to_string(xdp_mode mode) noexcept {
    switch (mode) {
        case xdp_mode::any:
            return "any";
        case xdp_mode::native:
            return "native";
        case xdp_mode::generic:
            return "generic";
    }
    return "unknown";
}

std::string_view to_string(attach_method method) noexcept {
    switch (method) {
        case attach_method::link:
            return "link";
        case attach_method::dispatcher:
            return "dispatcher";
        case attach_method::single:
            return "libxdp without dispatcher";
    }
    return "unknown";
}

std::string_view to_string(metadata_kind kind) noexcept {
    switch (kind) {
        case metadata_kind::none:
            return "no RX metadata";
        case metadata_kind::device:
            return "RX metadata from the device";
        case metadata_kind::segments:
            return "RX metadata of super packets";
    }
    return "unknown";
}

std::string_view to_string(verdict_reason reason) noexcept {
    constexpr std::array<std::string_view, verdict_reasons> names = {
        "taken_by_rule",     "taken_fragment",  "taken_by_default", "passed_by_rule",
        "passed_by_default", "passed_unparsed", "passed_no_socket"};
    const auto index = static_cast<std::size_t>(reason);
    return index < names.size() ? names[index] : "unknown";
}

std::string to_string(const attach_result& result) {
    std::string text = std::string(to_string(result.mode)) + ", " +
                       std::string(to_string(result.method)) + ", program " +
                       std::to_string(result.program_id);
    if (result.metadata != metadata_kind::none)
        text += ", " + std::string(to_string(result.metadata));
    for (const std::string& note : result.notes)
        text += "\n" + note;
    return text;
}

std::string to_string(const attached_program& program) {
    std::string text = "program " + std::to_string(program.id);
    if (!program.name.empty()) text += " \"" + program.name + "\"";
    text += program.offloaded ? " (offloaded" : " (" + std::string(to_string(program.mode));
    if (program.in_dispatcher) text += ", in libxdp's dispatcher";
    if (program.owner == program_owner::ours_alive)
        text += ", of skein process " + std::to_string(program.process_id);
    if (program.owner == program_owner::ours_dead)
        text += ", left behind by skein process " + std::to_string(program.process_id);
    if (program.owner == program_owner::unknown)
        text += ", whose is not to be seen without CAP_SYS_ADMIN";
    return text + ")";
}

}  // namespace skein::inline v0::xsk
