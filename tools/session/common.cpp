// SPDX-License-Identifier: Apache-2.0
#include "tools/session/common.h"

#include <cctype>

#include "solver/endings/ending.h"
#include "tools/console/exit_codes.h"
#include "tools/console/terminal.h"
#include "variants/language/identity.h"
#include "variants/text/status_macros.h"

namespace plenum {

int report(const absl::StatusOr<int>& code) {
  if (code.ok()) return *code;
  complain(std::string(code.status().message()));
  return exit_code(code.status());
}

absl::StatusOr<Position> play(const Variant& variant, Position position, const Span& moves) {
  const std::string_view text = moves.text();
  std::size_t i = 0;
  for (;;) {
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) != 0) ++i;
    if (i == text.size()) return position;
    const std::size_t begin = i;
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) == 0) ++i;
    const Span word = moves.part(begin, i - begin);
    ASSIGN_OR_RETURN(const EndState end, end_state(variant.rules(), position));
    if (end.ended) return error_at(word, "the game has ended before this move", "");
    ASSIGN_OR_RETURN(Successor next, find_move(variant.rules(), position, word));
    position = next.position;
  }
}

absl::StatusOr<Position> find_position(const Variant& variant, const std::string& text, const std::string& moves) {
  Position position = variant.rules().start();
  if (text.empty() && !variant.rules().has_start())
    return absl::InvalidArgumentError(
        "an ending has no position to begin with\n  give one, or an array instead of the material");
  if (!text.empty()) {
    ASSIGN_OR_RETURN(position, variant.rules().read(Span::whole("position", text)));
  }
  return play(variant, position, Span::whole("moves", moves));
}

absl::StatusOr<Position> begin_of(const Variant& variant, const std::string& text, const std::string& moves) {
  if (text.empty() && moves.empty()) return variant.rules().start();
  return find_position(variant, text, moves);
}

absl::Status agree_on_game(Ranks& ranks, const absl::StatusOr<Description>& game) {
  if (!ranks.several()) return game.status();
  const absl::StatusOr<GameIdentity> identity = game.ok() ? identify(*game) : game.status();
  return ranks.agree_on(game.status(), identity.ok() ? identity->text : "");
}

}  // namespace plenum
