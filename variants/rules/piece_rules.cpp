// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/piece_rules.h"

#include <absl/strings/str_cat.h>

#include "variants/pieces/piece_text.h"

namespace plenum {
namespace {

constexpr unsigned kManners = 8;

}  // namespace

// In board order what becomes nothing else comes first, then by what it becomes.
Move to_move(const PieceMove& move) {
  Move out;
  const unsigned becomes = move.promotion == kNoKind ? 0 : move.promotion + 1U;
  out.first = {move.kind, static_cast<std::uint8_t>(becomes * kManners + static_cast<unsigned>(move.manner)), move.from,
               move.to};
  return out;
}

PieceMove to_piece_move(const Move& move) {
  const unsigned becomes = move.first.choice / kManners;
  return {move.first.from, move.first.to, move.first.rule,
          becomes == 0 ? kNoKind : static_cast<std::uint8_t>(becomes - 1),
          static_cast<Manner>(move.first.choice % kManners)};
}

absl::Status PieceRules::expand(const PositionBatch& batch, Rules::Scratch& s) const {
  s.successors.clear();
  thread_local std::vector<PieceMove> moves;
  Position parent;
  Position successor;
  for (std::size_t i = 0; i < batch.size; ++i) {
    batch.read(i, parent);
    const PieceBoard board(set_, parent);
    board.moves(moves);
    s.grow(s.successors.size + moves.size());
    for (const PieceMove& move : moves) {
      const std::size_t at = s.successors.size;
      if (!board.after(move, successor))
        return absl::ResourceExhaustedError(absl::StrCat(
            "after ", write_move(rules_->board, set_, move), " in ", fen_of(rules_->board, set_, parent), " more than ",
            1U << set_.kinds[move.kind].more_planes.size(), " men of a kind share a cell; so many are not told apart"));
      s.successors.set(at, successor);
      s.parent[at] = static_cast<std::uint32_t>(i);
      s.move[at] = to_move(move);
      ++s.successors.size;
    }
  }
  s.ended.assign(s.successors.capacity(), 0);  // it ends where no move is left
  s.margin.resize(s.successors.capacity());
  return absl::OkStatus();
}

MoverValue PieceRules::stuck(const Position& position) const {
  const bool lost = set_.stalemate_loses || PieceBoard(set_, position).in_check();
  return MoverValue{{lost ? -1 : 0}};
}

std::string PieceRules::write(const Move& move) const { return write_move(rules_->board, set_, to_piece_move(move)); }

std::vector<std::string> PieceRules::spellings(const Move& move) const {
  return other_spellings(rules_->board, set_, to_piece_move(move));
}

}  // namespace plenum
