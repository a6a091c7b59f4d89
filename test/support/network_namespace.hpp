// SPDX-License-Identifier: Apache-2.0
// A network namespace of the test's own, without a name: it goes with everything in it when the
// test leaves it, however that happens. Only the calling thread is in it.
#pragma once

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "support/privilege.hpp"

namespace skein::test {

class network_namespace {
  public:
    network_namespace() : before_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
        if (before_ < 0 || ::unshare(CLONE_NEWNET) != 0)
            skip("a network namespace cannot be made (not root?)");
    }
    network_namespace(const network_namespace&) = delete;
    network_namespace& operator=(const network_namespace&) = delete;
    ~network_namespace() {
        ::setns(before_, CLONE_NEWNET);
        ::close(before_);
    }

    // Runs a command here; the test fails where the command does.
    void run(const std::string& command) const {
        INFO(command);
        REQUIRE(std::system((command + " >/dev/null").c_str()) == 0);
    }

    // Two ends of a cable, named NAME and NAMEp, with so many queues each way. They are down: no
    // kernel traffic (neighbour discovery and the like) runs over them.
    void add_veth(const std::string& name, unsigned queues = 1, unsigned peer_queues = 0) const {
        run("ip link add " + name + end_queues(queues) + " type veth peer name " + name + "p" +
            end_queues(peer_queues == 0 ? queues : peer_queues));
    }
    void raise_veth(const std::string& name) const {
        run("ip link set " + name + " up");
        run("ip link set " + name + "p up");
    }

    static int index_of(const std::string& name) {
        return static_cast<int>(::if_nametoindex(name.c_str()));
    }

  private:
    static std::string end_queues(unsigned queues) {
        const std::string n = std::to_string(queues);
        return " numtxqueues " + n + " numrxqueues " + n;
    }

    int before_;
};

}  // namespace skein::test
