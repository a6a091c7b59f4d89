// SPDX-License-Identifier: Apache-2.0
// The lab's network namespaces as the machine has them: which exist, who lives in them, entering.
//
// ip(8) keeps a namespace alive by a bind mount under /run/netns; the functions here take its name
// there ("skein-client"), or a path to another mount of one (/proc/PID/ns/net). A process that is
// inside keeps a namespace and its devices alive after the mount is gone.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "file_descriptor.hpp"

namespace skein::tool {

bool namespace_exists(const std::string& space);

// Those of the lab's namespaces that exist, in the lab's order.
std::vector<std::string> lab_namespaces();

struct inhabitant {
    pid_t pid;
    std::string name;   // as /proc/PID/comm has it
    std::string space;  // the namespace it is in
};

// The processes inside, found in /proc.
std::vector<inhabitant> inhabitants(const std::string& space);

// Puts the calling thread into a network namespace and back again when it goes.
class namespace_visit {
  public:
    explicit namespace_visit(const std::string& space);
    ~namespace_visit();
    namespace_visit(const namespace_visit&) = delete;
    namespace_visit& operator=(const namespace_visit&) = delete;

  private:
    file_descriptor home_;
};

// For good: the calling thread, and with it what /sys shows.
void move_into(const std::string& space);

// Becomes the command, inside the namespace: /sys shows the devices of that namespace, as under
// `ip netns exec`; signals are as a shell would hand them on. Returns only by throwing.
[[noreturn]] void exec_inside(const std::string& space, const std::vector<std::string>& command);

}  // namespace skein::tool
