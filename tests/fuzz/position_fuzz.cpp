// SPDX-License-Identifier: Apache-2.0
// Positions and moves as texts: the first byte chooses a game, the first line is a position, further lines are moves played from it.
#include <algorithm>
#include <array>

#include "tests/fuzz/fuzz.h"
#include "tests/rich_game.h"

namespace plenum::fuzz {
namespace {

const Variant& chosen(std::size_t n) {
  static const std::array games = {
      sure(Variant::make(sure(described(variants_testing::rich_game("square:3x2")), "rich")), "rich"),
      game("safety-in-numbers", {}),
      game("populace", {"board=hexhex:2", "button=on"}),
      game("morris", {}),
      game("chess", {}),
      game("taifas", {"board=square:3x3"}),
      game("different-armies", {}),
      game("go", {"board=square:3x3"}),
      game("breakthrough", {"board=square:4x4"}),
      game("quixo", {"board=square:3x3"}),
      game("l-game", {}),
      game("dodgem", {}),
  };
  return games[n % games.size()];
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  const Variant& variant = fuzz::chosen(in.byte());
  const absl::StatusOr<Position> read = variant.rules().read(Span::whole("position", in.line()));
  if (!read.ok()) fuzz::for_people(read.status());
  Position position = read.ok() ? *read : variant.rules().start();
  for (int ply = 0; ply < 8; ++ply) {
    const std::vector<Successor> moves = fuzz::check_position(variant, position);
    if (moves.empty() || in.empty()) break;
    const std::string text = in.line();
    const absl::StatusOr<Successor> found = find_move(variant.rules(), position, Span::whole("move", text));
    if (!found.ok()) {
      fuzz::for_people(found.status());
      continue;
    }
    const bool legal = std::any_of(moves.begin(), moves.end(), [&](const Successor& s) {
      return s.text == found->text && s.move == found->move && s.position == found->position;
    });
    fuzz::require(legal, text + " is found and not legal in " + variant.rules().write(position));
    position = found->position;
  }
  return 0;
}
