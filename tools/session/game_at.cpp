// SPDX-License-Identifier: Apache-2.0
#include "tools/session/game_at.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include "tools/console/terminal.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// How many cells each of the written rows has, from the first (the lowest, written last).
std::vector<std::size_t> written_rows(const std::string& position) {
  const std::vector<std::string> words = absl::StrSplit(position, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty());
  std::vector<std::size_t> out;
  if (words.empty()) return out;
  for (const std::string& row : std::vector<std::string>(absl::StrSplit(words[0], '/'))) {
    std::size_t cells = 0;
    for (std::size_t i = 0; i < row.size();) {
      const auto sign = static_cast<unsigned char>(row[i]);
      if (absl::ascii_isdigit(sign)) {  // a run of empty cells
        std::size_t run = 0;
        for (; i < row.size() && absl::ascii_isdigit(static_cast<unsigned char>(row[i])); ++i)
          run = std::min<std::size_t>(1000, run * 10 + static_cast<std::size_t>(row[i] - '0'));
        cells += run;
        continue;
      }
      if (sign == '(') i = std::min(row.find(')', i), row.size() - 1);  // a crowd, on one cell
      ++i;
      if ((sign & 0xC0U) != 0x80U) ++cells;  // not the rest of a sign that is not ASCII
    }
    out.push_back(cells);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// The square board that the position is written on, if it is another than that of the description.
std::optional<std::string> other_board(const Description& game, const std::string& position) {
  const absl::StatusOr<Board> board = game.board();
  if (!board.ok()) return std::nullopt;
  const std::string shape = board->name().substr(0, board->name().find(':'));
  if (shape != "square" && shape != "king") return std::nullopt;
  const std::vector<std::size_t> rows = written_rows(position);
  const auto fits = [](const std::vector<Cell>& cells, std::size_t written) { return cells.size() == written; };
  if (std::equal(board->rows().begin(), board->rows().end(), rows.begin(), rows.end(), fits)) return std::nullopt;
  if (rows.empty() || rows[0] == 0 || rows[0] * rows.size() > kMaxCells ||
      std::any_of(rows.begin(), rows.end(), [&](std::size_t n) { return n != rows[0]; }))
    return std::nullopt;
  return absl::StrCat(shape, ":", rows[0], "x", rows.size());
}

bool is_given(const GameArguments& arguments, const std::string& option) {
  return std::any_of(arguments.settings.begin(), arguments.settings.end(), [&](const std::string& setting) {
    return absl::StripAsciiWhitespace(setting.substr(0, setting.find('='))) == option;
  });
}

// The option that an expression is nothing but, or none.
const Option* named_option(const Description& game, const ExpressionPtr& e) {
  return e != nullptr && e->kind == Expression::Kind::name ? game.find_option(e->word) : nullptr;
}

// The option to put the position into, if the men are not given otherwise.
const Option* array_option(const Description& game, const GameArguments& arguments) {
  const Option* const array = game.pieces.empty() ? nullptr : named_option(game, game.play.array);
  if (array == nullptr || is_given(arguments, array->name)) return nullptr;
  if (game.play.material == nullptr) return array;
  const Option* const material = named_option(game, game.play.material);
  const bool by_array = material != nullptr && to_text(material->value).empty() && !is_given(arguments, material->name);
  return by_array ? array : nullptr;
}

}  // namespace

absl::StatusOr<Description> load_game_at(const GameArguments& arguments, const std::string& position) {
  absl::StatusOr<Description> loaded = load_game(arguments);
  if (!loaded.ok() || position.empty()) return loaded;
  Description game = *loaded;
  const bool board_given = !arguments.board.empty() || is_given(arguments, "board");
  const std::optional<std::string> board = board_given ? std::nullopt : other_board(game, position);
  if (board) {
    if (!set_board(game, *board).ok()) return loaded;
  }
  const Option* const array = array_option(game, arguments);
  if (array != nullptr) {
    const absl::Status set = game.set_option(Span::whole("position", absl::StrCat(array->name, "=", position)));
    if (!set.ok()) return loaded;
  }
  if (!board && array == nullptr) return loaded;
  const absl::Status makes = Variant::make(game).status();
  if (!makes.ok()) {
    // A piece game's array is the position, and errors in it are; other games may not be for such a board.
    const std::string message(makes.message());
    if (array == nullptr || message.rfind("array: ", 0) != 0) return loaded;
    return absl::Status(makes.code(), absl::StrCat("position: ", message.substr(message.find(' ') + 1)));
  }
  if (board) complain(absl::StrCat("no --board was given: the position is taken to be on ", *board));
  return game;
}

absl::StatusOr<Variant> make_game_at(const GameArguments& arguments, const std::string& position) {
  ASSIGN_OR_RETURN(const Description game, load_game_at(arguments, position));
  return Variant::make(game);
}

}  // namespace plenum
