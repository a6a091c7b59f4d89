// SPDX-License-Identifier: Apache-2.0
#include "sys.hpp"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <skein/xsk/uapi.hpp>

namespace skein::inline v0::xsk::sys {

namespace {

int result(long value) noexcept {
    return value < 0 ? -errno : static_cast<int>(value);
}

// A datagram socket to ask about devices with.
class inquiry {
  public:
    explicit inquiry(const std::string& interface) noexcept
        : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        interface.copy(request_.ifr_name, IFNAMSIZ - 1);
    }
    inquiry(const inquiry&) = delete;
    inquiry& operator=(const inquiry&) = delete;
    ~inquiry() {
        if (fd_ >= 0) ::close(fd_);
    }

    int ask(unsigned long what) noexcept { return result(::ioctl(fd_, what, &request_)); }
    int ask_ethtool(void* command) noexcept {
        request_.ifr_data = static_cast<char*>(command);
        return ask(SIOCETHTOOL);
    }
    const ifreq& answer() const noexcept { return request_; }

  private:
    int fd_;
    ifreq request_{};
};

// sysfs shows the devices of the namespace it was mounted from, under their names there.
bool sysfs_shows(const std::string& name) {
    unsigned index = 0;
    return std::ifstream("/sys/class/net/" + name + "/ifindex") >> index &&
           index == ::if_nametoindex(name.c_str());
}

// The directory /sys/class/net/NAME/queues lists every queue of a device as rx-N and tx-N.
int count_queue_directories(const std::string& name) noexcept {
    int rx = 0;
    int tx = 0;
    if (!sysfs_shows(name)) return -ENOENT;
    std::error_code failure;
    const std::filesystem::path queues = "/sys/class/net/" + name + "/queues";
    std::filesystem::directory_iterator entry(queues, failure);
    for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
        const auto file = entry->path().filename().string();
        if (file.starts_with("rx-")) ++rx;
        if (file.starts_with("tx-")) ++tx;
    }
    return failure ? -failure.value() : std::max(rx, tx);
}

}  // namespace

int open_xdp_socket() noexcept {
    return result(::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0));
}

int close(int fd) noexcept {
    return result(::close(fd));
}

int set_option(int fd, int level, int name, const void* value, std::size_t bytes) noexcept {
    return result(::setsockopt(fd, level, name, value, static_cast<socklen_t>(bytes)));
}

int get_option(int fd, int level, int name, void* value, std::size_t* bytes) noexcept {
    auto length = static_cast<socklen_t>(*bytes);
    const int status = result(::getsockopt(fd, level, name, value, &length));
    *bytes = length;
    return status;
}

int bind(int fd, const xdp_address& address) noexcept {
    sockaddr_xdp to{};
    to.sxdp_family = AF_XDP;
    to.sxdp_flags = address.flags;
    to.sxdp_ifindex = address.interface_index;
    to.sxdp_queue_id = address.queue;
    to.sxdp_shared_umem_fd = static_cast<std::uint32_t>(std::max(address.shared_umem_fd, 0));
    return result(::bind(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to));
}

int map_ring(int fd, std::size_t bytes, std::uint64_t offset, void** where) noexcept {
    void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                      static_cast<off_t>(offset));
    if (at == MAP_FAILED) return -errno;
    *where = at;
    return 0;
}

int map_memory(std::size_t bytes, page_kind pages, void** where) noexcept {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    if (pages == page_kind::huge_2m) flags |= MAP_HUGETLB | (21 << MAP_HUGE_SHIFT);
    void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) return -errno;
    *where = at;
    return 0;
}

int unmap(void* where, std::size_t bytes) noexcept {
    return result(::munmap(where, bytes));
}

std::uint64_t available_memory() noexcept {
    std::ifstream table("/proc/meminfo");
    std::string name;
    std::uint64_t kilobytes = 0;
    std::string rest;
    while (table >> name >> kilobytes && std::getline(table, rest)) {
        if (name == "MemAvailable:") return kilobytes * 1024;
    }
    return std::numeric_limits<std::uint64_t>::max();
}

int wake_tx(int fd) noexcept {
    return result(::sendto(fd, nullptr, 0, MSG_DONTWAIT, nullptr, 0));
}

int wake_rx(int fd) noexcept {
    return result(::recvfrom(fd, nullptr, 0, MSG_DONTWAIT, nullptr, nullptr));
}

int poll(std::span<pollfd> fds, std::chrono::milliseconds timeout) noexcept {
    return result(::poll(fds.data(), fds.size(), static_cast<int>(timeout.count())));
}

int open_namespace(const std::string& path) noexcept {
    return result(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

int enter_namespace(int fd) noexcept {
    return result(::setns(fd, CLONE_NEWNET));
}

int interface_index(const std::string& name) noexcept {
    const unsigned index = ::if_nametoindex(name.c_str());
    return index == 0 ? -ENODEV : static_cast<int>(index);
}

int interface_mtu(const std::string& name) noexcept {
    inquiry device(name);
    const int status = device.ask(SIOCGIFMTU);
    return status < 0 ? status : device.answer().ifr_mtu;
}

int interface_is_up(const std::string& name) noexcept {
    inquiry device(name);
    const int status = device.ask(SIOCGIFFLAGS);
    return status < 0 ? status : (device.answer().ifr_flags & IFF_UP) != 0;
}

int interface_queues(const std::string& name) noexcept {
    ethtool_channels channels{};
    channels.cmd = ETHTOOL_GCHANNELS;
    inquiry device(name);
    if (device.ask_ethtool(&channels) == 0) {
        const auto each = std::max(channels.rx_count, channels.tx_count) + channels.combined_count;
        if (each != 0) return static_cast<int>(each);
    }
    return count_queue_directories(name);
}

int interface_address(const std::string& name, std::span<std::uint8_t, 6> mac) noexcept {
    inquiry device(name);
    const int status = device.ask(SIOCGIFHWADDR);
    if (status < 0) return status;
    if (device.answer().ifr_hwaddr.sa_family != ARPHRD_ETHER) return -EAFNOSUPPORT;
    std::memcpy(mac.data(), device.answer().ifr_hwaddr.sa_data, mac.size());
    return 0;
}

int interface_setting(const std::string& name, const char* setting) noexcept {
    int value = 0;
    if (!sysfs_shows(name)) return -ENOENT;
    if (std::ifstream("/sys/class/net/" + name + "/" + setting) >> value) return value;
    return -ENOENT;
}

int interface_driver(const std::string& name, std::span<char> driver) noexcept {
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    inquiry device(name);
    const int status = device.ask_ethtool(&info);
    if (status < 0 || driver.empty()) return status;
    const auto n = std::min(::strnlen(info.driver, sizeof info.driver), driver.size() - 1);
    std::memcpy(driver.data(), info.driver, n);
    driver[n] = '\0';
    return 0;
}

std::uint64_t monotonic_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(now.tv_nsec);
}

void sleep_for(std::chrono::microseconds duration) noexcept {
    timespec left{static_cast<time_t>(duration.count() / 1'000'000),
                  static_cast<long>(duration.count() % 1'000'000) * 1000};
    while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

void yield() noexcept {
    ::sched_yield();
}

}  // namespace skein::inline v0::xsk::sys
