// SPDX-License-Identifier: Apache-2.0
// Small packets that are understood, behind every link layer a capture may have.
#pragma once

#include <nlohmann/json.hpp>

#include "replay/capture_maker.hpp"
#include "replay/tool_process.hpp"

namespace skein::test {

// IPv4, 10.0.0.1 to 10.0.0.2; the header checksum is left 0 (the parser does not look at it).
inline byte_vector ipv4_packet(std::uint8_t protocol, const byte_vector& content) {
    byte_maker ip(byte_order::big);
    ip.u16(0x4500).u16(20 + content.size()).u32(0x00010000).u16(0x4000u | protocol).u16(0);
    return ip.u32(0x0a000001).u32(0x0a000002).raw(content).bytes();
}

inline byte_vector udp_ipv4(std::size_t payload = 32) {
    byte_maker udp(byte_order::big);
    udp.u16(1000).u16(2000).u16(8 + payload).u16(0).raw(pattern(payload));
    return ipv4_packet(17, udp.bytes());
}

inline byte_vector udp_ipv6(std::size_t payload = 32) {
    byte_maker ip(byte_order::big);
    ip.u32(0x60000000).u16(8 + payload).u16(0x1140);
    ip.u64(0xfd00000000000000).u64(1).u64(0xfd00000000000000).u64(2);
    ip.u16(1000).u16(2000).u16(8 + payload).u16(1).raw(pattern(payload));
    return ip.bytes();
}

inline byte_vector ethernet(const byte_vector& ip, std::uint16_t type = 0x0800) {
    byte_maker header(byte_order::big);
    return header.u32(0x02000000).u32(0x00010200).u32(0x00000002).u16(type).raw(ip).bytes();
}

// A UDP packet as a capture of this link type holds it.
inline byte_vector packet_of_link(std::uint32_t link) {
    byte_maker header(byte_order::big);
    switch (link) {
        case 0:
            return behind(byte_maker(byte_order::little).u32(2).bytes(), udp_ipv4());
        case 108:
            return behind(header.u32(2).bytes(), udp_ipv4());
        case 1:
            return ethernet(udp_ipv4());
        case 113:
            header.u16(0).u16(1).u16(6).u64(0x0200000000010000).u16(0x0800);
            return behind(header.bytes(), udp_ipv4());
        case 276:
            header.u16(0x0800).u16(0).u32(2).u16(1).u16(6).u64(0x0200000000010000);
            return behind(header.bytes(), udp_ipv4());
        case 229:
            return udp_ipv6();
        default:
            return udp_ipv4();
    }
}

// Runs `skein replay ARGUMENTS --json`, which must succeed, and returns its report.
inline nlohmann::ordered_json replay_report_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "replay");
    arguments.push_back("--json");
    const auto ran = run_skein(arguments);
    if (ran.code != 0) throw std::runtime_error("exit code " + std::to_string(ran.code) + ran.err);
    return nlohmann::ordered_json::parse(ran.out);
}

}  // namespace skein::test
