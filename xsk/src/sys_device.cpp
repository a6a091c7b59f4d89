// SPDX-License-Identifier: Apache-2.0
// Source: Linux 6.12 include/uapi/linux/ethtool.h.
#include "sys_device.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace skein::inline v0::xsk::sys {

namespace {

int ask_kernel(const std::string& name, unsigned long what, ifreq& request) noexcept {
    const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    const int status = ::ioctl(fd, what, &request) < 0 ? -errno : 0;
    ::close(fd);
    return status;
}

int ask_ethtool(const std::string& name, void* command) noexcept {
    ifreq request{};
    request.ifr_data = static_cast<char*>(command);
    return ask_kernel(name, SIOCETHTOOL, request);
}

// A command of ethtool that ends in an array.
class long_command {
  public:
    long_command(std::size_t head_bytes, std::size_t array_bytes)
        : words_((head_bytes + array_bytes + 7) / 8) {}

    template <class Command>
    Command& as() noexcept {
        return *reinterpret_cast<Command*>(words_.data());
    }
    char* behind(std::size_t head_bytes) noexcept {
        return reinterpret_cast<char*>(words_.data()) + head_bytes;
    }

  private:
    std::vector<std::uint64_t> words_;
};

int count_strings(const std::string& name, std::uint32_t set, std::uint32_t& count) {
    long_command command(sizeof(ethtool_sset_info), sizeof(std::uint32_t));
    auto& info = command.as<ethtool_sset_info>();
    info.cmd = ETHTOOL_GSSET_INFO;
    info.sset_mask = std::uint64_t{1} << set;
    const int status = ask_ethtool(name, &info);
    if (status < 0) return status;
    if (info.sset_mask == 0) return -EOPNOTSUPP;
    std::memcpy(&count, command.behind(sizeof(ethtool_sset_info)), sizeof count);
    return 0;
}

// The names of a set, in the order in which its values come.
int read_strings(const std::string& name, std::uint32_t set, std::vector<std::string>& names) {
    std::uint32_t count = 0;
    int status = count_strings(name, set, count);
    if (status < 0) return status;
    long_command command(sizeof(ethtool_gstrings), std::size_t{count} * ETH_GSTRING_LEN);
    auto& list = command.as<ethtool_gstrings>();
    list.cmd = ETHTOOL_GSTRINGS;
    list.string_set = set;
    list.len = count;
    status = ask_ethtool(name, &list);
    if (status < 0) return status;
    const char* text = command.behind(sizeof(ethtool_gstrings));
    for (std::uint32_t i = 0; i < std::min(count, list.len); ++i, text += ETH_GSTRING_LEN)
        names.emplace_back(text, ::strnlen(text, ETH_GSTRING_LEN));
    return 0;
}

}  // namespace

int device_rings(const std::string& name, ring_sizes& sizes) {
    ethtool_ringparam rings{};
    rings.cmd = ETHTOOL_GRINGPARAM;
    const int status = ask_ethtool(name, &rings);
    if (status == 0)
        sizes = {rings.rx_pending, rings.tx_pending, rings.rx_max_pending, rings.tx_max_pending};
    return status;
}

int device_channels(const std::string& name, channel_counts& counts) {
    ethtool_channels channels{};
    channels.cmd = ETHTOOL_GCHANNELS;
    const int status = ask_ethtool(name, &channels);
    if (status == 0)
        counts = {channels.rx_count, channels.tx_count, channels.combined_count,
                  channels.max_rx,   channels.max_tx,   channels.max_combined};
    return status;
}

int device_features(const std::string& name, std::vector<named_feature>& features) {
    std::vector<std::string> names;
    int status = read_strings(name, ETH_SS_FEATURES, names);
    if (status < 0) return status;
    const auto blocks = (names.size() + 31) / 32;
    long_command command(sizeof(ethtool_gfeatures), blocks * sizeof(ethtool_get_features_block));
    auto& list = command.as<ethtool_gfeatures>();
    list.cmd = ETHTOOL_GFEATURES;
    list.size = static_cast<std::uint32_t>(blocks);
    status = ask_ethtool(name, &list);
    if (status < 0) return status;
    for (std::size_t i = 0; i < names.size(); ++i) {
        ethtool_get_features_block block{};
        std::memcpy(&block, command.behind(sizeof(ethtool_gfeatures) + i / 32 * sizeof block),
                    sizeof block);
        const std::uint32_t bit = 1u << (i % 32);
        const bool fixed = (block.never_changed & bit) != 0 || (block.available & bit) == 0;
        if (!names[i].empty()) features.push_back({names[i], (block.active & bit) != 0, fixed});
    }
    return 0;
}

int device_statistics(const std::string& name, std::vector<named_counter>& counters) {
    std::vector<std::string> names;
    int status = read_strings(name, ETH_SS_STATS, names);
    if (status < 0) return status;
    long_command command(sizeof(ethtool_stats), names.size() * sizeof(std::uint64_t));
    auto& list = command.as<ethtool_stats>();
    list.cmd = ETHTOOL_GSTATS;
    list.n_stats = static_cast<std::uint32_t>(names.size());
    status = ask_ethtool(name, &list);
    if (status < 0) return status;
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, command.behind(sizeof(ethtool_stats) + i * sizeof value), sizeof value);
        counters.push_back({names[i], value});
    }
    return 0;
}

int device_has_carrier(const std::string& name) noexcept {
    ifreq request{};
    const int status = ask_kernel(name, SIOCGIFFLAGS, request);
    return status < 0 ? status : (request.ifr_flags & IFF_RUNNING) != 0;
}

std::string kernel_release() {
    utsname names{};
    return ::uname(&names) == 0 ? names.release : "";
}

std::uint32_t page_bytes() noexcept {
    return static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace skein::inline v0::xsk::sys
