// SPDX-License-Identifier: Apache-2.0
// A kernel in plain memory: what skein::xsk calls is answered here, so that a whole port (set-up,
// data path, teardown) runs without privileges, and meets every kernel and every fault on request.
//
//     fake_kernel kernel(linux_6_1());
//     kernel.add_device({.name = "fake0"});
//     xsk::port port({.interface = "fake0"}, std::make_shared<xsk::umem>(…), nullptr);
//     kernel.deliver("fake0", 0, packet);             // arrives in the port's RX ring
//     kernel.socket("fake0").hold_completions = true;  // and so on
//
// It is a judge as well: every call lets it look at the rings, and a frame in two places at once,
// an index out of step or a FILL address that is no frame is a violation. It also counts system
// calls, open descriptors and mappings. A kernel that is destroyed with a violation nobody took, a
// socket still open or memory still mapped ends the program with a message.
//
// One kernel exists at a time. Threading: the port's thread, except that rings are rings.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/fake_device.hpp"
#include "support/fake_netlink.hpp"
#include "support/fake_profile.hpp"
#include "support/fake_socket.hpp"

struct pollfd;

namespace skein::test {

enum class call : std::uint8_t {
    open,
    close,
    set_option,
    get_option,
    bind,
    map_ring,
    map_memory,
    unmap,
    wake_tx,
    wake_rx,
    poll,
    inspect,  // questions about a device
    space,    // opening and entering network namespaces
    netlink,
    clock,
    sleep,
    yield,
};
inline constexpr std::size_t call_count = 17;

struct bind_request {
    int fd;
    std::uint16_t flags;
    std::uint32_t queue;
    int status;
};

class fake_kernel {
  public:
    explicit fake_kernel(kernel_profile profile = {});
    const kernel_profile& profile() const noexcept { return profile_; }
    fake_kernel(const fake_kernel&) = delete;
    fake_kernel& operator=(const fake_kernel&) = delete;
    ~fake_kernel();

    // The one that exists; the calling test has made it.
    static fake_kernel& current();

    // --- devices ---------------------------------------------------------------------------------

    fake_device& add_device(fake_device device);
    fake_device& device(std::string_view name);
    void remove_device(std::string_view name);
    // What one sends the other receives, queue by queue.
    void connect(std::string_view one, std::string_view other);

    // The socket bound to a queue. There must be one.
    fake_socket& socket(std::string_view device, std::uint32_t queue = 0);
    bool has_socket(std::string_view device, std::uint32_t queue = 0);
    // A packet arrives at a device; false if no socket took it.
    bool deliver(std::string_view device, std::uint32_t queue, std::span<const std::byte> packet);

    // From here on sockets get descriptors that an event loop can wait for: readable while RX holds
    // something. Packets are announced at once; that RX was read is seen by the next observe(),
    // which a loop therefore makes between its steps.
    void give_real_descriptors() { real_descriptors_ = true; }
    // A network namespace; its devices are those that name its path.
    void add_namespace(std::string path);
    // The one the calling thread is in; empty where it always was.
    static const std::string& current_namespace() noexcept { return here_; }

    // Changes a device and tells who listens.
    void change_device(std::string_view name, const std::function<void(fake_device&)>& change);
    fake_netlink& netlink() noexcept { return netlink_; }

    // --- faults ----------------------------------------------------------------------------------

    // The next `times` calls of a kind fail so; for socket options, only those of that name.
    void fail(call kind, int error, std::uint32_t times = 1);
    void fail_option(int name, int error, std::uint32_t times = 1);
    // Runs during poll(), before it looks for something to report.
    std::function<void()> during_poll = {};

    // --- what happened ---------------------------------------------------------------------------

    std::uint64_t calls(call kind) const { return calls_[static_cast<std::size_t>(kind)]; }
    std::uint64_t calls() const;  // all kinds together
    const std::vector<bind_request>& binds() const { return binds_; }
    std::size_t open_sockets() const { return sockets_.size(); }
    std::size_t mappings() const { return ring_maps_.size() + memory_maps_.size(); }
    std::uint64_t now_ns() const { return now_ns_; }
    void advance(std::chrono::nanoseconds time) {
        now_ns_ += static_cast<std::uint64_t>(time.count());
    }
    // Time spent inside system calls, on the machine's own clock.
    std::uint64_t nanoseconds_inside() const { return inside_ns_; }
    // True while a system call runs: what is allocated then is the kernel's.
    static bool inside() noexcept { return depth_ != 0; }

    // Looks at every ring.
    void observe();
    const std::vector<std::string>& violations() const { return violations_; }
    std::vector<std::string> take_violations() { return std::exchange(violations_, {}); }
    custody_counts custody(const std::byte* umem_base) const;

    // --- system calls (fake_sys.cpp forwards to these) -------------------------------------------

    class entry;  // counts a call, measures it, looks at the rings
    int injected(call kind);
    int sys_open();
    int sys_close(int fd);
    int sys_set_option(int fd, int level, int name, const void* value, std::size_t bytes);
    int sys_get_option(int fd, int level, int name, void* value, std::size_t* bytes);
    int sys_bind(int fd, std::uint16_t flags, int interface, std::uint32_t queue, int shared_fd);
    int sys_map_ring(int fd, std::size_t bytes, std::uint64_t offset, void** where);
    int sys_map_memory(std::size_t bytes, bool huge, void** where);
    int sys_unmap(void* where, std::size_t bytes);
    int sys_wake(int fd, bool tx);
    int sys_poll(std::span<pollfd> fds, std::chrono::milliseconds timeout);
    int sys_open_netlink(bool route);
    int sys_send_netlink(int fd, std::span<const std::byte> message);
    int sys_open_wait_set(std::span<const int> fds);
    int sys_open_namespace(const std::string& path);
    int sys_enter_namespace(int fd);
    // In any namespace, and in the calling thread's.
    fake_device* find_device(std::string_view name);
    fake_device* find_device_here(std::string_view name);
    fake_device* find_device_by_index(int index);

  private:
    struct queue_lag {
        int interface;
        std::uint32_t queue;
        std::uint64_t until_ns;
    };
    struct memory_map {
        std::byte* base;
        std::size_t bytes;
    };

    fake_socket* find(int fd);
    fake_socket* find(const fake_device& device, std::uint32_t queue);
    int bind_checked(fake_socket& s, std::uint16_t flags, int interface, std::uint32_t queue,
                     int shared_fd);
    int share(fake_socket& s, int shared_fd, const fake_device& device, std::uint32_t queue);
    int adopt_mode(fake_socket& s, std::uint16_t flags, const fake_device& device,
                   std::uint32_t queue);
    bool queue_busy(const fake_device& device, std::uint32_t queue);
    int register_umem(fake_socket& s, const void* value, std::size_t bytes);
    int size_ring(fake_socket& s, int name, const void* value, std::size_t bytes);
    int set_budget(fake_socket& s, const void* value, std::size_t bytes);
    int set_socket_option(fake_socket& s, int name, const void* value);
    int answer_offsets(void* value, std::size_t* bytes) const;
    bool ready(fake_socket& s, short events, short& found);

    kernel_profile profile_;
    std::list<fake_device> devices_;
    std::map<int, std::unique_ptr<fake_socket>> sockets_;
    fake_netlink netlink_;
    std::vector<std::string> namespaces_;       // paths
    std::map<int, std::string> namespace_fds_;  // path of each that is open
    std::map<const std::byte*, std::shared_ptr<fake_custody>> custodies_;
    std::map<void*, std::shared_ptr<fake_ring_memory>> ring_maps_;
    std::map<void*, memory_map> memory_maps_;
    std::vector<queue_lag> lags_;
    std::vector<bind_request> binds_;
    std::array<std::uint64_t, call_count> calls_{};
    std::array<std::vector<int>, call_count> faults_;  // the next one last
    std::map<int, std::vector<int>> option_faults_;
    std::vector<std::string> violations_;
    std::uint64_t now_ns_ = 1'000'000'000;
    std::uint64_t inside_ns_ = 0;
    bool real_descriptors_ = false;
    int next_fd_ = 100;
    int next_index_ = 1;
    static inline thread_local int depth_ = 0;
    static inline thread_local std::string here_ = {};
};

class fake_kernel::entry {
  public:
    explicit entry(fake_kernel& kernel, call kind);
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry();

  private:
    fake_kernel& kernel_;
    std::uint64_t start_ns_;
};

}  // namespace skein::test
