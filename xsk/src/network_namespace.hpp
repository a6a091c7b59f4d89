// SPDX-License-Identifier: Apache-2.0
// Doing something in another network namespace, without the caller ever being in it.
//
// A namespace is entered by a thread made for the work and gone with it. A thread that went there
// and back itself could be left behind: coming home allocates, may fail, and whatever it did next
// would meet the wrong devices of the same names. Here there is no way back to fail. Set-up and
// teardown alone pay for the thread; sockets and links work from anywhere once they are open.
//
// The object holds the namespace open, so that it can be entered again after its name is gone.
// Needs CAP_SYS_ADMIN. Note that sysfs goes on showing the devices of the namespace it was mounted
// from. Sources: setns(2), Linux 6.12 net/core/net_namespace.c netns_install().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace skein::inline v0::xsk {

class network_namespace {
  public:
    // As in /run/netns, or a path; empty: the caller's own, where work is just called. Throws
    // setup_error.
    explicit network_namespace(const std::string& name);
    network_namespace(const network_namespace&) = delete;
    network_namespace& operator=(const network_namespace&) = delete;
    ~network_namespace();

    // Calls work() there and returns what it returns or throws what it throws. Throws setup_error
    // where the namespace cannot be entered.
    template <class Work>
    auto run(Work&& work) const {
        if (fd_ < 0) return work();
        using result = std::invoke_result_t<Work>;
        if constexpr (std::is_void_v<result>) {
            enter(work);
        } else {
            std::optional<result> answer;
            enter([&] { answer.emplace(work()); });
            return std::move(*answer);
        }
    }

  private:
    void enter(const std::function<void()>& work) const;

    std::string name_;
    int fd_ = -1;
};

}  // namespace skein::inline v0::xsk
