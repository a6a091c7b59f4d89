// SPDX-License-Identifier: Apache-2.0
// A peer's library, loaded to be measured beside skein, named by --peer KIND=PATH.
//
// skein is not built with the libraries it is compared to: who wants the comparison names a shared
// object, and the bench looks up the functions it needs. The object stays loaded as long as a copy
// of the peer_library lives; functions taken from it must not outlive it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skein::tool {

class peer_library {
  public:
    // Throws usage_failure, naming the loader's words, where PATH cannot be loaded.
    peer_library(std::string kind, const std::string& path);

    const std::string& kind() const noexcept { return kind_; }

    // The function of that name; throws usage_failure where the object has none.
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(find(name));
    }

  private:
    void* find(const char* name) const;

    std::string kind_;
    std::string path_;
    std::shared_ptr<void> handle_;
};

// The libraries of a command line, by kind.
using peer_libraries = std::map<std::string, peer_library, std::less<>>;

// Loads "isal=libisal.so.2" and the like. Throws usage_failure where a KIND is none of those known
// or comes twice.
peer_libraries load_peers(const std::vector<std::string>& texts,
                          const std::vector<std::string>& known);

}  // namespace skein::tool
