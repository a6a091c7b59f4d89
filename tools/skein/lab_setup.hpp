// SPDX-License-Identifier: Apache-2.0
// Carrying out the lab's plan, and taking the lab down again.
//
// Up is all or nothing: a step that fails, or an interrupt between two steps, takes down what this
// run had made and nothing else. Down removes the namespaces by name; it may be repeated.
#pragma once

#include <string>
#include <vector>

#include "lab_namespace.hpp"
#include "lab_plan.hpp"

namespace skein::tool {

// Runs the steps in order. Throws command_failure where a lab, or a part of one, is already there,
// and with the failing command where a step fails.
void bring_up(const std::vector<lab_step>& plan);

struct removal {
    std::vector<std::string> spaces;       // namespaces that were there and are gone now
    std::vector<inhabitant> still_inside;  // processes that keep a namespace without a name alive
};

// Deletes the veth pairs first, so that no device outlives the lab where a process stays inside.
removal take_down();

}  // namespace skein::tool
