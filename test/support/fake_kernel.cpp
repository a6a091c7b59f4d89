// SPDX-License-Identifier: Apache-2.0
// The fake kernel's registry: devices, sockets, faults, counts. Options are in fake_options.cpp,
// binding in fake_bind.cpp.
#include "support/fake_kernel.hpp"

#include <linux/rtnetlink.h>
#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include <skein/xsk/uapi.hpp>

namespace skein::test {

namespace {

fake_kernel* the_kernel = nullptr;

std::uint64_t machine_ns() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

[[noreturn]] void condemn(const char* what, const std::string& which) {
    std::fprintf(stderr, "fake kernel: %s: %s\n", what, which.c_str());
    std::abort();
}

}  // namespace

fake_kernel::fake_kernel(kernel_profile profile) : profile_(profile) {
    if (the_kernel != nullptr) condemn("misuse", "two kernels at a time");
    the_kernel = this;
}

fake_kernel::~fake_kernel() {
    the_kernel = nullptr;
    if (!violations_.empty()) condemn("violation", violations_.front());
    if (!sockets_.empty()) condemn("sockets left open", std::to_string(sockets_.size()));
    if (!namespace_fds_.empty()) condemn("namespaces left open", namespace_fds_.begin()->second);
    if (!netlink_.empty()) condemn("netlink sockets left open", "");
    if (mappings() != 0) condemn("mappings left", std::to_string(mappings()));
}

fake_kernel& fake_kernel::current() {
    if (the_kernel == nullptr) condemn("misuse", "a system call without a kernel");
    return *the_kernel;
}

// --- devices -------------------------------------------------------------------------------------

fake_device& fake_kernel::add_device(fake_device device) {
    device.index = next_index_++;
    return devices_.emplace_back(std::move(device));
}

fake_device* fake_kernel::find_device(std::string_view name) {
    const auto found = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const auto& device) { return device.name == name; });
    return found == devices_.end() ? nullptr : &*found;
}

fake_device* fake_kernel::find_device_by_index(int index) {
    const auto found = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const auto& device) { return device.index == index; });
    return found == devices_.end() ? nullptr : &*found;
}

fake_device& fake_kernel::device(std::string_view name) {
    auto* found = find_device(name);
    if (found == nullptr) condemn("no such device", std::string(name));
    return *found;
}

void fake_kernel::change_device(std::string_view name,
                                const std::function<void(fake_device&)>& change) {
    auto& changed = device(name);
    const auto features = changed.xdp_features;
    const auto link = link_message(RTM_NEWLINK, changed);
    change(changed);
    const auto now = link_message(RTM_NEWLINK, changed);
    if (now != link) netlink_.tell_link(now, changed.network_namespace);
    if (changed.xdp_features == features) return;
    constexpr std::uint8_t changed_notification = 4;  // NETDEV_CMD_DEV_CHANGE_NTF
    netlink_.tell_features(feature_message(changed_notification, changed),
                           changed.network_namespace);
}

void fake_kernel::remove_device(std::string_view name) {
    auto* gone = find_device(name);
    if (gone != nullptr) {
        netlink_.tell_link(link_message(RTM_DELLINK, *gone), gone->network_namespace);
    }
    for (auto& [fd, s] : sockets_) {
        if (s->device != gone) continue;
        s->device = nullptr;
        s->tell_device_lost = true;
    }
    devices_.remove_if([&](const auto& device) { return &device == gone; });
}

fake_device* fake_kernel::find_device_here(std::string_view name) {
    const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const auto& device) {
        return device.name == name && device.network_namespace == here_;
    });
    return found == devices_.end() ? nullptr : &*found;
}

void fake_kernel::add_namespace(std::string path) {
    namespaces_.push_back(std::move(path));
}

void fake_kernel::connect(std::string_view one, std::string_view other) {
    device(one).peer = other;
    device(other).peer = one;
}

fake_socket* fake_kernel::find(int fd) {
    const auto found = sockets_.find(fd);
    return found == sockets_.end() ? nullptr : found->second.get();
}

fake_socket* fake_kernel::find(const fake_device& device, std::uint32_t queue) {
    for (auto& [fd, s] : sockets_) {
        if (s->device == &device && s->queue == queue) return s.get();
    }
    return nullptr;
}

fake_socket& fake_kernel::socket(std::string_view name, std::uint32_t queue) {
    auto* found = find(device(name), queue);
    if (found == nullptr) condemn("no socket on", std::string(name));
    return *found;
}

bool fake_kernel::has_socket(std::string_view name, std::uint32_t queue) {
    const auto* owner = find_device(name);
    return owner != nullptr && find(*owner, queue) != nullptr;
}

bool fake_kernel::deliver(std::string_view name, std::uint32_t queue,
                          std::span<const std::byte> packet) {
    observe();
    const auto* owner = find_device(name);
    auto* receiver = owner == nullptr ? nullptr : find(*owner, queue);
    if (receiver == nullptr || !receiver->receive(packet)) return false;
    if (receiver->waitable) receiver->waitable->announce();
    return true;
}

// --- faults and counts ---------------------------------------------------------------------------

void fake_kernel::fail(call kind, int error, std::uint32_t times) {
    auto& faults = faults_[static_cast<std::size_t>(kind)];
    faults.insert(faults.begin(), times, -error);
}

void fake_kernel::fail_option(int name, int error, std::uint32_t times) {
    auto& faults = option_faults_[name];
    faults.insert(faults.begin(), times, -error);
}

// The fault to inject into a call of this kind, or 0.
int fake_kernel::injected(call kind) {
    auto& faults = faults_[static_cast<std::size_t>(kind)];
    if (faults.empty()) return 0;
    const int status = faults.back();
    faults.pop_back();
    return status;
}

std::uint64_t fake_kernel::calls() const {
    return std::accumulate(calls_.begin(), calls_.end(), std::uint64_t{0});
}

void fake_kernel::observe() {
    for (auto& [fd, s] : sockets_)
        s->observe_releases();
    for (auto& [fd, s] : sockets_)
        s->observe_announcements(violations_);
    for (auto& [fd, s] : sockets_) {
        const bool empty = s->rx == nullptr || s->rx->producer() == s->rx->consumer();
        if (s->waitable && empty) s->waitable->silence();
    }
}

custody_counts fake_kernel::custody(const std::byte* umem_base) const {
    const auto found = custodies_.find(umem_base);
    return found == custodies_.end() ? custody_counts{} : found->second->counts();
}

fake_kernel::entry::entry(fake_kernel& kernel, call kind)
    : kernel_(kernel), start_ns_(machine_ns()) {
    ++depth_;
    ++kernel.calls_[static_cast<std::size_t>(kind)];
    kernel.observe();
}

fake_kernel::entry::~entry() {
    --depth_;
    kernel_.inside_ns_ += machine_ns() - start_ns_;
}

}  // namespace skein::test
