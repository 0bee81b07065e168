// SPDX-License-Identifier: Apache-2.0
// The command line: one table of commands and options, from which parser and help are made (CLI11).
#pragma once

namespace plenum {

// Runs the command that the arguments name; returns the exit code (exit_codes.h). Lets no exception out.
int run_cli(int argc, char** argv);

}  // namespace plenum
