// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "variants/rules/tiers.h"

namespace plenum {

// Pieces are what does not promote, pawns what does.
PieceTiers::PieceTiers(const RuleSet& rules, std::shared_ptr<const PieceSet> pieces) : pieces_(std::move(pieces)) {
  const auto measure = [&](const char* text, const char* raised_by, std::uint32_t values) {
    Measure m;
    m.text = text;
    m.kind_weight.assign(rules.kinds.size(), 0);
    m.slot_weight.assign(rules.slots.size(), 0);
    m.raised_by.emplace_back(raised_by);
    m.greatest = values - 1;
    measures_.push_back(std::move(m));
    count_ *= values;
  };
  const auto men = static_cast<std::uint32_t>(pieces_->most_men);
  measure("the number of men, falling", "a capture", men + 1);
  std::vector<std::string> pawns;
  for (const PieceKind& kind : pieces_->kinds) (kind.promotions.empty() ? cycling_ : pawns).push_back(kind.letter);
  if (pawns.empty()) return;
  measure("the number of men that promote, falling", "a promotion", men + 1);
  if (!pieces_->pawns_go_forward()) {
    cycling_.insert(cycling_.end(), pawns.begin(), pawns.end());
    return;
  }
  ranks_ = men * static_cast<std::uint32_t>(pieces_->height) + 1;
  measure("the ranks that these have gone", "a move of one of them", ranks_);
}

std::uint32_t PieceTiers::tier(const Position& p) const {
  const auto most = static_cast<std::uint32_t>(pieces_->most_men);
  std::uint32_t men = 0;
  std::uint32_t pawns = 0;
  std::uint32_t ranks = 0;
  for (const bool movers : {true, false}) {
    const bool up = (p.mover == Player::first) == movers;
    for (std::size_t k = 0; k < pieces_->kinds.size(); ++k) {
      const bool pawn = !pieces_->kinds[k].promotions.empty();
      for (CellSet rest = p.planes[pieces_->plane(movers, k)]; rest != 0; rest &= rest - 1) {
        const auto cell = static_cast<Cell>(std::countr_zero(rest));
        const auto n = static_cast<std::uint32_t>(pieces_->count(p, movers, k, cell));
        men += n;
        if (!pawn) continue;
        pawns += n;
        ranks += n * static_cast<std::uint32_t>(up ? pieces_->y(cell) : pieces_->height - 1 - pieces_->y(cell));
      }
    }
  }
  std::uint32_t out = most - men;
  if (measures_.size() > 1) out = out * (most + 1) + (most - pawns);
  return ranks_ > 1 ? out * ranks_ + ranks : out;
}

}  // namespace plenum
