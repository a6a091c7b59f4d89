// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <cerrno>
#include <string>

#include <skein/xsk/error.hpp>
#include <skein/xsk/umem.hpp>

#include "support/catch.hpp"
#include "support/fake_kernel.hpp"
#include "support/ledger_check.hpp"

using namespace skein;
using namespace skein::test;
using xsk::setup_error;
using xsk::umem;

TEST_CASE("a umem is page-aligned memory in frames, all free") {
    fake_kernel kernel;
    const umem memory({.frames = 10, .chunk_bytes = 2048});
    CHECK(reinterpret_cast<std::uintptr_t>(memory.area().data(frame_id{0})) % 4096 == 0);
    CHECK(memory.area().frames() == 10);
    CHECK(memory.area().size_bytes() == 20480);
    CHECK(memory.ledger().free == 10);
    CHECK(memory.ledger().balanced());
    CHECK(memory.pages() == "4 KiB pages");
    CHECK_FALSE(memory.huge_pages());
    ledger_check(kernel, memory);
}

TEST_CASE("chunk sizes the kernel would refuse are refused with the choice there is") {
    fake_kernel kernel;
    for (const std::uint32_t chunk : {0u, 1u, 1024u, 8192u, 0x80000000u}) {
        try {
            umem memory({.frames = 4, .chunk_bytes = chunk});
            FAIL("chunk " << chunk);
        } catch (const setup_error& error) {
            CHECK(error.remedy() == "choose 2048 or 4096 bytes");
        }
    }
    CHECK_THROWS_AS(umem({.frames = 0}), setup_error);
    CHECK(kernel.calls(call::map_memory) == 0);
}

TEST_CASE("a size that only unaligned chunks may have names them") {
    fake_kernel kernel;
    for (const std::uint32_t chunk : {2049u, 3000u, 3072u, 4095u}) {
        try {
            umem memory({.frames = 4, .chunk_bytes = chunk});
            FAIL("chunk " << chunk);
        } catch (const setup_error& error) {
            CHECK(error.remedy() == "choose 2048 or 4096 bytes, or unaligned chunks");
        }
        CHECK(umem({.frames = 4, .chunk_bytes = chunk, .unaligned = true}).area().chunk_bytes() ==
              chunk);
    }
    for (const std::uint32_t chunk : {0u, 2047u, 4097u, 8192u, 0x80000000u}) {
        try {
            umem memory({.frames = 4, .chunk_bytes = chunk, .unaligned = true});
            FAIL("chunk " << chunk);
        } catch (const setup_error& error) {
            CHECK(error.remedy() == "choose 2048 to 4096 bytes");
        }
    }
}

TEST_CASE("headroom is bounded by what the kernel keeps for itself") {
    fake_kernel kernel;
    for (const bool unaligned : {false, true}) {
        const auto with = [&](std::uint32_t headroom) {
            return umem({.frames = 4,
                         .chunk_bytes = 2048,
                         .unaligned = unaligned,
                         .headroom_bytes = headroom});
        };
        CHECK(with(0).room_bytes() == 1792);
        CHECK(with(1).room_bytes() == 1664);  // newer kernels round down to 128
        CHECK(with(2048 - 704).room_bytes() == 448 / 128 * 128);
        try {
            with(2048 - 703);
            FAIL("it fits");
        } catch (const setup_error& error) {
            CHECK(error.remedy() == "choose at most 1344 bytes");
        }
        CHECK_THROWS_AS(with(0xffffffff), setup_error);
    }
}

TEST_CASE("huge pages are used where they are reserved, in whole pages") {
    fake_kernel kernel({.huge_page_bytes = std::uint64_t{4} << 20});
    const umem memory({.frames = 1000, .chunk_bytes = 4096, .huge_pages = true});
    CHECK(memory.huge_pages());
    CHECK(memory.pages() == "2 MiB huge pages");
    CHECK(memory.area().size_bytes() == 1000 * 4096);
}

TEST_CASE("huge pages that are not to be had are reported, and normal ones used") {
    fake_kernel kernel;
    const umem memory({.frames = 1000, .chunk_bytes = 4096, .huge_pages = true});
    CHECK_FALSE(memory.huge_pages());
    CHECK(memory.pages().find("reserve 2 with vm.nr_hugepages") != std::string::npos);
    CHECK(memory.pages().find("ENOMEM") != std::string::npos);
}

TEST_CASE("memory that cannot be mapped is an error with a remedy") {
    fake_kernel kernel;
    kernel.fail(call::map_memory, ENOMEM);
    try {
        umem memory({.frames = 4096});
        FAIL("it mapped");
    } catch (const setup_error& error) {
        CHECK(error.error_number() == ENOMEM);
        CHECK(error.remedy() == "ask for fewer frames");
    }
    CHECK(kernel.mappings() == 0);
}

TEST_CASE("more memory than there is is refused before any is touched") {
    fake_kernel kernel({.available_bytes = 1 << 20});
    try {
        umem memory({.frames = 257, .chunk_bytes = 4096});
        FAIL("257 frames of 4096 bytes in 1 MiB");
    } catch (const setup_error& error) {
        CHECK(error.error_number() == ENOMEM);
        CHECK(std::string(error.what()).find("1052672 bytes of frames, and 1048576 available") !=
              std::string::npos);
        CHECK(error.remedy() == "ask for fewer frames");
    }
    CHECK(kernel.calls(call::map_memory) == 0);
    CHECK_THROWS_AS(umem({.frames = 225}), setup_error);  // an eighth is left to others
    CHECK(umem({.frames = 224, .chunk_bytes = 4096}).ledger().free == 224);
}

TEST_CASE("sizes are computed in 64 bits: 4 GiB are 4 GiB") {
    frame_area area(nullptr, 1u << 20, 4096);
    CHECK(area.size_bytes() == std::uint64_t{1} << 32);
    CHECK(area.address_of(frame_id{(1u << 20) - 1}) == (std::uint64_t{1} << 32) - 4096);
    CHECK(area.frame_at((std::uint64_t{1} << 32) - 1) == frame_id{(1u << 20) - 1});
    CHECK_FALSE(area.frame_at(std::uint64_t{1} << 32));
}

TEST_CASE("bookkeeping costs at most 64 bytes a frame") {
    CHECK(umem::bookkeeping_bytes_per_frame() <= 64);
    CHECK(umem::bookkeeping_bytes_per_frame() == frame_pool::bytes_per_frame);
}
