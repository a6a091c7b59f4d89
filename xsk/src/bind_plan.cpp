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
    const bool may_have = wishes.scatter_gather != choice::forbidden;
    const bool may_lack =
        wishes.scatter_gather != choice::required && !(wishes.needs_scatter_gather && may_have);
    constexpr auto wakeup = uapi::bind_need_wakeup;
    constexpr auto scatter = uapi::bind_scatter_gather;
    if (may_have) plan.push_back(static_cast<std::uint16_t>(mode | scatter | wakeup));
    if (may_lack) plan.push_back(static_cast<std::uint16_t>(mode | wakeup));
    if (may_lack) plan.push_back(mode);
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

std::string to_string(const bind_result& result) {
    std::string text = result.zero_copy ? "zero-copy" : "copy";
    join(text, result.scatter_gather ? "scatter-gather" : "no scatter-gather");
    if (result.need_wakeup) join(text, "need_wakeup");
    if (result.shared_umem) join(text, "shared UMEM");
    if (result.tx_budget != 0) join(text, "TX budget " + std::to_string(result.tx_budget));
    if (result.busy_wait.count() != 0) {
        join(text, "waited " + std::to_string(result.busy_wait.count()) + " us for the queue");
    }
    std::string refused;
    for (const auto& attempt : result.attempts) {
        if (attempt.error == 0) continue;
        if (!refused.empty()) refused += "; ";
        refused += describe_bind_flags(attempt.flags) + ": " + errno_text(attempt.error);
    }
    for (const auto& note : result.notes) {
        if (!refused.empty()) refused += "; ";
        refused += note;
    }
    return refused.empty() ? text : text + " (" + refused + ")";
}

}  // namespace skein::inline v0::xsk
