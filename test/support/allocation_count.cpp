// SPDX-License-Identifier: Apache-2.0
#include "support/allocation_count.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/fake_kernel.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKEIN_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SKEIN_TEST_SANITIZED 1
#endif
#endif

namespace {

bool counting = false;
std::uint64_t seen = 0;

// What happens inside a system call is the fake kernel's.
void note() noexcept {
    if (counting && !skein::test::fake_kernel::inside()) ++seen;
}

void* allocate(std::size_t bytes) noexcept {
    note();
    const bool before = counting;
    counting = false;  // once, not again in malloc
    void* memory = std::malloc(bytes);
    counting = before;
    return memory;
}

}  // namespace

namespace skein::test::allocation_count {

void start() noexcept {
    seen = 0;
    counting = true;
}

std::uint64_t stop() noexcept {
    counting = false;
    return seen;
}

bool counts_malloc() noexcept {
#ifdef SKEIN_TEST_SANITIZED
    return false;
#else
    return true;
#endif
}

}  // namespace skein::test::allocation_count

void* operator new(std::size_t bytes) {
    if (void* memory = allocate(bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

#ifndef SKEIN_TEST_SANITIZED
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) {
    note();
    return __libc_malloc(bytes);
}
void* calloc(std::size_t n, std::size_t bytes) {
    note();
    return __libc_calloc(n, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
    note();
    return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    note();
    return __libc_memalign(alignment, bytes);
}
void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    note();
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

}  // extern "C"
#endif
