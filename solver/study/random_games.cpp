// SPDX-License-Identifier: Apache-2.0
#include "solver/study/random_games.h"

#include <random>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kMostPositionsMet = 10'000;

void note_example(const Position& before, const Successor& move, std::uint8_t rule,
                  std::vector<std::optional<RandomGames::Example>>& to) {
  if (rule < to.size() && !to[rule]) to[rule] = RandomGames::Example{before, move};
}

}  // namespace

absl::StatusOr<RandomGames> play_random_games(const Variant& variant) {
  RandomGames out;
  if (variant.rules().pieces() == nullptr) {
    out.moves.resize(variant.rule_set().moves.size());
    out.parts.resize(variant.rule_set().parts.size());
  }
  std::mt19937_64 chance(20'260'101);
  for (; out.games < RandomGames::kGames && out.positions < kMostPositionsMet; ++out.games) {
    Position at = variant.rules().start();
    ASSIGN_OR_RETURN(const EndState begun, end_state(variant.rules(), at));
    bool ended = begun.ended;
    out.ended_by_rule += ended ? 1 : 0;
    for (int ply = 0; !ended && ply < RandomGames::kMostPlies; ++ply) {
      ++out.positions;
      ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant.rules(), at));
      if (moves.empty()) {
        ++out.ended_without_move;
        if (!out.stuck) out.stuck = at;
        ended = true;
        break;
      }
      for (const Successor& move : moves) {
        note_example(at, move, move.move.first.rule, out.moves);
        for (const Part& part : move.move.further) note_example(at, move, part.rule, out.parts);
      }
      const Successor& chosen = moves[chance() % moves.size()];
      ended = chosen.ended;
      out.ended_by_rule += ended ? 1 : 0;
      at = chosen.position;
    }
    out.unfinished += ended ? 0 : 1;
  }
  return out;
}

}  // namespace plenum
