// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <getopt.h>
#include <sched.h>
#include <strings.h>

#include <bit>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace xdpsock {

namespace {

constexpr char letters[] = "rtli:q:pSNn:w:O:czf:muMd:b:C:s:P:VJ:K:G:H:T:yW:U:xQaI:BRFh";

constexpr option names[] = {
    {"rxdrop", no_argument, nullptr, 'r'},
    {"txonly", no_argument, nullptr, 't'},
    {"l2fwd", no_argument, nullptr, 'l'},
    {"interface", required_argument, nullptr, 'i'},
    {"queue", required_argument, nullptr, 'q'},
    {"poll", no_argument, nullptr, 'p'},
    {"xdp-skb", no_argument, nullptr, 'S'},
    {"xdp-native", no_argument, nullptr, 'N'},
    {"interval", required_argument, nullptr, 'n'},
    {"retries", required_argument, nullptr, 'O'},
    {"zero-copy", no_argument, nullptr, 'z'},
    {"copy", no_argument, nullptr, 'c'},
    {"frame-size", required_argument, nullptr, 'f'},
    {"no-need-wakeup", no_argument, nullptr, 'm'},
    {"unaligned", no_argument, nullptr, 'u'},
    {"shared-umem", no_argument, nullptr, 'M'},
    {"frags", no_argument, nullptr, 'F'},
    {"duration", required_argument, nullptr, 'd'},
    {"clock", required_argument, nullptr, 'w'},
    {"batch-size", required_argument, nullptr, 'b'},
    {"tx-pkt-count", required_argument, nullptr, 'C'},
    {"tx-pkt-size", required_argument, nullptr, 's'},
    {"tx-pkt-pattern", required_argument, nullptr, 'P'},
    {"tx-vlan", no_argument, nullptr, 'V'},
    {"tx-vlan-id", required_argument, nullptr, 'J'},
    {"tx-vlan-pri", required_argument, nullptr, 'K'},
    {"tx-dmac", required_argument, nullptr, 'G'},
    {"tx-smac", required_argument, nullptr, 'H'},
    {"tx-cycle", required_argument, nullptr, 'T'},
    {"tstamp", no_argument, nullptr, 'y'},
    {"policy", required_argument, nullptr, 'W'},
    {"schpri", required_argument, nullptr, 'U'},
    {"extra-stats", no_argument, nullptr, 'x'},
    {"quiet", no_argument, nullptr, 'Q'},
    {"app-stats", no_argument, nullptr, 'a'},
    {"irq-string", required_argument, nullptr, 'I'},
    {"busy-poll", no_argument, nullptr, 'B'},
    {"reduce-cap", no_argument, nullptr, 'R'},
    {"help", no_argument, nullptr, 'h'},
    {nullptr, 0, nullptr, 0},
};

constexpr char help[] =
    R"(xdpsock -i INTERFACE [OPTION...]: receive, send or return packets by AF_XDP, and count them

What to do
  -r, --rxdrop              receive and drop (default)
  -t, --txonly              send one packet over and over
  -l, --l2fwd               return every packet on the same interface, MAC addresses exchanged

Where and how
  -i, --interface=NAME      the interface
  -q, --queue=N             its queue (0)
  -S, --xdp-skb             generic XDP, and copy mode
  -N, --xdp-native          native XDP or none (default: native, else generic)
  -z, --zero-copy           zero-copy or none (default: zero-copy, else copy)
  -c, --copy                copy mode
  -F, --frags               packets of several frames (multi-buffer)
  -f, --frame-size=BYTES    bytes a frame, 2048 or 4096 (4096)
  -u, --unaligned           frames of any size, on huge pages if there are some
  -M, --shared-umem         one UMEM for up to four queues, from -q on
  -m, --no-need-wakeup      without the driver's need_wakeup flag
  -p, --poll                wait in poll() as soon as there is nothing to do
  -B, --busy-poll           let the kernel poll the device from here
  -b, --batch-size=N        packets a round, 1 to 2048 (64)

What to send, for -t
  -C, --tx-pkt-count=N      packets, then end (0: without end)
  -s, --tx-pkt-size=BYTES   64 to 9728, the FCS counted: 64 puts 60 bytes into the frame (64)
  -P, --tx-pkt-pattern=HEX  32 bits that fill the payload (0x12345678)
  -G, --tx-dmac=MAC         destination (3c:fd:fe:9e:7f:71)
  -H, --tx-smac=MAC         source (ec:b1:d7:98:3a:c0)
  -V, --tx-vlan             with a VLAN tag
  -J, --tx-vlan-id=N        its VLAN, 0 to 4095 (1)
  -K, --tx-vlan-pri=N       its priority, 0 to 7 (0)
  -T, --tx-cycle=USEC       one batch every so many microseconds; not with -p
  -y, --tstamp              number and time of sending in each packet, as pktgen writes them
  -O, --retries=N           seconds to wait for the last packets after -C (3)

How to run and what to say
  -d, --duration=SECONDS    then end (0: without end)
  -n, --interval=SECONDS    between two statistics (1)
  -w, --clock=NAME          MONOTONIC, REALTIME, TAI or BOOTTIME (MONOTONIC)
  -W, --policy=NAME         scheduling, OTHER or FIFO (as started)
  -U, --schpri=N            scheduling priority (as started)
  -R, --reduce-cap          keep no capability but CAP_NET_RAW once set up; not with -M
  -x, --extra-stats         the kernel's drop counters too
  -a, --app-stats           system calls too
  -I, --irq-string=TEXT     interrupts of the line with this text in /proc/interrupts too
  -Q, --quiet               statistics at the end alone
  -h, --help                this text

  xdpsock -i eth0 -q 0 -r -N                 how many packets arrive
  xdpsock -i eth0 -t -s 1518 -C 1000000      a million packets of full size
  xdpsock -i eth0 -l -z -x                   return what arrives, zero-copy or not at all
)";

[[noreturn]] void refuse(int letter, const char* text, const std::string& wanted) {
    throw usage_error(std::string("-") + static_cast<char>(letter) + " " + text + ": " + wanted);
}

template <class Number>
Number number(int letter, std::uint64_t least, std::uint64_t most, int base = 10) {
    std::string_view text = optarg;
    if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
        refuse(letter, optarg,
               base == 16
                   ? "give up to eight hexadecimal digits"
                   : "give a number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<Number>(value);
}

// One or two digits a group, as everywhere in this command's history.
skein::wire::mac_address mac(int letter, const char* text) {
    unsigned groups[6] = {};
    int end = 0;
    const int found = std::sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%n", &groups[0], &groups[1],
                                  &groups[2], &groups[3], &groups[4], &groups[5], &end);
    if (found != 6 || text[end] != '\0') refuse(letter, text, "write it as aa:bb:cc:dd:ee:ff");
    skein::wire::mac_address address;
    for (std::size_t i = 0; i < 6; ++i)
        address.bytes[i] = static_cast<std::byte>(groups[i]);
    return address;
}

clockid_t clock_named(const char* name) {
    constexpr struct {
        const char* name;
        clockid_t id;
    } clocks[] = {{"MONOTONIC", CLOCK_MONOTONIC},
                  {"REALTIME", CLOCK_REALTIME},
                  {"TAI", CLOCK_TAI},
                  {"BOOTTIME", CLOCK_BOOTTIME}};
    for (const auto& clock : clocks)
        if (strcasecmp(clock.name, name) == 0) return clock.id;
    refuse('w', name, "there are MONOTONIC, REALTIME, TAI and BOOTTIME");
}

int policy_named(const char* name) {
    if (strcasecmp(name, "OTHER") == 0) return SCHED_OTHER;
    if (strcasecmp(name, "FIFO") == 0) return SCHED_FIFO;
    refuse('W', name, "there are OTHER and FIFO");
}

// Options without a value.
bool take_switch(int letter, options& given) {
    constexpr struct {
        char letter;
        bool options::*which;
        bool value = true;
    } switches[] = {{'p', &options::poll},
                    {'S', &options::generic},
                    {'N', &options::native},
                    {'z', &options::zero_copy},
                    {'c', &options::copy},
                    {'m', &options::need_wakeup, false},
                    {'F', &options::frags},
                    {'u', &options::unaligned},
                    {'M', &options::several_queues},
                    {'B', &options::busy_poll},
                    {'V', &options::vlan},
                    {'y', &options::timestamps},
                    {'R', &options::reduce_capabilities},
                    {'x', &options::extra_statistics},
                    {'a', &options::application_statistics},
                    {'Q', &options::quiet}};
    for (const auto& known : switches) {
        if (known.letter != letter) continue;
        given.*known.which = known.value;
        return true;
    }
    return false;
}

// Which benchmark, where and how.
bool take_set_up(int letter, options& given) {
    if (letter == 'r') {
        given.what = benchmark::rxdrop;
    } else if (letter == 't') {
        given.what = benchmark::txonly;
    } else if (letter == 'l') {
        given.what = benchmark::l2fwd;
    } else if (letter == 'i') {
        given.interface = optarg;
    } else if (letter == 'q') {
        given.queue = number<std::uint32_t>(letter, 0, 65535);
    } else if (letter == 'f') {
        given.frame_bytes = number<std::uint32_t>(letter, 2048, 4096);
    } else if (letter == 'b') {
        given.batch = number<std::uint32_t>(letter, 1, 2048);
    } else {
        return false;
    }
    return true;
}

// What is sent.
bool take_packet(int letter, options& given) {
    if (letter == 'C') {
        given.packets = number<std::uint64_t>(letter, 0, ~0ull);
    } else if (letter == 's') {
        given.packet_bytes = number<std::uint32_t>(letter, 64, 9728);
    } else if (letter == 'P') {
        given.pattern = number<std::uint32_t>(letter, 0, 0xffffffff, 16);
    } else if (letter == 'J') {
        given.vlan_id = number<std::uint16_t>(letter, 0, 4095);
    } else if (letter == 'K') {
        given.vlan_priority = number<std::uint8_t>(letter, 0, 7);
    } else if (letter == 'G') {
        given.destination = mac(letter, optarg);
    } else if (letter == 'H') {
        given.source = mac(letter, optarg);
    } else if (letter == 'T') {
        given.cycle = std::chrono::microseconds(number<int>(letter, 0, 1u << 30));
    } else if (letter == 'O') {
        given.retries = number<std::uint32_t>(letter, 0, 1u << 20);
    } else {
        return false;
    }
    return true;
}

// How it runs and what it says.
bool take_run(int letter, options& given) {
    if (letter == 'd') {
        given.duration = std::chrono::seconds(number<int>(letter, 0, 1u << 30));
    } else if (letter == 'n') {
        given.interval = std::chrono::seconds(number<int>(letter, 1, 1u << 20));
    } else if (letter == 'w') {
        given.clock = clock_named(optarg);
    } else if (letter == 'W') {
        given.policy = policy_named(optarg);
    } else if (letter == 'U') {
        given.priority = number<int>(letter, 0, 99);
    } else if (letter == 'I') {
        given.interrupt = optarg;
    } else {
        return false;
    }
    return true;
}

void check(const options& given) {
    const auto clash = [](bool both, const char* text) {
        if (both) throw usage_error(text);
    };
    clash(given.interface.empty(), "no interface: name it with -i");
    clash(given.zero_copy && given.copy, "-z and -c exclude each other: zero-copy or copy");
    clash(given.zero_copy && given.generic, "-z and -S exclude each other: generic XDP copies");
    clash(given.several_queues && given.reduce_capabilities, "-M and -R exclude each other");
    clash(given.unaligned && given.zero_copy,
          "-u and -z exclude each other: unaligned frames are for copy mode");
    clash(given.what == benchmark::txonly && given.poll && given.cycle.count() != 0,
          "-p and -T exclude each other: the cycle says when to wake up");
    clash(!given.unaligned && !std::has_single_bit(given.frame_bytes),
          "a frame of -f bytes must be a power of two, 2048 or 4096, unless -u is given");
}

}  // namespace

std::optional<options> parse(int argc, char** argv) {
    options given;
    given.destination = mac('G', "3c:fd:fe:9e:7f:71");
    given.source = mac('H', "ec:b1:d7:98:3a:c0");
    for (int letter; (letter = getopt_long(argc, argv, letters, names, nullptr)) != -1;) {
        if (letter == 'h') {
            std::fputs(help, stdout);
            return std::nullopt;
        }
        // getopt has said which one it does not know.
        if (letter == '?') throw usage_error("xdpsock --help lists the options");
        take_switch(letter, given) || take_set_up(letter, given) || take_packet(letter, given) ||
            take_run(letter, given);
    }
    if (optind < argc) throw usage_error(std::string("what is '") + argv[optind] + "'?");
    check(given);
    return given;
}

}  // namespace xdpsock
