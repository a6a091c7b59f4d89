// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target as an ordinary test: over every file of the corpus, over each of them cut at
// every byte, and over seeded mutations of them.
//
//     PROGRAM CORPUS-DIRECTORY [MUTATIONS]
//
// The seed is printed, and SKEIN_SEED repeats it. A target that finds a fault aborts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/seed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using input = std::vector<std::uint8_t>;

constexpr std::size_t default_mutations = 100000;
constexpr std::size_t cut_limit = 512;  // a longer file is cut at its first bytes only

input read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return input(std::istreambuf_iterator<char>(file), {});
}

// In the order of their names, so that a seed means the same run everywhere.
std::vector<input> read_corpus(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        if (entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<input> corpus;
    for (const auto& path : paths)
        corpus.push_back(read_file(path));
    return corpus;
}

// A copy of exactly this size, so that a sanitizer sees every read beyond it.
void run(const input& data, std::size_t size) {
    const input exact(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void run_cut(const input& data) {
    for (std::size_t size = 0; size < std::min(data.size(), cut_limit); ++size)
        run(data, size);
}

void mutate_once(skein::test::random_numbers& random, input& data) {
    if (data.empty()) return data.push_back(static_cast<std::uint8_t>(random.bits()));
    const std::size_t at = random.between(0, data.size() - 1);
    const auto position = data.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.between(0, 4)) {
        case 0:
            data[at] ^= static_cast<std::uint8_t>(1u << random.between(0, 7));
            break;
        case 1:
            data[at] = static_cast<std::uint8_t>(random.bits());
            break;
        case 2:
            data[at] = random.one_in(2) ? 0 : 0xff;
            break;
        case 3:
            data.erase(position);
            break;
        default:
            data.insert(position, static_cast<std::uint8_t>(random.bits()));
    }
}

void run_mutations(const std::vector<input>& corpus, std::size_t count) {
    skein::test::random_numbers random(skein::test::announced_seed("mutations"));
    for (std::size_t i = 0; i < count; ++i) {
        input data = corpus[random.between(0, corpus.size() - 1)];
        for (std::size_t n = random.between(1, 8); n > 0; --n)
            mutate_once(random, data);
        run(data, random.one_in(4) ? random.between(0, data.size()) : data.size());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS-DIRECTORY [MUTATIONS]\n", argv[0]);
        return 2;
    }
    const std::vector<input> corpus = read_corpus(argv[1]);
    if (corpus.empty()) {
        std::fprintf(stderr, "%s: no corpus in %s\n", argv[0], argv[1]);
        return 1;
    }
    for (const input& each : corpus)
        run(each, each.size());
    for (const input& each : corpus)
        run_cut(each);
    const std::size_t mutations =
        argc > 2 ? std::strtoull(argv[2], nullptr, 10) : default_mutations;
    run_mutations(corpus, mutations);
    std::printf("%zu files, %zu mutations\n", corpus.size(), mutations);
    return 0;
}
