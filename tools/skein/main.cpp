// SPDX-License-Identifier: Apache-2.0
// The skein command. Everything is in program.cpp and the commands it lists.
#include "program.hpp"

int main(int argc, char** argv) {
    return skein::tool::run_program(argc, argv, skein::tool::all_commands());
}
