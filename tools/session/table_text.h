// SPDX-License-Identifier: Apache-2.0
// The texts before and behind a table, as they are written and as they are read: typed, checked once, never an exception.
//
// Both are JSON objects with exactly the keys below, in this order and on one line, each of its type. Anything else is a damaged table (kDataLoss, naming the file, what
// is wrong, and what to do). The header: "version", "program" (that wrote it), "variant", "board", "hash" (of "game"), "game" (the canonical
// text of description, options and board), "description" (a text that parse_description takes), "settings" (of the options that are not as
// the description has them), "index" ("rows"; "one-pass"; "bits": no layers, as values are gone; "ending": codes and plies
// of one material), and but for an ending "boards" and "states" of the index (its layers: what is noted besides the stones; of bits 1).
// The footer: "result" (what `plenum solve --json` prints without the run's own costs) and "page" (what it prints without); of an ending
// null and nothing.
//
// Of a table of another version only the version is read, and what helps to go on: kResourceExhausted, a limit of this program.
//
// Thread-safety: no state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "tools/report/json_report.h"

namespace plenum {

// Of what a table says. It changes when some table would say something else, and tables of before are not read.
//     1   the first; wrong about who has no move after a pass
//     2   "states" were positions a board
inline constexpr int kTableVersion = 3;

enum class TableIndex { dense, one_pass, bits, ending };
const char* table_index_name(TableIndex index);

struct TableHeader {
  std::string program;
  std::string variant;
  std::string board;
  std::string hash;
  std::string game;
  std::string description;
  std::map<std::string, std::string> settings;
  TableIndex index = TableIndex::dense;
  std::uint64_t boards = 0;  // not of an ending
  std::uint64_t states = 0;
};

struct TableFooter {
  Json result;
  std::string page;
};

std::string to_text(const TableHeader& header);
std::string to_text(const TableFooter& footer);

absl::StatusOr<TableHeader> read_table_header(const std::string& path, std::string_view text);
absl::StatusOr<TableFooter> read_table_footer(const std::string& path, std::string_view text, TableIndex index);

// A command that makes such a table anew: what of it is known; the rest in capitals, for a person to fill in.
struct SolveAgain {
  std::string variant;  // as the command line takes it
  std::string board;
  std::map<std::string, std::string> settings;
  std::optional<TableIndex> index;
};
// "remove it and solve again: rm ...".
std::string way_to_go_on(const std::string& path, const SolveAgain& again);

}  // namespace plenum
