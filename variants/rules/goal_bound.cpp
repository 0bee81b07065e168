// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/goal_bound.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "variants/graph/cell_contents.h"
#include "variants/graph/junction.h"
#include "variants/graph/move_deltas.h"

namespace plenum {
namespace {

constexpr std::int64_t kMostWeight = 1'000'000;

// The fewest plies, an even number or an odd one, after which `missing` may be made up for by gains in turn.
int plies_to_gain(std::int64_t missing, std::int64_t mine, std::int64_t theirs, bool even) {
  const std::int64_t start = even ? 0 : mine;
  if (start >= missing) return even ? 0 : 1;
  const std::int64_t both = mine + theirs;
  if (both <= 0) return CountGoalBound::kNever;
  const std::int64_t rounds = (missing - start + both - 1) / both;
  return static_cast<int>(std::min<std::int64_t>(2 * rounds + (even ? 0 : 1), CountGoalBound::kNever - 1));
}

}  // namespace

struct CountGoalBound::Quantities {
  Player mover = Player::first;
  bool even = false;                                // plies left, so that the root's player is to move at the end
  std::array<std::int64_t, kMaxPlanes> kinds = {};  // cells that hold each
  std::array<std::int64_t, kMaxSlots> slots = {};   // as first sees them
  std::int64_t passes = 0;
};

// Reads the goal for one player to move at its end.
class CountGoalBound::Reader {
 public:
  Reader(const RuleSet& rules, Player mover, CountGoalBound& out)
      : rules_(rules), graph_(rules.graph), mover_(mover), out_(out) {}

  // What must be met where the truth `id` holds, or does not hold.
  std::size_t read(NodeId id, bool holds) {
    const Junction j = junction(graph_, id, holds, mover_);
    switch (j.kind) {
      case Junction::Kind::always:
        return add(Node::Op::met);
      case Junction::Kind::never:
        return add(Node::Op::never);
      case Junction::Kind::all:
      case Junction::Kind::any:
        return read_parts(j);
      case Junction::Kind::atom:
        break;
    }
    const RuleNode& n = graph_.node(j.node);
    if (n.op == NodeOp::any) return cells(n.args[0], j.holds);
    if (n.op == NodeOp::at_least) return compare(n, j.holds);
    return add(Node::Op::met);
  }

 private:
  std::size_t add(Node::Op op) {
    out_.nodes_.push_back({op, 0, {}});
    return out_.nodes_.size() - 1;
  }

  std::size_t read_parts(const Junction& j) {
    const bool all = j.kind == Junction::Kind::all;
    const Node::Op deciding = all ? Node::Op::never : Node::Op::met;
    std::vector<std::size_t> parts;
    for (const NodeId arg : j.parts) {
      const std::size_t part = read(arg, j.holds);
      const Node::Op op = out_.nodes_[part].op;
      if (op == deciding) return part;
      if (op != Node::Op::met && op != Node::Op::never) parts.push_back(part);
    }
    if (parts.empty()) return add(all ? Node::Op::met : Node::Op::never);
    const std::size_t out = add(all ? Node::Op::all : Node::Op::any);
    out_.nodes_[out].parts = std::move(parts);
    return out;
  }

  Held held_by(NodeId id) const { return held(rules_, id, mover_); }

  // The cells of a set that has any; those of a shape come together.
  std::int64_t fewest_cells(NodeId id) const {
    const RuleNode& n = graph_.node(id);
    if (n.op != NodeOp::cover) return 1;
    int out = graph_.cells();
    for (const CellSet mask : graph_.relation(n.relation)) out = std::min(out, std::popcount(mask));
    return out;
  }

  // Whether the set `id` has cells.
  std::size_t cells(NodeId id, bool some) {
    const RuleNode& n = graph_.node(id);
    if (n.op == NodeOp::disjunction) {
      std::vector<std::size_t> parts;
      for (const NodeId arg : n.args) parts.push_back(cells(arg, some));
      const std::size_t out = add(some ? Node::Op::any : Node::Op::all);
      out_.nodes_[out].parts = std::move(parts);
      return out;
    }
    Sum sum = empty_sum();
    const Held of = held_by(id);
    add_cells(sum, some ? of.most : of.least, some ? 1 : -1);
    if (some) sum.constant -= fewest_cells(id);
    return add_sum(std::move(sum));
  }

  // sum of coefficient * number >= bound, or not.
  std::size_t compare(const RuleNode& n, bool holds) {
    Sum sum = empty_sum();
    const std::int64_t sign = holds ? 1 : -1;
    auto bound = static_cast<std::int64_t>(n.value);
    // Some cells of shapes are all cells of a shape.
    if (holds && n.args.size() == 1 && n.coefficients[0] > 0 && bound > 0 && graph_.node(n.args[0]).op == NodeOp::count)
      bound = std::max(bound, n.coefficients[0] * fewest_cells(graph_.node(n.args[0]).args[0]));
    if (std::abs(bound) > kMostWeight * kMostWeight) return add(Node::Op::met);
    sum.constant = holds ? -bound : bound - 1;
    const std::vector<Interval> inputs = rules_.number_bounds();
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const std::int64_t factor = sign * n.coefficients[i];
      if (std::abs(factor) > kMostWeight) return add(Node::Op::met);
      add_number(sum, n.args[i], static_cast<int>(factor), inputs);
    }
    return add_sum(std::move(sum));
  }

  void add_number(Sum& sum, NodeId id, int factor, const std::vector<Interval>& inputs) {
    const RuleNode& n = graph_.node(id);
    if (n.op == NodeOp::count) {
      const Held of = held_by(n.args[0]);
      add_cells(sum, factor > 0 ? of.most : of.least, factor);
    } else if (n.op == NodeOp::fold_sum && factor > 0 && is_one(n.args[1])) {
      add_cells(sum, held_by(n.args[0]).most, factor);  // a set has no more parts than cells
    } else if (n.op == NodeOp::number_input && n.value == kPassesInput) {
      sum.passes += factor;
    } else if (n.op == NodeOp::number_input) {
      const auto slot = static_cast<std::size_t>(n.value) - kFirstStateInput;
      sum.slots[as_first_sees(slot)] += factor;
    } else {
      const Interval range = graph_.bounds(id, inputs);
      sum.constant += factor * (factor > 0 ? range.greatest : range.least);
    }
  }

  bool is_one(NodeId number) const {
    const Linear form = graph_.as_form(number);
    return form.terms.empty() && form.constant == 1;
  }

  std::size_t as_first_sees(std::size_t slot) const {
    const StateSlot& s = rules_.slots[slot];
    return s.each && mover_ == Player::second ? static_cast<std::size_t>(s.partner) : slot;
  }

  // factor * the number of cells that hold any of `what`.
  void add_cells(Sum& sum, CellContents what, int factor) const {
    const bool nothing = (what & nothing_bit(rules_)) != 0;
    if (nothing) sum.constant += std::int64_t{factor} * rules_.board.size();
    for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
      const bool counted = ((what >> plane_for(rules_.plane_of(k), mover_)) & 1) != 0;
      sum.kinds[k] += factor * ((counted ? 1 : 0) - (nothing ? 1 : 0));
    }
  }

  Sum empty_sum() const {
    Sum out;
    out.kinds.assign(rules_.kinds.size(), 0);
    out.slots.assign(rules_.slots.size(), 0);
    return out;
  }

  std::size_t add_sum(Sum sum) {
    // What it can be in any position: every cell holds one kind or nothing.
    int least = 0;
    int most = 0;
    for (const int weight : sum.kinds) {
      least = std::min(least, weight);
      most = std::max(most, weight);
    }
    const std::int64_t size = rules_.board.size();
    Interval range = {sum.constant + least * size, sum.constant + most * size};
    const auto add_range = [&](std::int64_t weight, std::int64_t low, std::int64_t high) {
      range.least += weight * (weight > 0 ? low : high);
      range.greatest += weight * (weight > 0 ? high : low);
    };
    add_range(sum.passes, 0, rules_.passes_cap);
    for (std::size_t s = 0; s < sum.slots.size(); ++s)
      add_range(sum.slots[s], rules_.slots[s].range.least, rules_.slots[s].range.greatest);
    if (range.least >= 0 || range.greatest < 0) return add(range.least >= 0 ? Node::Op::met : Node::Op::never);
    const std::size_t out = add(Node::Op::sum);
    out_.nodes_[out].sum = out_.sums_.size();
    out_.sums_.push_back(std::move(sum));
    return out;
  }

  const RuleSet& rules_;
  const RuleGraph& graph_;
  Player mover_;
  CountGoalBound& out_;
};

CountGoalBound::CountGoalBound(const RuleSet& rules) : slots_(rules.slots) {
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) plane_of_.push_back(rules.plane_of(k));
  for (const Player mover : {Player::first, Player::second}) {
    for (int plane = 0; plane < rules.layout.count(); ++plane) {
      const bool used = std::any_of(plane_of_.begin(), plane_of_.end(),
                                    [&](const PlaneChoice& kind) { return plane_for(kind, mover) == plane; });
      if (!used) unused_[mover == Player::first ? 0 : 1].push_back(static_cast<std::size_t>(plane));
    }
    const std::size_t root = Reader(rules, mover, *this).read(rules.goal, true);
    root_[mover == Player::first ? 0 : 1] = root;
    informative_ |= nodes_[root].op != Node::Op::met;
  }
  find_gains(rules);
}

// The most that a ply of each player adds to each sum, over all that the moves may do.
void CountGoalBound::find_gains(const RuleSet& rules) {
  for (const Player mover : {Player::first, Player::second}) {
    const std::size_t who = mover == Player::first ? 0 : 1;
    std::vector<std::vector<MoveDelta>> by_move;
    for (const MoveRule& move : rules.moves) by_move.push_back(move_deltas(rules, move, mover));
    for (Sum& sum : sums_) {
      std::vector<int> slots(sum.slots.size());  // as `mover` sees them
      for (std::size_t s = 0; s < slots.size(); ++s) {
        const bool other = slots_[s].each && mover == Player::second;
        slots[s] = sum.slots[other ? static_cast<std::size_t>(slots_[s].partner) : s];
      }
      std::optional<std::int64_t> most;
      const auto consider = [&](std::int64_t gain, bool passes) {
        // A pass adds one to the passes in a row, up to those that are told apart; anything else ends the row.
        if (passes) gain += std::max(sum.passes, 0);
        if (!passes) gain += sum.passes < 0 ? std::int64_t{-sum.passes} * rules.passes_cap : 0;
        most = most ? std::max(*most, gain) : gain;
      };
      for (std::size_t m = 0; m < rules.moves.size(); ++m) {
        for (const MoveDelta& change : by_move[m])
          consider(weighed(rules, change, sum.kinds, slots).greatest, rules.moves[m].kind == MoveRule::Kind::pass);
      }
      if (rules.stuck == Stuck::pass) consider(0, true);
      sum.gain[who] = most.value_or(0);
    }
  }
}

int CountGoalBound::plies(const Position& position) const {
  if (!informative_) return 0;
  Quantities at;
  at.mover = position.mover;
  // A canonical position may be one with the players exchanged; where they do not own equally many kinds, a stone then
  // stands on a plane that no kind of its owner uses. It is worth what the position is that it stands for.
  for (const std::size_t plane : unused_[position.mover == Player::first ? 0 : 1]) {
    if (position.planes[plane] != 0) at.mover = other(position.mover);
  }
  at.passes = position.passes;
  for (std::size_t k = 0; k < plane_of_.size(); ++k) {
    const int plane = plane_for(plane_of_[k], at.mover);
    at.kinds[k] = std::popcount(position.planes[static_cast<std::size_t>(plane)]);
  }
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const bool partner = slots_[s].each && at.mover == Player::second;
    at.slots[s] = position.state[partner ? static_cast<std::size_t>(slots_[s].partner) : s] + slots_[s].range.least;
  }
  int out = kNever;
  for (const Player last : {Player::first, Player::second}) {
    at.even = last == at.mover;
    out = std::min(out, plies(root_[last == Player::first ? 0 : 1], at));
  }
  return out;
}

// Of the number of plies that is asked for (even or odd); 0 and 1 if any number will do.
int CountGoalBound::plies(std::size_t node, const Quantities& at) const {
  const Node& n = nodes_[node];
  const int fewest = at.even ? 0 : 1;
  switch (n.op) {
    case Node::Op::met:
      return fewest;
    case Node::Op::never:
      return kNever;
    case Node::Op::sum: {
      const Sum& sum = sums_[n.sum];
      std::int64_t value = sum.constant + sum.passes * at.passes;
      for (std::size_t k = 0; k < sum.kinds.size(); ++k) value += sum.kinds[k] * at.kinds[k];
      for (std::size_t s = 0; s < sum.slots.size(); ++s) value += sum.slots[s] * at.slots[s];
      const std::size_t mover = at.mover == Player::first ? 0 : 1;
      return plies_to_gain(-value, sum.gain[mover], sum.gain[1 - mover], at.even);
    }
    case Node::Op::all:
    case Node::Op::any: {
      const bool all = n.op == Node::Op::all;
      int out = all ? fewest : kNever;
      for (const std::size_t part : n.parts) {
        const int of = plies(part, at);
        out = all ? std::max(out, of) : std::min(out, of);
      }
      return out;
    }
  }
  return 0;
}

}  // namespace plenum
