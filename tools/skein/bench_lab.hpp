// SPDX-License-Identifier: Apache-2.0
// A lab of the benchmark's own: the three namespaces of `skein lab`, seen by nobody else.
//
// The names lie in a private mount of /run/netns, so that a lab which is up is not disturbed and
// nothing stays behind, even after kill -9. One at a time, and only in a process of one thread: the
// mount is the process's for the rest of its life.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein::tool {

class bench_lab {
  public:
    bench_lab();  // throws command_failure
    bench_lab(const bench_lab&) = delete;
    bench_lab& operator=(const bench_lab&) = delete;
    ~bench_lab();

    // The command as one to be started here: inside a namespace ("middle"), on a CPU.
    std::vector<std::string> inside(std::string_view name, unsigned cpu,
                                    const std::vector<std::string>& argv) const;

    // Packets that reached a device of a namespace since it was made.
    std::uint64_t received(std::string_view name, const std::string& device) const;
};

// The CPUs of the sender and of who is measured: two different ones where this process may use two.
struct bench_cpus {
    unsigned sender;
    unsigned measured;
};
bench_cpus choose_cpus();

}  // namespace skein::tool
