// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/goal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>

#include "variants/graph/cell_contents.h"
#include "variants/graph/junction.h"
#include "variants/graph/move_deltas.h"
#include "variants/pieces/piece_set.h"

namespace plenum {
namespace {

constexpr std::int64_t kMostWeight = 1'000'000;
constexpr std::uint8_t kFar = 100;  // moves: never

// What a goal is joined from by & and |, as far as that is not decided.
template <typename Atom>
struct Joined {
  enum class Op { met, never, all, any, atom };
  Op op = Op::met;
  std::vector<Joined> parts = {};
  Atom atom = {};
};

// Of the node, or of its complement where `holds` is false; atoms are what `atom` makes of all other nodes.
template <typename Atom, typename ReadAtom>
Joined<Atom> read_joined(const RuleGraph& graph, NodeId id, bool holds, Player mover, const ReadAtom& atom) {
  using Op = typename Joined<Atom>::Op;
  const Junction j = junction(graph, id, holds, mover);
  if (j.kind == Junction::Kind::always) return {Op::met};
  if (j.kind == Junction::Kind::never) return {Op::never};
  if (j.kind == Junction::Kind::atom) return atom(graph.node(j.node), j.holds);
  const bool all = j.kind == Junction::Kind::all;
  const Op deciding = all ? Op::never : Op::met;
  Joined<Atom> out{all ? Op::all : Op::any};
  bool decided = false;
  for (const NodeId arg : j.parts) {
    Joined<Atom> part = read_joined<Atom>(graph, arg, j.holds, mover, atom);
    decided |= part.op == deciding;
    if (part.op != Op::met && part.op != Op::never) out.parts.push_back(std::move(part));
  }
  if (decided) return {deciding};
  if (out.parts.empty()) return {all ? Op::met : Op::never};
  return out;
}

// By cell, the moves that each player needs before the cell can be in a set.
struct Needs {
  std::array<std::array<std::uint8_t, kMaxCells>, 2> by = {};
};

int farther(int a, int b) { return std::max(a, b); }
int nearer(int a, int b) { return std::min(a, b); }
template <typename Choose>
Needs cell_by_cell(Needs a, const Needs& b, const Choose& choose) {
  for (std::size_t who = 0; who < 2; ++who)
    for (std::size_t c = 0; c < kMaxCells; ++c) a.by[who][c] = choose(a.by[who][c], b.by[who][c]);
  return a;
}
Needs farther(const Needs& a, const Needs& b) {
  return cell_by_cell(a, b, [](std::uint8_t m, std::uint8_t n) { return std::max(m, n); });
}
Needs nearer(const Needs& a, const Needs& b) {
  return cell_by_cell(a, b, [](std::uint8_t m, std::uint8_t n) { return std::min(m, n); });
}

// How far it is to what is joined by &, the farthest, and by |, the nearest, if it is so far to each atom.
template <typename Atom, typename Distance, typename OfAtom>
Distance distance_to(const Joined<Atom>& goal, const Distance& met, const Distance& never, const OfAtom& of_atom) {
  using Op = typename Joined<Atom>::Op;
  if (goal.op == Op::atom) return of_atom(goal.atom);
  const bool all = goal.op == Op::all || goal.op == Op::met;
  Distance out = all ? met : never;
  for (const Joined<Atom>& part : goal.parts) {
    const Distance of = distance_to(part, met, never, of_atom);
    out = all ? farther(out, of) : nearer(out, of);
  }
  return out;
}

// The fewest plies, an even number or an odd one, after which `missing` may be made up for by gains in turn.
int plies_to_gain(std::int64_t missing, std::int64_t mine, std::int64_t theirs, bool even) {
  const std::int64_t start = even ? 0 : mine;
  if (start >= missing) return even ? 0 : 1;
  const std::int64_t both = mine + theirs;
  if (both <= 0) return GoalBound::kNever;
  const std::int64_t rounds = (missing - start + both - 1) / both;
  return static_cast<int>(std::min<std::int64_t>(2 * rounds + (even ? 0 : 1), GoalBound::kNever - 1));
}

// constant + weights by kind, by slot, of passes: at least 0 where the goal holds.
struct Sum {
  std::vector<int> kinds;
  std::vector<int> slots;  // as first sees them
  int passes = 0;
  std::int64_t constant = 0;
  std::array<std::int64_t, 2> gain = {};  // the most that one ply of first, of second adds
};
using Counts = Joined<Sum>;

std::size_t slot_seen_by(const std::vector<StateSlot>& slots, std::size_t slot, Player mover) {
  return slots[slot].each && mover == Player::second ? static_cast<std::size_t>(slots[slot].partner) : slot;
}

// Reads the goal for one player to move at its end.
class CountReader {
 public:
  using Op = Counts::Op;
  CountReader(const RuleSet& rules, Player mover) : rules_(rules), graph_(rules.graph), mover_(mover) {}

  // What must be met where the truth `id` holds, or does not hold.
  Counts read(NodeId id, bool holds) const {
    return read_joined<Sum>(graph_, id, holds, mover_, [&](const RuleNode& n, bool is) {
      if (n.op == NodeOp::any) return cells(n.args[0], is);
      if (n.op == NodeOp::at_least) return compare(n, is);
      return Counts{Op::met};
    });
  }

 private:
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
  Counts cells(NodeId id, bool some) const {
    const RuleNode& n = graph_.node(id);
    if (n.op == NodeOp::disjunction) {
      Counts out{some ? Op::any : Op::all};
      for (const NodeId arg : n.args) out.parts.push_back(cells(arg, some));
      return out;
    }
    Sum sum = empty_sum();
    const Held of = held_by(id);
    add_cells(sum, some ? of.most : of.least, some ? 1 : -1);
    if (some) sum.constant -= fewest_cells(id);
    return sum_of(std::move(sum));
  }

  // sum of coefficient * number >= bound, or not.
  Counts compare(const RuleNode& n, bool holds) const {
    Sum sum = empty_sum();
    const std::int64_t sign = holds ? 1 : -1;
    auto bound = static_cast<std::int64_t>(n.value);
    // Some cells of shapes are all cells of a shape.
    if (holds && n.args.size() == 1 && n.coefficients[0] > 0 && bound > 0 && graph_.node(n.args[0]).op == NodeOp::count)
      bound = std::max(bound, n.coefficients[0] * fewest_cells(graph_.node(n.args[0]).args[0]));
    if (std::abs(bound) > kMostWeight * kMostWeight) return {Op::met};
    sum.constant = holds ? -bound : bound - 1;
    const std::vector<Interval> inputs = rules_.number_bounds();
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const std::int64_t factor = sign * n.coefficients[i];
      if (std::abs(factor) > kMostWeight) return {Op::met};
      add_number(sum, n.args[i], static_cast<int>(factor), inputs);
    }
    return sum_of(std::move(sum));
  }

  void add_number(Sum& sum, NodeId id, int factor, const std::vector<Interval>& inputs) const {
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
      sum.slots[slot_seen_by(rules_.slots, slot, mover_)] += factor;
    } else {
      const Interval range = graph_.bounds(id, inputs);
      sum.constant += factor * (factor > 0 ? range.greatest : range.least);
    }
  }

  bool is_one(NodeId number) const {
    const Linear form = graph_.as_form(number);
    return form.terms.empty() && form.constant == 1;
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

  Counts sum_of(Sum sum) const {
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
    if (range.least >= 0 || range.greatest < 0) return {range.least >= 0 ? Op::met : Op::never};
    return {Op::atom, {}, std::move(sum)};
  }

  const RuleSet& rules_;
  const RuleGraph& graph_;
  Player mover_;
};

class CountGoalBound final : public GoalBound {
 public:
  explicit CountGoalBound(const RuleSet& rules) : slots_(rules.slots) {
    for (std::size_t k = 0; k < rules.kinds.size(); ++k) plane_of_.push_back(rules.plane_of(k));
    for (const Player mover : {Player::first, Player::second}) {
      const auto who = static_cast<std::size_t>(mover);
      for (int plane = 0; plane < rules.layout.count(); ++plane) {
        const bool used = std::any_of(plane_of_.begin(), plane_of_.end(),
                                      [&](const PlaneChoice& kind) { return plane_for(kind, mover) == plane; });
        if (!used) unused_[who].push_back(static_cast<std::size_t>(plane));
      }
      goal_[who] = CountReader(rules, mover).read(rules.goal, true);
      informative_ |= goal_[who].op != Counts::Op::met;
    }
    for (const Player mover : {Player::first, Player::second}) {
      std::vector<std::vector<MoveDelta>> by_move;
      for (const MoveRule& move : rules.moves) by_move.push_back(move_deltas(rules, move, mover));
      for (Counts& goal : goal_) find_gains(rules, mover, by_move, goal);
    }
  }

  bool informative() const override { return informative_; }

  int plies(const Position& position) const override {
    if (!informative_) return 0;
    Player mover = position.mover;
    // A canonical position may be one with the players exchanged; where they do not own equally many kinds, a stone then
    // stands on a plane that no kind of its owner uses. It is worth what the position is that it stands for.
    for (const std::size_t plane : unused_[static_cast<std::size_t>(position.mover)]) {
      if (position.planes[plane] != 0) mover = other(position.mover);
    }
    std::array<std::int64_t, kMaxPlanes> kinds = {};  // cells that hold each
    for (std::size_t k = 0; k < plane_of_.size(); ++k)
      kinds[k] = std::popcount(position.planes[static_cast<std::size_t>(plane_for(plane_of_[k], mover))]);
    std::array<std::int64_t, kMaxSlots> slots = {};  // as first sees them
    for (std::size_t s = 0; s < slots_.size(); ++s)
      slots[s] = position.state[slot_seen_by(slots_, s, mover)] + slots_[s].range.least;
    const auto who = static_cast<std::size_t>(mover);
    int out = kNever;
    for (const Player last : {Player::first, Player::second}) {
      const bool even = last == mover;  // plies left
      const int of = distance_to(goal_[static_cast<std::size_t>(last)], even ? 0 : 1, kNever, [&](const Sum& sum) {
        std::int64_t value = sum.constant + sum.passes * position.passes;
        for (std::size_t k = 0; k < sum.kinds.size(); ++k) value += sum.kinds[k] * kinds[k];
        for (std::size_t s = 0; s < sum.slots.size(); ++s) value += sum.slots[s] * slots[s];
        return plies_to_gain(-value, sum.gain[who], sum.gain[1 - who], even);
      });
      out = std::min(out, of);
    }
    return out;
  }

 private:
  // The most that a ply of `mover` adds to each sum, over all that the moves may do.
  void find_gains(const RuleSet& rules, Player mover, const std::vector<std::vector<MoveDelta>>& by_move,
                  Counts& goal) const {
    for (Counts& part : goal.parts) find_gains(rules, mover, by_move, part);
    if (goal.op != Counts::Op::atom) return;
    const Sum& sum = goal.atom;
    std::vector<int> slots(sum.slots.size());  // as `mover` sees them
    for (std::size_t s = 0; s < slots.size(); ++s) slots[s] = sum.slots[slot_seen_by(slots_, s, mover)];
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
    goal.atom.gain[static_cast<std::size_t>(mover)] = most.value_or(0);
  }

  std::vector<PlaneChoice> plane_of_;
  std::array<std::vector<std::size_t>, 2> unused_;  // planes that hold no kind where first, where second is to move
  std::vector<StateSlot> slots_;
  std::array<Counts, 2> goal_;  // where first is to move when it holds, where second is
  bool informative_ = false;
};

// Where a man stands, or some cells.
struct Place {
  bool man = false;
  std::size_t owner = 0;  // of the man
  std::size_t kind = 0;
  CellSet cells = 0;
};
using JoinedPlaces = Joined<Place>;
using PlaceGoal = Joined<JoinedPlaces>;  // atoms: that such a set has a cell

class PieceGoalBound final : public GoalBound {
 public:
  PieceGoalBound(const RuleSet& rules, const PieceSet& pieces) : set_(&pieces) {
    find_distances();
    for (auto& by : on_board_.by) {
      by.fill(kFar);
      std::fill_n(by.begin(), rules.board.size(), std::uint8_t{0});
    }
    for (auto& by : nowhere_.by) by.fill(kFar);
    for (const Player mover : {Player::first, Player::second}) {
      const auto cells = [&](const RuleNode& n, bool in) { return read_place(rules, mover, n, in); };
      goal_[static_cast<std::size_t>(mover)] = read_joined<JoinedPlaces>(
          rules.graph, rules.goal, true, mover, [&](const RuleNode& n, bool holds) -> PlaceGoal {
            if (n.op != NodeOp::any || !holds) return {PlaceGoal::Op::met};
            return {PlaceGoal::Op::atom, {}, read_joined<Place>(rules.graph, n.args[0], true, mover, cells)};
          });
    }
  }

  bool informative() const override { return informative_; }

  // Whoever is to move when the goal holds.
  int plies(const Position& position) const override {
    const auto some = [&](const JoinedPlaces& places) { return plies_to_some(places, position); };
    return std::min(distance_to(goal_[0], 0, kNever, some), distance_to(goal_[1], 0, kNever, some));
  }

 private:
  using ByCellAndCell = std::array<std::array<std::uint8_t, kMaxCells>, kMaxCells>;

  // Cells that are in a set, or not in it.
  JoinedPlaces read_place(const RuleSet& rules, Player mover, const RuleNode& n, bool in) {
    JoinedPlaces anywhere{JoinedPlaces::Op::met};
    if (n.op == NodeOp::constant)
      return {JoinedPlaces::Op::atom, {}, {false, 0, 0, in ? n.value : rules.graph.all() & ~n.value}};
    if (n.op != NodeOp::cell_input || !in) return anywhere;
    const auto own = static_cast<std::size_t>(rules.layout.own);
    const auto plane = static_cast<std::size_t>(n.value - kPlanes);
    const bool movers = plane < own;
    const std::size_t kind = plane % std::max<std::size_t>(own, 1);
    const std::vector<PieceKind>& kinds = set_->kinds;
    if (plane >= 2 * own || kind >= kinds.size()) return anywhere;
    const bool may_appear = std::any_of(kinds.begin(), kinds.end(), [&](const PieceKind& k) {
      return std::find(k.promotions.begin(), k.promotions.end(), kind) != k.promotions.end();
    });
    // What the king castles with goes where it could not go by itself.
    const bool carried = set_->castling_slot >= 0 && set_->castles_with(kind);
    if (may_appear || carried) return anywhere;
    informative_ = true;
    return {JoinedPlaces::Op::atom, {}, {true, movers == (mover == Player::first) ? 0U : 1U, kind, 0}};
  }

  // Breadth first over all that the powers reach, whatever stands on the board.
  void find_distances() {
    const auto cells = static_cast<std::size_t>(set_->width * set_->height);
    for (std::size_t owner = 0; owner < 2; ++owner) {
      for (std::size_t kind = 0; kind < set_->kinds.size(); ++kind) {
        const PieceTables& t = set_->tables[owner][kind];
        ByCell next = {};
        for (std::size_t from = 0; from < cells; ++from) {
          next[from] = t.move_leaps[from] | t.capture_leaps[from];
          for (const Ride& ride : t.rides) next[from] |= set_->rays[ride.ray].stops[from];
          for (const ConditionalStep& step : t.steps) next[from] |= step.to[from];
          if (!set_->kinds[kind].royal || set_->castling_slot < 0) continue;
          for (const int step : {-2, 2}) {  // castling
            const int x = set_->x(static_cast<Cell>(from)) + step;
            if (x >= 0 && x < set_->width) next[from] |= cell_bit(static_cast<Cell>(static_cast<int>(from) + step));
          }
        }
        ByCellAndCell& by = distance_[owner].emplace_back();
        for (std::size_t from = 0; from < cells; ++from) {
          by[from].fill(kFar);
          CellSet met = cell_bit(static_cast<Cell>(from));
          CellSet layer = met;
          for (std::uint8_t moves = 0; layer != 0; ++moves) {
            CellSet after = 0;
            for (CellSet rest = layer; rest != 0; rest &= rest - 1) {
              const auto at = static_cast<std::size_t>(std::countr_zero(rest));
              by[from][at] = moves;
              after |= next[at];
            }
            layer = after & ~met;
            met |= layer;
          }
        }
      }
    }
  }

  Needs needs(const Place& place, const Position& position) const {
    Needs out = nowhere_;
    if (!place.man) {
      for (std::size_t c = 0; c < kMaxCells; ++c) {
        if ((place.cells >> c & 1) != 0) out.by[0][c] = out.by[1][c] = 0;
      }
      return out;
    }
    out.by[1 - place.owner] = on_board_.by[1 - place.owner];
    auto& by = out.by[place.owner];
    const bool movers = (place.owner == 0) == (position.mover == Player::first);
    for (CellSet rest = position.planes[set_->plane(movers, place.kind)]; rest != 0; rest &= rest - 1) {
      const auto& from = distance_[place.owner][place.kind][static_cast<std::size_t>(std::countr_zero(rest))];
      for (std::size_t c = 0; c < by.size(); ++c) by[c] = std::min(by[c], from[c]);
    }
    return out;
  }

  // Until a set of cells has one.
  int plies_to_some(const JoinedPlaces& places, const Position& position) const {
    const Needs of =
        distance_to(places, on_board_, nowhere_, [&](const Place& place) { return needs(place, position); });
    const auto mover = static_cast<std::size_t>(position.mover);
    int out = kNever;
    for (std::size_t c = 0; c < kMaxCells; ++c) {
      const int mine = of.by[mover][c];
      const int theirs = of.by[1 - mover][c];
      if (mine >= kFar || theirs >= kFar) continue;
      out = std::min(out, std::max(2 * mine - 1, 2 * theirs));
    }
    return std::max(out, 0);
  }

  const PieceSet* set_;
  std::array<std::vector<ByCellAndCell>, 2> distance_;  // the fewest moves of a man: by owner, kind, from, to
  Needs on_board_;                                      // none, and no end of moves
  Needs nowhere_;
  std::array<PlaceGoal, 2> goal_;  // where first, where second is to move when it holds
  bool informative_ = false;
};

}  // namespace

std::unique_ptr<const GoalBound> count_goal_bound(const RuleSet& rules) {
  return std::make_unique<CountGoalBound>(rules);
}

std::unique_ptr<const GoalBound> piece_goal_bound(const RuleSet& rules, const PieceSet& pieces) {
  return std::make_unique<PieceGoalBound>(rules, pieces);
}

Goal::Goal(const Rules& rules)
    : layout_(rules.set().layout),
      slots_(static_cast<int>(rules.set().slots.size())),
      program_(rules.set().graph, std::vector<NodeId>{rules.set().goal}, rules.set().number_bounds()) {}

void Goal::holds(const PositionBatch& batch, Workspace& work, std::vector<std::uint8_t>& out) const {
  if (out.size() < batch.size) out.resize(batch.size);
  InputPointers pointers;
  std::array<std::uint64_t, kLanes> found;
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, batch.size - begin);
    program_.run(program_input(batch, begin, pointers), lanes, work);
    program_.read_set(0, lanes, work, found.data());
    for (std::size_t k = 0; k < lanes; ++k) out[begin + k] = found[k] != 0 ? 1 : 0;
  }
}

bool Goal::holds(const Position& position) const {
  PositionBatch batch(layout_.count(), slots_);
  batch.push(position);
  Workspace work;
  std::vector<std::uint8_t> out;
  holds(batch, work, out);
  return out[0] != 0;
}

}  // namespace plenum
