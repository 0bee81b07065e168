// SPDX-License-Identifier: Apache-2.0
// The language as tables: its words, keys and forms, each with what it is and an example. Names are looked up in them, errors
// suggest from them, and the language's reference is printed from them (tools/commands/language_command.cpp), so that none can say more than another.
//
// An example is what a tweak of example_game() would say, in TOML's dotted keys; a test compiles all of them.
// Thread-safety: constant tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plenum {

struct Word {
  std::string name;
  std::string usage;    // how it is written
  std::string meaning;  // a sentence
  std::string example;
  bool is_function = false;
  bool on_boards = false;  // belongs to some board shapes only
};
const std::vector<Word>& words();

// A key of a table of the description: "move", "end", ...
struct TableKey {
  std::string table;
  std::string name;
  std::string takes;  // "cells", "a truth value", "a list of kinds"
  std::string meaning;
  std::string example;
};
const std::vector<TableKey>& keys();
std::vector<std::string> keys_of(std::string_view table);

// Operators, effects, and other forms that are not a single word.
struct Form {
  std::string usage;
  std::string meaning;
  std::string example;
};
const std::vector<Form>& operators();
const std::vector<Form>& effects();

// What people look for and the language does not have: a word or key, and why not or what to write instead.
struct Absent {
  std::string name;
  std::string reason;
};
const std::vector<Absent>& absent();
// The reason why `name` is not there, or "".
std::string why_absent(std::string_view name);

// The game that the examples tweak.
const std::string& example_game();
// The one that examples of the tables "piece" and "play" tweak.
const std::string& example_piece_game();
// Whether a key belongs to piece games.
bool of_pieces(const TableKey& key);

}  // namespace plenum
