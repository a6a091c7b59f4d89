// SPDX-License-Identifier: Apache-2.0
// The XDP program on a device: loaded, attached, fed with sockets and rules, and taken away again.
//
//     redirect_program program({.interface = "veth0", .rules = {parse_rule("take udp port 53")},
//                               .otherwise = default_action::nothing});
//     program.insert_socket(0, socket_fd);
//
// One program serves all queues of one device. A packet that the rules want goes to the socket of
// its RX queue; where none sits there, and for everything else, it goes on to the kernel. Rules are
// exchanged as a whole: no packet ever meets half of a new set.
//
// Attaching is negotiated and its outcome is a value, attach_result, to be shown to the user:
//
//     mode     native (in the driver), or generic (after the kernel built its own packet)
//     method   link        leaves with the process, also after kill -9
//              dispatcher  a component of libxdp's dispatcher, beside other programs; used on
//                          request, or where a dispatcher already runs on the device
//              single      libxdp could not run its dispatcher and attached the program alone
//
// The last two stay on the device after kill -9. Every program carries a record of its owner, so
// the next start removes those of ours whose owner is gone, and nothing else. Any other program on
// the device is refused by name unless `replace` is set.
//
// Metadata: on request the program writes what is known of a packet beside its bytes in front of
// them (<skein/rx_metadata.hpp>). In native mode that is what the device tells; the program is then
// loaded for that device alone, which Linux 6.8 and newer can do, for drivers that support it. In
// generic mode it is how the kernel would have cut a super packet (Linux 6.2, CAP_PERFMON). Neither
// through libxdp. What came of it is in attach_result.
//
// Needs CAP_NET_ADMIN and CAP_BPF; for `replace`, for leftovers and beside a dispatcher
// CAP_SYS_ADMIN too, since only that opens programs by their id. Works from Linux 5.18 on.
//
// Ownership: the object holds the program, its maps and the attachment; sockets stay the caller's
// and must outlive their entry only as long as they want packets (a closed socket leaves the map by
// itself). Set-up throws setup_error. An object is not for use by several threads at once; but
// set_rules, verdicts and the socket functions never disturb the data path. libbpf's and libxdp's
// messages are not printed: what they said is in the cause of the error.
//
// Network namespace: the device's can be named; where it is not, everything acts in the one the
// calling thread is in, and detach() of a program that libxdp attached must run there, too.
//
// Sources: Linux 6.12 net/core/dev.c (dev_xdp_attach), net/xdp/xskmap.c, kernel/bpf/map_in_map.c.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <skein/export.hpp>
#include <skein/xsk/bind_plan.hpp>
#include <skein/xsk/rules.hpp>

namespace skein::inline v0::xsk {

// Asked for: any tries native first, then generic. Obtained: never any.
enum class xdp_mode : std::uint8_t { any, native, generic };

// Asked for: link or dispatcher. Obtained: any of the three.
enum class attach_method : std::uint8_t { link, dispatcher, single };

// What the program writes in front of each packet it takes: nothing; time stamp, hash and VLAN tag
// from the device (native mode); how to cut super packets (generic mode).
enum class metadata_kind : std::uint8_t { none, device, segments };

SKEIN_EXPORT std::string_view to_string(xdp_mode mode) noexcept;
SKEIN_EXPORT std::string_view to_string(attach_method method) noexcept;
// "no RX metadata" and so on.
SKEIN_EXPORT std::string_view to_string(metadata_kind kind) noexcept;

struct program_options {
    std::string interface;
    std::string network_namespace = {};  // the device's; empty: the caller's own
    xdp_mode mode = xdp_mode::any;
    attach_method method = attach_method::link;
    bool replace = false;  // take the place of a program that is not ours
    std::uint32_t queue_count =
        0;  // RX queues that can have a socket; 0: as many as the device has
    std::vector<rule> rules = {};
    default_action otherwise = default_action::everything;
    // automatic: what there is; required: what the device tells, in native mode, or an error.
    choice rx_metadata = choice::forbidden;
};

struct attach_result {
    xdp_mode mode = xdp_mode::native;
    attach_method method = attach_method::link;
    metadata_kind metadata = metadata_kind::none;
    std::uint32_t program_id = 0;
    std::vector<std::string> notes = {};  // why it is not what was asked for; what was removed
};

// "native, link, program 12", and a line more for each note.
SKEIN_EXPORT std::string to_string(const attach_result& result);

// Why a packet went where it went. Each counts once.
enum class verdict_reason : std::uint8_t {
    taken_by_rule,
    taken_fragment,  // by a take rule whose ports the fragment does not show
    taken_by_default,
    passed_by_rule,
    passed_by_default,
    passed_unparsed,   // by default, with headers cut, invalid or too deep
    passed_no_socket,  // to be taken, but no socket sits on the queue
};
inline constexpr std::size_t verdict_reasons = 7;

// "taken_by_rule" and so on.
SKEIN_EXPORT std::string_view to_string(verdict_reason reason) noexcept;

struct verdict_counts {
    std::array<std::uint64_t, verdict_reasons> packets{};

    std::uint64_t operator[](verdict_reason reason) const noexcept {
        return packets[static_cast<std::size_t>(reason)];
    }
    std::uint64_t taken() const noexcept { return packets[0] + packets[1] + packets[2]; }
    std::uint64_t passed() const noexcept {
        return packets[3] + packets[4] + packets[5] + packets[6];
    }
    verdict_counts& operator+=(const verdict_counts& other) noexcept {
        for (std::size_t i = 0; i < verdict_reasons; ++i)
            packets[i] += other.packets[i];
        return *this;
    }
    bool operator==(const verdict_counts&) const noexcept = default;
};

class SKEIN_EXPORT redirect_program {
  public:
    // Loads and attaches. Throws setup_error; nothing stays behind then.
    explicit redirect_program(const program_options& options);
    redirect_program(redirect_program&&) noexcept;
    redirect_program& operator=(redirect_program&&) noexcept;  // detaches what it held
    ~redirect_program();                                       // detach()

    const attach_result& attached() const noexcept;
    const std::string& interface() const noexcept;
    std::uint32_t queue_count() const noexcept;

    // The socket gets the queue's packets once it is bound to that queue. Throws setup_error.
    void insert_socket(std::uint32_t queue, int socket_fd);
    // The queue's packets go to the kernel again. No effect where there is no socket.
    void remove_socket(std::uint32_t queue) noexcept;

    // Puts a new rule set in force, at once and as a whole. When it returns, no packet is being
    // judged by the old one any more. Throws setup_error; the old set stays in force then.
    void set_rules(std::span<const rule> rules, default_action otherwise);

    // Since attaching, all CPUs together. Zero for a queue the program does not know.
    verdict_counts verdicts(std::uint32_t queue) const;
    verdict_counts verdicts() const;  // all queues together

    // The program's file descriptor, which stays this object's: for test runs and inspection.
    int file_descriptor() const noexcept;

    // Takes this program off the device, and nothing else. Safe to repeat. Verdicts can still be
    // read.
    void detach() noexcept;

  private:
    class implementation;
    std::unique_ptr<implementation> self_;
};

// Whose program it is. `unknown`: the caller may not look inside (CAP_SYS_ADMIN).
enum class program_owner : std::uint8_t { foreign, ours_alive, ours_dead, unknown };

struct attached_program {
    std::uint32_t id = 0;
    std::string name = {};  // empty where the caller may not ask
    xdp_mode mode = xdp_mode::native;
    bool offloaded = false;      // runs in the device; mode means nothing then
    bool in_dispatcher = false;  // a component of libxdp's dispatcher
    program_owner owner = program_owner::foreign;
    std::uint32_t process_id = 0;  // of ours
};

// "program 12 "xdp_pass" (native)"
SKEIN_EXPORT std::string to_string(const attached_program& program);

// Every XDP program on a device; a dispatcher is listed by its components. Throws setup_error.
SKEIN_EXPORT std::vector<attached_program> attached_programs(
    const std::string& interface, const std::string& network_namespace = {});

// The counters of a program of ours, queue by queue, whoever runs it; empty where it is not ours or
// may not be looked into.
SKEIN_EXPORT std::vector<verdict_counts> queue_verdicts(std::uint32_t program_id);

// Removes our programs whose owner is gone, and nothing else; returns those. An owner in another
// pid namespace cannot be asked after and counts as alive. Throws setup_error.
SKEIN_EXPORT std::vector<attached_program> remove_leftovers(
    const std::string& interface, const std::string& network_namespace = {});

}  // namespace skein::inline v0::xsk
