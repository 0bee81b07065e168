// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/piece_rules.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "variants/compile/piece_elaborate.h"
#include "variants/pieces/piece_text.h"
#include "variants/rules/goal.h"
#include "variants/rules/tiers.h"

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

absl::StatusOr<std::shared_ptr<const Rules>> PieceRules::compile(const Description& description, const Board& board,
                                                                 const std::optional<Span>& goal) {
  absl::StatusOr<PieceGame> game = elaborate_pieces(description, board, goal);
  if (!game.ok()) return game.status();
  if (game->rules.layout.count() > kMaxPlanes)
    return error_at(description.end.span, "this game has too many kinds of pieces", "leave some of them out");
  return std::make_shared<const PieceRules>(std::move(game->rules), std::move(game->pieces));
}

absl::Status PieceRules::expand(const PositionBatch& batch, Scratch& s) const {
  s.successors.clear();
  thread_local std::vector<PieceMove> moves;
  Position parent;
  Position successor;
  for (std::size_t i = 0; i < batch.size; ++i) {
    batch.read(i, parent);
    const PieceBoard at(*pieces_, parent);
    at.moves(moves);
    s.grow(s.successors.size + moves.size());
    for (const PieceMove& move : moves) {
      const std::size_t next = s.successors.size;
      if (!at.after(move, successor))
        return absl::ResourceExhaustedError(absl::StrCat("after ", write_move(board(), *pieces_, move), " in ",
                                                         fen_of(board(), *pieces_, parent), " more than ",
                                                         1U << pieces_->kinds[move.kind].more_planes.size(),
                                                         " men of a kind share a cell; so many are not told apart"));
      s.successors.set(next, successor);
      s.parent[next] = static_cast<std::uint32_t>(i);
      s.move[next] = to_move(move);
      ++s.successors.size;
    }
  }
  s.ended.assign(s.successors.capacity(), 0);  // it ends where no move is left
  s.margin.resize(s.successors.capacity());
  return absl::OkStatus();
}

void PieceRules::judge(const PositionBatch& batch, Scratch& s, std::vector<std::uint8_t>& ended,
                       std::vector<std::int64_t>& margin) const {
  if (ended.size() < batch.size) ended.resize(batch.capacity());
  std::fill_n(ended.begin(), batch.size, std::uint8_t{0});
  score(batch, s, margin);
}

void PieceRules::score(const PositionBatch& batch, Scratch& /*scratch*/, std::vector<std::int64_t>& margin) const {
  if (margin.size() < batch.size) margin.resize(batch.capacity());
  std::fill_n(margin.begin(), batch.size, std::int64_t{0});
}

absl::StatusOr<MoverValue> PieceRules::stuck(const Position& position) const {
  const bool lost = pieces_->stalemate_loses || PieceBoard(*pieces_, position).in_check();
  return MoverValue{{lost ? -1 : 0}};
}

std::string PieceRules::always_a_move() const {
  return absl::StrCat("No: without one it is mate in check, otherwise stalemate, ",
                      pieces_->stalemate_loses ? "a loss" : "a draw");
}

std::string PieceRules::write(const Position& position) const { return fen_of(board(), *pieces_, position); }

absl::StatusOr<Position> PieceRules::read(const Span& text) const {
  return guard([&] {
    std::vector<std::string> letters;
    for (const PieceKind& kind : pieces_->kinds) letters.push_back(kind.letter);
    return position_of(board(), *pieces_, read_fen(board(), letters, text));
  });
}

std::vector<std::string> PieceRules::letters(const Position& position) const {
  std::vector<std::string> out(static_cast<std::size_t>(board().size()));
  for (const Man& man : pieces_->men_of(position))
    out[man.cell] += set().kinds[man.kind + (man.owner == Player::first ? 0 : pieces_->kinds.size())].letter;
  return out;
}

std::string PieceRules::write(const Position& /*position*/, const Move& move) const {
  return write_move(board(), *pieces_, to_piece_move(move));
}

std::vector<std::string> PieceRules::spellings(const Move& move) const {
  return other_spellings(board(), *pieces_, to_piece_move(move));
}

std::vector<MoveStep> PieceRules::steps(const Position& /*position*/, const Move& move) const {
  const PieceMove m = to_piece_move(move);
  return {{m.from, {m.to}, m.promotion == kNoKind ? "" : pieces_->kinds[m.promotion].letter}};
}

std::unique_ptr<const Tiers> PieceRules::tiers(bool /*exchangeable*/) const {
  return std::make_unique<PieceTiers>(set(), pieces_);
}

std::unique_ptr<const GoalBound> PieceRules::goal_bound() const {
  return piece_goal_bound(set(), *pieces_);
}

// Each man anywhere, as what it may become, or off the board; and the cell that was passed over.
double PieceRules::most_placements(const Position& start) const {
  const double cells = pieces_->width * pieces_->height;
  double out = pieces_->passed_plane >= 0 ? cells + 1 : 1;
  std::array<std::vector<int>, 2> met;  // equal men so far, several of which may stand on a cell
  met.fill(std::vector<int>(pieces_->kinds.size(), 0));
  for (const Man& man : pieces_->men_of(start)) {
    const PieceKind& kind = pieces_->kinds[man.kind];
    const double places = cells * (1 + static_cast<double>(kind.promotions.size())) + (kind.royal ? 0 : 1);
    const int equal = met[static_cast<std::size_t>(man.owner)][man.kind]++;
    out = out * (places + equal) / (equal + 1);
  }
  return out;
}

}  // namespace plenum
