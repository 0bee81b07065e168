// SPDX-License-Identifier: Apache-2.0
// What every command takes: which game on which board, how many threads, how much memory, how to report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/cluster/ranks.h"
#include "variants/rules/variant.h"

namespace plenum {

struct GameArguments {
  std::string variant;                // a file, or a name in the data folder
  std::string board;                  // empty: the variant's
  std::vector<std::string> settings;  // "name=value"
};

// In place of the name of a method: the one that the game takes.
inline constexpr const char* kAuto = "auto";

struct RunArguments {
  int threads = 0;      // 0: all cores
  std::string memory;   // empty: four fifths of the machine's, or of its share of them for each of several ranks
  std::string scratch;  // a folder for large arrays; empty: they are in memory
  std::string progress = "auto";  // auto, plain, json, none
  bool json = false;
  Ranks* ranks = &Ranks::alone();  // that solve it together
};

// What the user calls the program by, for commands that are suggested: PLENUM_COMMAND, or "plenum".
std::string command_name();

// As a text has to be typed for a shell to take it as one word; and a game with its board and settings, as it was asked for.
std::string shell_word(const std::string& text);
std::string as_typed(const GameArguments& game);

// Where variants/ and bench.json are: PLENUM_DATA; or, of an installed program, ../share/plenum from where it stands, so that
// what is installed may be moved as a whole; or the folder the program was built from.
std::string data_folder();

// The board and the settings that are asked for.
absl::Status set_options(Description& game, const GameArguments& arguments);
absl::StatusOr<Description> load_game(const GameArguments& arguments);
// Whether the file begins like a table of a solved game, which is not for load_game.
bool is_table(const std::string& path);
absl::Status set_board(Description& game, const std::string& board);
absl::StatusOr<Variant> make_game(const GameArguments& arguments);

// "500M", "2G", "1.5GiB", or bytes.
absl::StatusOr<std::uint64_t> memory_limit(const RunArguments& arguments);

}  // namespace plenum
