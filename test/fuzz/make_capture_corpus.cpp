// SPDX-License-Identifier: Apache-2.0
// make_capture_corpus DIRECTORY: writes the corpus of fuzz_capture, one file for each kind of
// capture and block.
#include <cstdio>
#include <string>

#include "replay/capture_look.hpp"
#include "replay/capture_maker.hpp"

using namespace skein::test;

namespace {

std::string directory;

void save(const char* name, const byte_vector& file, unsigned piece) {
    write_file(directory + "/" + name, behind({static_cast<std::byte>(piece)}, file));
}

void save_pcap() {
    const std::vector<sample> samples{{1'000'000'001, pattern(20)}, {2, {}}, {3, pattern(9), 70}};
    save("pcap_little", make_pcap(samples), 255);
    save("pcap_big", make_pcap(samples, {.order = byte_order::big}), 0);
    save("pcap_ns", make_pcap(samples, {.link = 276, .nanoseconds = true}), 6);
    auto cut = make_pcap(samples);
    cut.pop_back();
    save("pcap_cut", cut, 30);
}

void save_pcapng(const char* name, byte_order order) {
    pcapng_maker file(order);
    const std::vector resolution{std::byte{9}};
    const auto options = file.body().option(2, bytes_of("eth0")).option(9, resolution).bytes();
    const auto offset = file.body().option(14, file.body().u64(~99ull).bytes()).bytes();
    file.interface(1, 0, options).interface(101, 8, offset);
    file.enhanced(0, 7, pattern(13), 20).enhanced(1, 1u << 30, {}).obsolete(0, 9, pattern(6));
    file.other(5, pattern(16)).simple(pattern(5));
    file.section(order == byte_order::big ? byte_order::little : byte_order::big);
    file.interface(1, 0).enhanced(0, 1, pattern(3));
    save(name, file.bytes(), order == byte_order::big ? 0 : 40);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: make_capture_corpus DIRECTORY\n", stderr);
        return 2;
    }
    directory = argv[1];
    save_pcap();
    save_pcapng("pcapng_little", byte_order::little);
    save_pcapng("pcapng_big", byte_order::big);
    save("pcapng_bare", pcapng_maker().bytes(), 1);
    return 0;
}
