// SPDX-License-Identifier: Apache-2.0
// Errors of loading and attaching, turned into what went wrong and what helps.
#pragma once

#include <string>

#include <skein/xsk/error.hpp>
#include <skein/xsk/program.hpp>

#include "interface.hpp"

namespace skein::inline v0::xsk {

struct explanation {
    std::string cause;
    std::string remedy;
};

// Why attaching in this mode may fail with this errno value; empty where that is not known.
explanation explain_attach(int error_number, xdp_mode mode, const interface_facts& on);

setup_error attach_error(int error_number, xdp_mode mode, const interface_facts& on,
                         const std::string& log);
setup_error load_error(int error_number, const interface_facts& on, const std::string& log);

}  // namespace skein::inline v0::xsk
