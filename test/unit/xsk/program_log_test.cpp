// SPDX-License-Identifier: Apache-2.0
#include "program_log.hpp"

#include <bpf/libbpf.h>
#include <xdp/libxdp.h>

#include <atomic>
#include <thread>

#include "support/catch.hpp"

using skein::xsk::log_capture;

namespace {

std::atomic<int> said_elsewhere = 0;

int elsewhere(libbpf_print_level, const char*, va_list) {
    return ++said_elsewhere;
}

// Makes libbpf say something: there is no such file.
void provoke() {
    auto* object = ::bpf_object__open("/nonexistent/object.o");
    CHECK(object == nullptr);
}

class callback_of_the_host {
  public:
    callback_of_the_host() : before_(::libbpf_set_print(elsewhere)) { said_elsewhere = 0; }
    ~callback_of_the_host() { ::libbpf_set_print(before_); }

  private:
    libbpf_print_fn_t before_;
};

}  // namespace

TEST_CASE("what libbpf says is kept, and the host's callback is put back") {
    const callback_of_the_host host;
    {
        const log_capture log;
        provoke();
        CHECK_THAT(log.text(), Catch::Contains("/nonexistent/object.o"));
        CHECK(said_elsewhere == 0);
    }
    provoke();
    CHECK(said_elsewhere > 0);
}

TEST_CASE("captures nest: the inner one hears, then the outer one again") {
    const callback_of_the_host host;
    const log_capture outer;
    {
        const log_capture inner;
        provoke();
        CHECK_FALSE(inner.text().empty());
    }
    CHECK(outer.text().empty());
    provoke();
    CHECK_FALSE(outer.text().empty());
    CHECK(said_elsewhere == 0);
}

TEST_CASE("another thread's messages go where they went before") {
    const callback_of_the_host host;
    const log_capture log;
    std::thread(provoke).join();
    CHECK(log.text().empty());
    CHECK(said_elsewhere > 0);
}

TEST_CASE("threads may capture at once, each its own") {
    const callback_of_the_host host;
    std::atomic<int> heard = 0;
    const auto work = [&] {
        for (int i = 0; i < 200; ++i) {
            const log_capture log;
            auto* object = ::bpf_object__open("/nonexistent/object.o");
            heard += object == nullptr && !log.text().empty();
        }
    };
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    CHECK(heard == 400);
    provoke();
    CHECK(said_elsewhere > 0);
}

TEST_CASE("a callback set while a capture lives stays") {
    const auto before = ::libbpf_set_print(nullptr);
    {
        const log_capture log;
        ::libbpf_set_print(elsewhere);
    }
    CHECK(::libbpf_set_print(before) == elsewhere);
}

TEST_CASE("only the last lines of a long message are kept") {
    log_capture log;
    std::string message;
    for (int i = 0; i < 1000; ++i)
        message += "line " + std::to_string(i) + "\n";
    log.add(message);
    const auto text = log.text();
    CHECK_THAT(text, Catch::EndsWith("line 999"));
    CHECK_THAT(text, Catch::StartsWith("line 988\n"));
}
