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

void Replies::ask(const Block& block, BoardIndex board, std::uint32_t state, int passes) {
  Position p;
  space_.index.read_layer(static_cast<std::uint32_t>(passes) * space_.states + state, p);
  space_.index.read_numeral(block.set, board - block.base, p.planes.data());
  judged_.ask(p);
}

absl::Status Replies::find() {
  judged_.look(Judged::Wanted::all_replies);
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    if (!judged_.status(i).ok()) return judged_.status(i);
  }
  return place();
}

absl::Status Replies::place() {
  const PositionBatch& made = judged_.replies();
  const DenseIndex& index = space_.index;
  const SymmetryGroup& symmetries = index.symmetries();
  replies_.resize(made.size);
  Position rest;  // all but the stones
  for (std::size_t i = 0; i < made.size; ++i) {
    Reply& reply = replies_[i];
    reply.parent = static_cast<std::uint32_t>(judged_.parent(i));
    if (made.mover_is_first[i] != 0) return absl::UnimplementedError("a player moves twice in a row");
    reply.end = judged_.reply_ended(i) ? code_of_margin(judged_.reply_margin(i).margin.units) : ValueByte{0};
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
