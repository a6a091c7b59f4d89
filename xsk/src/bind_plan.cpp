// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/bind_plan.hpp>

#include <skein/xsk/error.hpp>
#include <skein/xsk/uapi.hpp>

namespace skein::inline v0::xsk {

namespace {

void join(std::string& text, const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
}

// Scatter-gather first, need_wakeup first, within one copy mode.
void add_variants(std::vector<std::uint16_t>& plan, std::uint16_t mode, const bind_wishes& wishes) {
    const bool may_wake = wishes.need_wakeup != choice::forbidden;
    const bool must_wake = wishes.need_wakeup == choice::required;
    const bool may_have = wishes.scatter_gather != choice::forbidden;
    const bool may_lack =
        wishes.scatter_gather != choice::required && !(wishes.needs_scatter_gather && may_have);
    const std::uint16_t wakeup = may_wake ? uapi::bind_need_wakeup : 0;
    constexpr auto scatter = uapi::bind_scatter_gather;
    if (may_have) plan.push_back(static_cast<std::uint16_t>(mode | scatter | wakeup));
    if (may_lack) plan.push_back(static_cast<std::uint16_t>(mode | wakeup));
    if (may_lack && may_wake && !must_wake) plan.push_back(mode);
}

}  // namespace

std::vector<std::uint16_t> bind_plan(const bind_wishes& wishes) {
    std::vector<std::uint16_t> plan;
    if (wishes.zero_copy != choice::forbidden) add_variants(plan, uapi::bind_zero_copy, wishes);
    if (wishes.zero_copy != choice::required) add_variants(plan, uapi::bind_copy, wishes);
    return plan;
}

std::string describe_bind_flags(std::uint16_t flags) {
    std::string text;
    if ((flags & uapi::bind_shared_umem) != 0) join(text, "shared UMEM");
    if ((flags & uapi::bind_zero_copy) != 0) join(text, "zero-copy");
    if ((flags & uapi::bind_copy) != 0) join(text, "copy");
    if ((flags & uapi::bind_scatter_gather) != 0) join(text, "scatter-gather");
    if ((flags & uapi::bind_need_wakeup) != 0) join(text, "need_wakeup");
    return text;
}

namespace {

// What was refused on the way to what was obtained: the best attempt at each thing not got.
std::string remarks_on(const bind_result& result) {
    std::string text;
    const auto add = [&](const std::string& part) {
        if (!text.empty()) text += "; ";
        text += part;
    };
    const auto first_refusal = [&](std::uint16_t flag, const char* name) {
        for (const auto& attempt : result.attempts) {
            if (attempt.error == 0 || (attempt.flags & flag) == 0) continue;
            return add(std::string(name) + " refused: " + errno_text(attempt.error));
        }
    };
    if (!result.zero_copy) first_refusal(uapi::bind_zero_copy, "zero-copy");
    if (!result.scatter_gather) first_refusal(uapi::bind_scatter_gather, "scatter-gather");
    if (!result.shared_umem) first_refusal(uapi::bind_shared_umem, "sharing the UMEM");
    for (const auto& note : result.notes)
        add(note);
    return text;
}

}  // namespace

std::string to_string(const tx_metadata_result& result) {
    if (result.bytes == 0) return "no TX metadata";
    std::string offered;
    if (result.checksum) join(offered, result.software_checksum ? "software checksum" : "checksum");
    if (result.timestamp) join(offered, "timestamp");
    if (result.launch) join(offered, "launch time");
    return "TX metadata (" + (offered.empty() ? "nothing" : offered) + ")";
}

std::string to_string(const bind_result& result) {
    std::string text = result.zero_copy ? "zero-copy" : "copy";
    join(text, result.scatter_gather ? "scatter-gather" : "no scatter-gather");
    if (result.need_wakeup) join(text, "need_wakeup");
    if (result.shared_umem) join(text, "shared UMEM");
    if (result.tx_metadata.bytes != 0) join(text, to_string(result.tx_metadata));
    if (result.tx_budget != 0) join(text, "TX budget " + std::to_string(result.tx_budget));
    if (result.busy_wait.count() != 0) {
        join(text, "waited " + std::to_string(result.busy_wait.count()) + " us for the queue");
    }
    const auto remarks = remarks_on(result);
    return remarks.empty() ? text : text + " (" + remarks + ")";
}

}  // namespace skein::inline v0::xsk
