// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify_replies.h"

#include <algorithm>
#include <bit>

namespace plenum {

VerifySpace::VerifySpace(const Variant& v, const DenseIndex& i) : variant(v), index(i) {
  const RuleSet& rules = v.rule_set();
  states = i.layers() / (rules.passes_live ? static_cast<std::uint32_t>(rules.passes_cap) + 1 : 1);
  has_passes = std::any_of(rules.moves.begin(), rules.moves.end(),
                           [](const MoveRule& rule) { return rule.kind == MoveRule::Kind::pass; });
  const std::vector<Symmetry>& elements = v.symmetries().elements();
  for (std::size_t g = 0; g < elements.size(); ++g) {
    if (!elements[g].exchange) plain.push_back(static_cast<GroupElement>(g));
  }
  compressed_.resize(std::size_t{256} * 256);
  for (std::size_t mask = 0; mask < 256; ++mask) {
    bits_[mask] = static_cast<std::uint8_t>(std::popcount(mask));
    for (std::size_t value = 0; value < 256; ++value) {
      std::size_t out = 0;
      int at = 0;
      for (std::size_t rest = mask; rest != 0; rest &= rest - 1, ++at) {
        if ((value >> std::countr_zero(rest) & 1) != 0) out |= std::size_t{1} << at;
      }
      compressed_[mask * 256 + value] = static_cast<std::uint8_t>(out);
    }
  }
}

std::optional<std::string> VerifySpace::obstacle(const Variant& variant) {
  if (auto why = DenseIndex::obstacle(variant)) return why;
  const RuleSet& rules = variant.rule_set();
  if (rules.layout.count() != 2) return "there are more than two kinds of stones";
  const bool passes = std::any_of(rules.moves.begin(), rules.moves.end(),
                                  [](const MoveRule& rule) { return rule.kind == MoveRule::Kind::pass; });
  if (passes && !(rules.passes_live && rules.passes_cap == 2))
    return "it is not the second pass in a row that ends the game";
  for (const Symmetry& s : variant.symmetries().elements()) {
    bool plain = s.exchange;
    for (std::size_t c = 0; c < s.permutation.size(); ++c) plain = plain && s.permutation[c] == c;
    if (plain) return std::nullopt;
  }
  return "the players cannot be exchanged";
}

Replies::Replies(const VerifySpace& space)
    : space_(space),
      scratch_(space.variant.rules()),
      asked_(2, static_cast<int>(space.variant.rule_set().slots.size())),
      going_(2, static_cast<int>(space.variant.rule_set().slots.size())) {
  asked_.grow(kMost);
  going_.grow(kMost);
}

void Replies::ask(const Block& block, BoardIndex board, std::uint32_t state, int passes) {
  Position p;
  space_.index.read_layer(static_cast<std::uint32_t>(passes) * space_.states + state, p);
  space_.index.read_numeral(block.set, board - block.base, p.planes.data());
  asked_.push(p);
}

absl::Status Replies::find() {
  const Rules& rules = space_.variant.rules();
  rules.judge(asked_, scratch_, ended_, margin_);
  going_.clear();
  asked_as_.clear();
  for (std::size_t i = 0; i < asked_.size; ++i) {
    moves_[i] = 0;
    end_[i] = ended_[i] != 0 ? code_of_margin(margin_[i]) : ValueByte{0};
    if (ended_[i] != 0) continue;
    going_.push(asked_.at(i));
    asked_as_.push_back(static_cast<std::uint32_t>(i));
  }
  replies_.clear();
  if (going_.size == 0) return absl::OkStatus();
  if (absl::Status done = rules.expand(going_, scratch_); !done.ok()) return done;
  if (absl::Status done = place(); !done.ok()) return done;
  for (const std::uint32_t i : asked_as_) {
    if (moves_[i] > 0) continue;
    const absl::StatusOr<MoverValue> stuck = rules.stuck(asked_.at(i));
    if (!stuck.ok()) return stuck.status();
    end_[i] = code_of_margin(stuck->margin.units);
  }
  return absl::OkStatus();
}

absl::Status Replies::place() {
  const PositionBatch& made = scratch_.successors;
  const DenseIndex& index = space_.index;
  const SymmetryGroup& symmetries = index.symmetries();
  replies_.resize(made.size);
  Position rest;  // all but the stones
  for (std::size_t i = 0; i < made.size; ++i) {
    Reply& reply = replies_[i];
    reply.parent = asked_as_[scratch_.parent[i]];
    ++moves_[reply.parent];
    if (made.mover_is_first[i] != 0) return absl::UnimplementedError("a player moves twice in a row");
    reply.end = scratch_.ended[i] != 0 ? code_of_margin(scratch_.margin[i]) : ValueByte{0};
    reply.passes = made.passes[i];
    if (reply.end == 0 && reply.passes > 1) return absl::UnimplementedError("play goes on after two passes");
    // The players can be exchanged, and planes are the mover's and the other's: who is to move changes nothing here.
    const CellSet occupied = made.planes[0][i] | made.planes[1][i];
    reply.block = index.block_of(occupied);
    if (reply.block == kNoBlock) return absl::UnimplementedError("a move leads to a set of cells that is not numbered");
    const Block& block = index.blocks()[reply.block];
    reply.board = block.base + space_.numeral(block.set, symmetries.apply(index.to_block(occupied), made.planes[1][i]));
    reply.state = 0;
    if (space_.states == 1) continue;
    for (std::size_t s = 0; s < made.state.size(); ++s) rest.state[s] = made.state[s][i];
    reply.state = index.layer(rest);
  }
  return absl::OkStatus();
}

}  // namespace plenum
