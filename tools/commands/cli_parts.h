// SPDX-License-Identifier: Apache-2.0
// Options that several commands have in common.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "tools/console/game_arguments.h"

namespace plenum {

// An empty text is rather a script's unset variable than the wish for what is taken when nothing is given.
const CLI::Validator& filled();
void add_game(CLI::App& command, GameArguments& game);
void add_threads_and_memory(CLI::App& command, RunArguments& run);
void add_scratch(CLI::App& command, RunArguments& run);
void add_progress(CLI::App& command, RunArguments& run);
// These, progress, and JSON.
void add_run(CLI::App& command, RunArguments& run);
// Where a command begins that otherwise begins at the game's start.
void add_begin(CLI::App& command, std::string& position, std::string& moves);

}  // namespace plenum
