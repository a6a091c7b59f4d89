// SPDX-License-Identifier: Apache-2.0
#include "bench_report.hpp"

#include <sys/utsname.h>

#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

template <class Of>
quartiles over(const std::vector<bench_round>& rounds, Of&& of) {
    std::vector<std::uint64_t> values;
    for (const auto& round : rounds)
        values.push_back(of(round));
    return quartiles_of(std::move(values));
}

quartiles rate(const std::vector<bench_round>& rounds, bench_result bench_round::*whose) {
    return over(rounds, [=](const bench_round& r) { return (r.*whose).packets_per_second; });
}

quartiles calls(const std::vector<bench_round>& rounds, bench_result bench_round::*whose) {
    return over(rounds, [=](const bench_round& r) { return (r.*whose).calls_per_million_packets; });
}

json to_json(const quartiles& q) {
    return {{"lower", q.lower}, {"median", q.median}, {"upper", q.upper}};
}

json side(const std::vector<bench_round>& rounds, bench_result bench_round::*whose) {
    auto runs = json::array();
    for (const auto& round : rounds)
        runs.push_back((round.*whose).packets_per_second);
    return {{"packets_per_second", to_json(rate(rounds, whose))},
            {"calls_per_million_packets", to_json(calls(rounds, whose))},
            {"runs", std::move(runs)}};
}

json to_json(const bench_finding& finding, bool with_peer) {
    json object = {{"job", to_string(finding.what.job)},
                   {"mode", finding.what.mode},
                   {"size", finding.what.size_bytes},
                   {"rounds", finding.rounds.size()},
                   {"skein", side(finding.rounds, &bench_round::own)}};
    if (!with_peer) return object;
    object["peer"] = side(finding.rounds, &bench_round::peer);
    object["ratio_permille"] = to_json(over(finding.rounds, ratio_permille));
    return object;
}

}  // namespace

std::string bench_heading(const std::string& peer) {
    auto text = fmt::format("{:8} {:8} {:>5}  {:>12} {:>9}", "job", "mode", "bytes", "skein pps",
                            "calls/1e6");
    if (peer.empty()) return text + "\n";
    return text + fmt::format("  {:>12} {:>9}   {}\n", peer + " pps", "calls/1e6",
                              "ratio: lower quartile, median, upper");
}

std::string as_row(const bench_finding& finding, bool with_peer) {
    const auto& rounds = finding.rounds;
    auto text =
        fmt::format("{:8} {:8} {:>5}  {:>12} {:>9}", to_string(finding.what.job), finding.what.mode,
                    finding.what.size_bytes, rate(rounds, &bench_round::own).median,
                    calls(rounds, &bench_round::own).median);
    if (!with_peer) return text + "\n";
    const auto ratio = over(rounds, ratio_permille);
    const auto of_one = [](std::uint64_t permille) { return static_cast<double>(permille) / 1000; };
    return text + fmt::format("  {:>12} {:>9}   {:.3f} {:.3f} {:.3f}\n",
                              rate(rounds, &bench_round::peer).median,
                              calls(rounds, &bench_round::peer).median, of_one(ratio.lower),
                              of_one(ratio.median), of_one(ratio.upper));
}

json as_json(const std::vector<bench_finding>& findings, const std::string& peer,
             std::uint32_t seconds) {
    struct utsname machine {};
    ::uname(&machine);
    json object = {{"kernel", machine.release},
                   {"cpus", std::thread::hardware_concurrency()},
                   {"peer", peer.empty() ? json(nullptr) : json(peer)},
                   {"seconds", seconds},
                   {"cases", json::array()}};
    for (const auto& finding : findings)
        object["cases"].push_back(to_json(finding, !peer.empty()));
    return object;
}

}  // namespace skein::tool
