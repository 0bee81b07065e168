// SPDX-License-Identifier: Apache-2.0
// The texts before and behind a table, as they are written and as they are read: typed, checked once, never an exception.
//
// Both are JSON objects with exactly the keys below, in this order and on one line, each of its type. Anything else is a damaged
// table (kDataLoss, naming the file, what is wrong, and what to do).
// The header: "version", "program" (that wrote it), "variant", "board", "hash" (of "game"), "game" (the canonical text of description,
// options and board), "description" (a text that parse_description takes), "settings" (of the options that are not as the
// description has them), "method" (solver/method/method.h), and where the table is of a game and not of a part of one
// "boards" and "states" (Result::shape).
// The footer: "hash" once more, so that no footer stands behind the layers of another game; "summary" (summary_text.h), null of a part.
//
// Of a table of another version only the version is read, and what helps to go on: kResourceExhausted, a limit of this program.
//
// Thread-safety: no state.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "solver/method/method.h"
#include "tables/file/json_text.h"

namespace plenum {

// Of what a table says. It changes when some table would say something else, and tables of before are not read.
//     1   the first; wrong about who has no move after a pass
//     2   "states" were positions a board
//     3   the footer had the result as it was printed, as a page and as JSON
//     4   the footer did not say of which game it is
//     5   tables of bits had no counts by margin
inline constexpr int kTableVersion = 6;

struct TableHeader {
  std::string program;
  std::string variant;
  std::string board;
  std::string hash;
  std::string game;
  std::string description;
  std::map<std::string, std::string> settings;
  const Method* method = nullptr;  // never null once read
  TableShape shape;                // not of a part
};

std::string to_text(const TableHeader& header);
std::string footer_text(const TableHeader& header, const Json& summary);

absl::StatusOr<TableHeader> read_table_header(const std::string& path, std::string_view text);
// The summary as it stands there: an object, or null of a part.
absl::StatusOr<Json> read_table_footer(const std::string& path, std::string_view text, const TableHeader& header);

// A command that makes such a table anew: what of it is known; the rest in capitals, for a person to fill in.
struct SolveAgain {
  std::string variant;  // as the command line takes it
  std::string board;
  std::map<std::string, std::string> settings;
  const Method* method = nullptr;
};
// "remove it and solve again: rm ...".
std::string way_to_go_on(const std::string& path, const SolveAgain& again);

}  // namespace plenum
