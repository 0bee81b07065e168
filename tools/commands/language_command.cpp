// SPDX-License-Identifier: Apache-2.0
// plenum language: the reference of the description language, as Markdown, from the tables that the program itself reads.
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/piece_reference.h"
#include "tools/session/common.h"
#include "variants/language/vocabulary.h"

namespace plenum {
namespace {

// Inside a cell of a table a bar would end the cell.
std::string cell(const std::string& text) { return absl::StrReplaceAll(text, {{"|", "\\|"}}); }
std::string code(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    absl::StrAppend(&out, out.empty() ? "" : "<br>", "`", cell(text.substr(begin, end - begin)), "`");
    begin = end + 1;
  }
  return out;
}

void print_keys(const std::string& table, const std::string& heading, const std::string& remark) {
  std::cout << "\n### " << heading << "\n\n" << (remark.empty() ? "" : remark + "\n\n");
  std::cout << "| key | takes | meaning | example |\n|---|---|---|---|\n";
  for (const TableKey& key : keys()) {
    if (key.table == table)
      std::cout << "| `" << key.name << "` | " << cell(key.takes) << " | " << cell(key.meaning) << " | "
                << code(key.example) << " |\n";
  }
}

void print_forms(const std::string& heading, const std::vector<Form>& forms) {
  std::cout << "\n## " << heading << "\n\n| form | meaning | example |\n|---|---|---|\n";
  for (const Form& form : forms)
    std::cout << "| " << code(form.usage) << " | " << cell(form.meaning) << " | " << code(form.example) << " |\n";
}

void print_words(const std::string& heading, const std::string& remark, bool functions, bool on_boards) {
  std::cout << "\n### " << heading << "\n\n" << (remark.empty() ? "" : remark + "\n\n");
  std::cout << "| word | meaning | example |\n|---|---|---|\n";
  for (const Word& word : words()) {
    if (word.on_boards != on_boards || (!on_boards && word.is_function != functions)) continue;
    std::cout << "| " << code(word.usage) << " | " << cell(word.meaning) << " | " << code(word.example) << " |\n";
  }
}

}  // namespace

int language_command() {
  std::cout
      << R"(<!-- Made by `plenum language` from the program's own tables; a test keeps it fresh. Change the tables, not this page. -->

# The description language

A description is a TOML file: tables of keys, with expressions as texts in quotes. What a key takes is said in its table below. Each example is what a
tweak of this game would say (`extends = "example"` and the lines of the example), and all of them are compiled by a test:

```toml
)" << example_game()
      << R"(```

## Keys
)";
  print_keys("description", "The file", "");
  print_keys(
      "option", "[options] NAME",
      "A switch, a number, or one of several texts: what `--set NAME=VALUE` changes. `board` is the board by name.");
  print_keys("board", "[board]", "Instead of a named shape: any graph, by its edges.");
  print_keys("kind", "[kinds] NAME",
             "Stones. `mine` and `theirs` are those of the player at hand and of the opponent.");
  print_keys("state", "[state] NAME", "");
  print_keys("move", "[moves.NAME]",
             "With `to` alone a placement, with `from` and `to` a move, with `from` alone a removal, with neither a "
             "pass, or with `choose` a "
             "choice and nothing else.");
  print_keys("part", "[parts.NAME]", "A further choice in the same turn: all keys of a move, and");
  print_keys("end", "[end]", "Asked in this order: `wins` and `loses`; `when`; whether there is a move at all.");
  print_keys("pie", "[pie]", "");
  print_keys("refused", "[refused.NAME]", "");
  print_keys("test", "[[test]]", "");
  std::cout << "\nGames of pieces have `[pieces]` and `[play]` instead of kinds, state, moves and end. The examples "
               "tweak this "
               "one:\n\n```toml\n"
            << example_piece_game() << "```\n";
  print_keys(
      "piece", "[pieces] LETTER",
      "How a piece goes, in Betza's notation, seen by its owner; a capital letter, small for second's in positions.");
  print_keys("play", "[play]", "Expressions over options and the board; a word in them stands in single quotes.");
  std::cout << R"(
## Expressions

Types: sets of cells, a number for each cell, numbers (exact fractions), truth values, players, directions, parts of a set. A number stands for itself on
every cell; a truth value beside `&` or `|` is all cells or none; a set is never a truth value: write `any(S)`. Operators, loosest first:
`if … then … else …`, `|`, `&`, `!`, comparisons, `+ -`, `* / %`, `-`. In moves and effects the player at hand is the one to move.
)";
  print_forms("Operators", operators());
  std::cout << "\n## Words\n";
  print_words("Sets, players, moments", "", false, false);
  print_words("Functions",
              "Where directions are left out, the board's neighbours are meant; for `line` and `between`, all straight "
              "directions.",
              true, false);
  print_words("Places and directions", "Where the board has them. Directions are joined by `|`.", true, true);
  print_forms("Effects", effects());
  std::cout << R"(
## What is not in the language

| looked for | |
|---|---|
)";
  for (const Absent& one : absent()) std::cout << "| `" << one.name << "` | " << cell(one.reason) << " |\n";
  std::cout << piece_reference();
  std::cout << "\n## Boards\n\n";
  for (const BoardShape& shape : Board::shapes()) std::cout << "- `" << shape.form << "`: " << shape.about << "\n";
  std::cout << R"(
A board has up to 64 cells. Files are letters, rows numbers; on hexagons rows are letters.

## Positions and moves, as they are written

A position is rows from the last to the first with `/` between, runs of empty cells as numbers, kinds by their letters; then the player to move, 1 or 2; then what is in the state and
not at its start: `x1/3/2 2 button=first passes=1`. Moves: `a1`; `w@a1` with a choice of kinds; `a1*` on a stone; `a1+b1+c1` a shape; `a1-b2`; `a3-off`; `pass`; further parts after commas,
`a1-b2,xc3` where one takes a stone off. Different moves that would be written alike have the names of their rules behind them: `a1-b1:approach`.
)";
  return kDone;
}

}  // namespace plenum
