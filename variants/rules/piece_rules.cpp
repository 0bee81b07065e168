// SPDX-License-Identifier: Apache-2.0
// Rules of pieces that go by powers of their own (pieces/piece_set.h).
#include <algorithm>

#include <absl/strings/str_cat.h>

#include "variants/compile/piece_elaborate.h"
#include "variants/pieces/piece_text.h"
#include "variants/rules/goal.h"
#include "variants/rules/rules.h"
#include "variants/rules/tiers.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr unsigned kManners = 8;

// Part::rule is the kind, Part::choice what it becomes and the manner. In board order what becomes nothing else comes
// first, then by what it becomes. The rule of a further part is the kind that it takes, if that is a choice.
PackedMove to_move(const PieceMove& move) {
  PackedMove out;
  const unsigned becomes = move.promotion == kNoKind ? 0 : move.promotion + 1U;
  out.first = {move.kind, static_cast<std::uint8_t>(becomes * kManners + static_cast<unsigned>(move.manner)), move.from,
               move.to};
  out.further[0].rule = move.taken == kNoKind ? kNoPart : move.taken;
  return out;
}

PieceMove to_piece_move(const Move& move) {
  const unsigned becomes = move.first.choice / kManners;
  return {move.first.from,
          move.first.to,
          move.first.rule,
          becomes == 0 ? kNoKind : static_cast<std::uint8_t>(becomes - 1),
          static_cast<Manner>(move.first.choice % kManners),
          move.further.empty() ? kNoKind : move.further[0].rule};
}

class PieceRules final : public Rules {
 public:
  PieceRules(RuleSet set, std::shared_ptr<const PieceSet> pieces) : Rules(std::move(set)), pieces_(std::move(pieces)) {}

  Position start() const override { return pieces_->start; }
  // Of a material all positions are meant.
  bool has_start() const override { return !pieces_->material.has_value(); }

  // It ends where no move is left: no position has ended before its moves are looked at.
  absl::Status expand(const PositionBatch& batch, Scratch& s) const override {
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

  void judge(const PositionBatch& batch, Scratch& s, std::vector<std::uint8_t>& ended,
             std::vector<std::int64_t>& margin) const override {
    if (ended.size() < batch.size) ended.resize(batch.capacity());
    std::fill_n(ended.begin(), batch.size, std::uint8_t{0});
    score(batch, s, margin);
  }

  void score(const PositionBatch& batch, Scratch& /*scratch*/, std::vector<std::int64_t>& margin) const override {
    if (margin.size() < batch.size) margin.resize(batch.capacity());
    std::fill_n(margin.begin(), batch.size, std::int64_t{0});
  }

  absl::StatusOr<MoverValue> stuck(const Position& position) const override {
    const bool lost = pieces_->stalemate_loses || PieceBoard(*pieces_, position).in_check();
    return MoverValue{{lost ? -1 : 0}};
  }

  std::string always_a_move() const override {
    return absl::StrCat("No: without one it is mate in check, otherwise stalemate, ",
                        pieces_->stalemate_loses ? "a loss" : "a draw");
  }

  std::string write(const Position& position) const override { return fen_of(board(), *pieces_, position); }

  absl::StatusOr<Position> read(const Span& text) const override {
    return guard([&] {
      std::vector<std::string> letters;
      for (const PieceKind& kind : pieces_->kinds) letters.push_back(kind.letter);
      return position_of(board(), *pieces_, read_fen(board(), letters, text));
    });
  }

  int stones(const Position& position) const override { return pieces_->count(position); }

  std::vector<std::string> letters(const Position& position) const override {
    std::vector<std::string> out(static_cast<std::size_t>(board().size()));
    for (const Man& man : pieces_->men_of(position))
      out[man.cell] += set().kinds[man.kind + (man.owner == Player::first ? 0 : pieces_->kinds.size())].letter;
    return out;
  }

  std::string write(const Position& /*position*/, const Move& move) const override {
    return write_move(board(), *pieces_, to_piece_move(move));
  }

  std::string rule_names(const Move& move) const override { return pieces_->kinds[move.first.rule].letter; }
  std::vector<std::string> spellings(const Move& move) const override {
    return other_spellings(board(), *pieces_, to_piece_move(move));
  }

  std::vector<MoveStep> steps(const Position& /*position*/, const Move& move) const override {
    const PieceMove m = to_piece_move(move);
    return {{m.from, {m.to}, m.promotion == kNoKind ? "" : pieces_->kinds[m.promotion].letter}};
  }

  bool in_pie(const Move& /*move*/) const override { return false; }
  bool may_be_symmetric(const std::vector<Cell>& permutation, bool exchange) const override {
    return pieces_->symmetric(permutation, exchange);
  }
  std::unique_ptr<const Tiers> tiers(const SymmetryGroup& /*symmetries*/) const override {
    return piece_tiers(set(), pieces_);
  }
  std::unique_ptr<const GoalBound> goal_bound() const override { return piece_goal_bound(set(), *pieces_); }

  // Each man anywhere, as what it may become, or off the board; and the cell that was passed over.
  double most_placements(const Position& start) const override {
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

  std::shared_ptr<const PieceSet> pieces() const override { return pieces_; }

 private:
  std::shared_ptr<const PieceSet> pieces_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Rules>> Rules::compile_pieces(const Description& description, const Board& board,
                                                                   const std::optional<Span>& goal) {
  ASSIGN_OR_RETURN(PieceGame game, elaborate_pieces(description, board, goal));
  if (game.rules.layout.count() > kMaxPlanes)
    return error_at(description.end.span, "this game has too many kinds of pieces", "leave some of them out");
  return std::make_shared<const PieceRules>(std::move(game.rules), std::move(game.pieces));
}

}  // namespace plenum
