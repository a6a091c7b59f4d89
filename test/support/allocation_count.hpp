// SPDX-License-Identifier: Apache-2.0
// Counts what a piece of code allocates: operator new, malloc and its kin, mmap.
//
//     allocation_count::start();
//     …
//     CHECK(allocation_count::stop() == 0);
//
// A program that links allocation_count.cpp has the C library's functions replaced by counting ones
// that go on to the real ones. Under a sanitizer, which replaces them itself, only operator new is
// counted. One thread.
#pragma once

#include <cstdint>

namespace skein::test::allocation_count {

void start() noexcept;
std::uint64_t stop() noexcept;  // since start()
// What it can see here: proof that the guard is awake.
bool counts_malloc() noexcept;

}  // namespace skein::test::allocation_count
