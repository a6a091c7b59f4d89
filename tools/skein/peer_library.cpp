// SPDX-License-Identifier: Apache-2.0
#include "peer_library.hpp"

#include <dlfcn.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.hpp"

namespace skein::tool {

peer_library::peer_library(std::string kind, const std::string& path)
    : kind_(std::move(kind)), path_(path) {
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        throw usage_failure(fmt::format("cannot load the peer {}: {}", kind_, ::dlerror()),
                            "name a shared object: a file by its path, or an installed library");
    handle_ = std::shared_ptr<void>(handle, [](void* library) { ::dlclose(library); });
}

void* peer_library::find(const char* name) const {
    void* symbol = ::dlsym(handle_.get(), name);
    if (symbol == nullptr)
        throw usage_failure(fmt::format("{} has no function {}", path_, name),
                            fmt::format("is it a library for --peer {}=…?", kind_));
    return symbol;
}

peer_libraries load_peers(const std::vector<std::string>& texts,
                          const std::vector<std::string>& known) {
    peer_libraries loaded;
    for (const auto& text : texts) {
        const auto equals = text.find('=');
        const auto kind = text.substr(0, equals);
        if (std::find(known.begin(), known.end(), kind) == known.end() ||
            equals == std::string::npos)
            throw usage_failure("no such peer: " + text,
                                fmt::format("known here: {}=PATH", fmt::join(known, "=PATH, ")));
        if (!loaded.try_emplace(kind, kind, text.substr(equals + 1)).second)
            throw usage_failure(fmt::format("the peer {} is named twice", kind), "name it once");
    }
    return loaded;
}

}  // namespace skein::tool
