// SPDX-License-Identifier: Apache-2.0
// Running another program without a shell: arguments in, status and what it printed out.
//
// The child's stdin is empty, its stdout and stderr are collected.
#pragma once

#include <string>
#include <vector>

namespace skein::tool {

struct process_result {
    int status = 0;  // as the shell counts: the exit code, or 128 + signal
    std::string out;
    std::string err;
};

// Makes sure that the programs the lab works with are there; throws command_failure naming the
// Debian package of one that is not. The system directories, which `su` without a dash leaves out
// of root's PATH, are added to it first.
void require_programs();

// Throws command_failure where the program cannot be started. A status other than 0 is the caller's
// business.
process_result run_process(const std::vector<std::string>& argv);

// As above, but any status other than 0 throws command_failure with the command and its stderr.
std::string run_or_fail(const std::vector<std::string>& argv);

}  // namespace skein::tool
