// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/known_cells.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <absl/container/inlined_vector.h>

#include "variants/graph/enum_table.h"

namespace plenum {
namespace {

constexpr std::int64_t kAnyNumber = std::int64_t{1} << 40;  // less than that in size is followed
constexpr Interval kAny{-kAnyNumber, kAnyNumber};           // anything else

bool is_any(const Interval& a) { return a.least <= -kAnyNumber || a.greatest >= kAnyNumber; }

Interval within_any(const Interval& a) { return is_any(a) ? kAny : a; }

Interval either_of(const Interval& a, const Interval& b) {
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

}  // namespace

KnownCells KnownCells::nothing_known(const RuleSet& rules, Player mover) {
  KnownCells out;
  out.mover = mover;
  out.holds.assign(static_cast<std::size_t>(rules.layout.count()) + 1, 0);
  out.holds.back() = rules.board.all();
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    const PlaneChoice plane = rules.plane_of(k);
    out.holds[static_cast<std::size_t>(mover == Player::first ? plane.if_first : plane.if_second)] = rules.board.all();
  }
  out.held = out.holds;
  out.touched = rules.board.all();
  out.origin = out.placed = out.taken = {0, rules.board.all()};
  return out;
}

void KnownCells::set(Cell cell, int content) {
  for (CellSet& cells : holds) cells &= ~cell_bit(cell);
  holds[static_cast<std::size_t>(content)] |= cell_bit(cell);
}

CellBounds::CellBounds(const RuleSet& rules, std::span<const NodeId> roots)
    : rules_(rules),
      contents_(static_cast<std::size_t>(rules.layout.count()) + 1),
      order_(rules.graph.reachable(roots)),
      at_(rules.graph.size(), 0),
      values_(order_.size()) {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    at_[static_cast<std::size_t>(order_[i])] = i;
    const NodeTraits& t = traits(rules.graph.node(order_[i]).op);
    if (t.is_set()) values_[i].sets.resize(contents_);
    if (t.is_field()) values_[i].fields.resize(static_cast<std::size_t>(rules.board.size()));
    if (t.type != NodeType::field && t.type != NodeType::number) continue;
    values_[i].number = within_any(rules.graph.bounds(order_[i], rules.number_bounds()));
    std::fill(values_[i].fields.begin(), values_[i].fields.end(), values_[i].number);
  }
}

void CellBounds::run(const KnownCells& known) {
  known_ = known;
  for (std::size_t i = 0; i < order_.size(); ++i) evaluate(rules_.graph.node(order_[i]), values_[i]);
}

SetBounds CellBounds::of(NodeId root, int content) const { return value(root).sets[static_cast<std::size_t>(content)]; }

SetBounds CellBounds::whole(NodeId root) const { return joined(value(root).sets); }

// Whatever the cells hold of what they may.
SetBounds CellBounds::joined(const std::vector<SetBounds>& by_content) const {
  CellSet may = 0;
  CellSet not_sure = 0;
  for (std::size_t a = 0; a < contents_; ++a) {
    may |= by_content[a].may & known_.holds[a];
    not_sure |= known_.holds[a] & ~by_content[a].must;
  }
  return {rules_.board.all() & ~not_sure, may};
}

void CellBounds::give(Known& out, const SetBounds& to_all) const {
  std::fill(out.sets.begin(), out.sets.end(), to_all);
}

void CellBounds::read_cells(std::uint64_t which, Known& out) const {
  const CellSet all = rules_.board.all();
  const auto planes = static_cast<std::uint64_t>(contents_ - 1);
  if (which < planes) {
    for (std::size_t a = 0; a < contents_; ++a) out.sets[a] = a == which ? SetBounds{all, all} : SetBounds{};
  } else if (which >= kPlanesBefore && which < kPlanesBefore + planes) {
    const auto plane = static_cast<std::size_t>(which - kPlanesBefore);
    CellSet others = 0;
    for (std::size_t b = 0; b < contents_; ++b) others |= b == plane ? 0 : known_.held[b];
    const SetBounds before{known_.touched & known_.held[plane] & ~others, known_.touched & known_.held[plane]};
    for (std::size_t a = 0; a < contents_; ++a) {
      const CellSet same = a == plane ? all & ~known_.touched : 0;
      out.sets[a] = {before.must | same, before.may | same};
    }
  } else {
    give(out, which == kOrigin   ? known_.origin
              : which == kPlaced ? known_.placed
              : which == kTaken  ? known_.taken
                                 : SetBounds{0, all});
  }
}

void CellBounds::cell_by_cell(const RuleNode& n, Known& out) const {
  const NodeTraits& t = traits(n.op);
  const CellSet all = rules_.board.all();
  const std::size_t count = n.args.size();
  bool known = true;
  absl::InlinedVector<std::pair<const SetBounds*, bool>, 4> args;  // by content, and whether more of it means less
  for (std::size_t i = 0; i < count; ++i) {
    known &= t.trend(i) != '?';
    args.emplace_back(value(n.args[i]).sets.data(), t.trend(i) == '-');
  }
  absl::InlinedVector<std::uint64_t, 4> least(count);
  absl::InlinedVector<std::uint64_t, 4> most(count);
  for (std::size_t a = 0; a < contents_; ++a) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [of, falls] = args[i];
      least[i] = falls ? of[a].may : of[a].must;
      most[i] = falls ? of[a].must : of[a].may;
    }
    out.sets[a] = known ? SetBounds{t.cellwise(least) & all, t.cellwise(most) & all} : SetBounds{0, all};
  }
}

template <typename Argument>
Interval CellBounds::sum(const RuleNode& n, const Argument& argument) const {
  Interval out;
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    const Interval by = argument(n.args[i]);
    const std::int64_t weight = n.coefficients[i];
    if (is_any(by) || std::abs(weight) > kAnyNumber >> 20) return kAny;
    out = within_any({out.least + weight * (weight > 0 ? by.least : by.greatest),
                      out.greatest + weight * (weight > 0 ? by.greatest : by.least)});
    if (is_any(out)) return kAny;
  }
  return out;
}

Interval CellBounds::at_cell(NodeId field, std::size_t cell) const {
  const Known& known = value(field);
  return known.fields.empty() ? known.number : known.fields[cell];
}

// A sum of fields or numbers is as great as that, or may be.
void CellBounds::compare(const RuleNode& n, Known& out) const {
  const auto bound = static_cast<std::int64_t>(n.value);
  SetBounds cells;
  for (std::size_t c = 0; c < static_cast<std::size_t>(rules_.board.size()); ++c) {
    const Interval total = sum(n, [&](NodeId arg) { return at_cell(arg, c); });
    if (total.least >= bound && !is_any(total)) cells.must |= cell_bit(static_cast<Cell>(c));
    if (total.greatest >= bound || is_any(total)) cells.may |= cell_bit(static_cast<Cell>(c));
  }
  give(out, cells);
}

// The cells of `through` met on walks from `from` along a direction; with `to`, only on those which then come to a cell of it.
CellSet CellBounds::walked(const Relation& direction, CellSet from, CellSet through, const CellSet* to) const {
  CellSet out = 0;
  for (CellSet rest = from; rest != 0; rest &= rest - 1) {
    const CellSet begin = rest & -rest;
    CellSet run = 0;
    for (CellSet at = direction[static_cast<std::size_t>(std::countr_zero(begin))]; at != 0;
         at = direction[static_cast<std::size_t>(std::countr_zero(at))]) {
      if ((at & (run | begin)) != 0) break;
      if (to != nullptr && (at & *to) != 0) out |= run;
      if ((at & through) == 0) break;
      run |= at;
    }
    if (to == nullptr) out |= run;
  }
  return out;
}

// The operators that are followed further than "part of an argument", "cell by cell" or the bounds of numbers.
struct CellBounds::Operators {
  using B = const CellBounds&;
  using N = const RuleNode&;
  using Entry = void (*)(B, N, Known&);

  static CellSet beside(const Relation& relation, CellSet set) {
    CellSet out = 0;
    for (std::size_t c = 0; c < relation.size(); ++c)
      out |= (relation[c] & set) != 0 ? cell_bit(static_cast<Cell>(c)) : 0;
    return out;
  }
  static CellSet covered_by(const Relation& masks, CellSet set) {
    CellSet out = 0;
    for (const CellSet mask : masks) out |= (mask & ~set) == 0 ? mask : 0;
    return out;
  }
  // The result is part of the set args[part].
  static void part(B b, N n, std::size_t part, const SetBounds& whole, Known& out) {
    const std::vector<SetBounds>& of = b.value(n.args[part]).sets;
    for (std::size_t a = 0; a < b.contents_; ++a) out.sets[a] = {whole.must & of[a].must, whole.may & of[a].may};
  }
  template <typename Function>
  static void by_cell(B b, Known& out, const Function& function) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(b.rules_.board.size()); ++c)
      out.fields[c] = within_any(function(c));
  }
  template <typename Read>
  static Interval chosen(B b, N n, const Read& read) {
    const SetBounds condition = b.whole(n.args[0]);
    if (condition.may == 0) return read(n.args[2]);
    if (condition.must == b.rules_.board.all()) return read(n.args[1]);
    return either_of(read(n.args[1]), read(n.args[2]));
  }
  static Interval moved(const Interval& total, std::int64_t more) {
    if (is_any(total) || std::abs(more) > kAnyNumber) return kAny;
    return within_any({total.least + more, total.greatest + more});
  }
  static Interval number_of(B b, NodeId id) { return b.value(id).number; }

  static constexpr EnumTable<NodeOp, kNodeOps, Entry> kTable{{
      {NodeOp::constant,
       [](B b, N n, Known& out) {
         b.give(out, {n.value, n.value});
       }},
      {NodeOp::cell_input, [](B b, N n, Known& out) { b.read_cells(n.value, out); }},
      {NodeOp::mover_is_first,
       [](B b, N /*n*/, Known& out) {
         const CellSet set = b.known_.mover == Player::first ? b.rules_.board.all() : 0;
         b.give(out, {set, set});
       }},
      {NodeOp::image,
       [](B b, N n, Known& out) {
         const SetBounds of = b.whole(n.args[0]);
         const Relation& relation = b.rules_.graph.relation(n.relation);
         b.give(out, {beside(relation, of.must), beside(relation, of.may)});
       }},
      {NodeOp::cover,
       [](B b, N n, Known& out) {
         const SetBounds of = b.whole(n.args[0]);
         const Relation& masks = b.rules_.graph.relation(n.relation);
         part(b, n, 0, {covered_by(masks, of.must), covered_by(masks, of.may)}, out);
       }},
      {NodeOp::ray,
       [](B b, N n, Known& out) {
         const SetBounds from = b.whole(n.args[0]);
         const SetBounds through = b.whole(n.args[1]);
         const Relation& direction = b.rules_.graph.relation(n.relation);
         part(b, n, 1,
              {b.walked(direction, from.must, through.must, nullptr),
               b.walked(direction, from.may, through.may, nullptr)},
              out);
       }},
      {NodeOp::between,
       [](B b, N n, Known& out) {
         const SetBounds from = b.whole(n.args[0]);
         const SetBounds through = b.whole(n.args[1]);
         const SetBounds to = b.whole(n.args[2]);
         const Relation& direction = b.rules_.graph.relation(n.relation);
         part(b, n, 1,
              {b.walked(direction, from.must, through.must, &to.must),
               b.walked(direction, from.may, through.may, &to.may)},
              out);
       }},
      {NodeOp::any,
       [](B b, N n, Known& out) {
         const SetBounds of = b.whole(n.args[0]);
         const CellSet all = b.rules_.board.all();
         b.give(out, {of.must != 0 ? all : 0, of.may != 0 ? all : 0});
       }},
      {NodeOp::at_least, [](B b, N n, Known& out) { b.compare(n, out); }},
      {NodeOp::player_is,
       [](B b, N n, Known& out) {
         const unsigned one = b.value(n.args[0]).players;
         const unsigned other = b.value(n.args[1]).players;
         const CellSet all = b.rules_.board.all();
         const bool sure = one == other && std::has_single_bit(one);
         b.give(out, {sure ? all : 0, (one & other) != 0 ? all : 0});
       }},
      {NodeOp::near_count,
       [](B b, N n, Known& out) {
         const SetBounds of = b.whole(n.args[0]);
         const Relation& relation = b.rules_.graph.relation(n.relation);
         by_cell(b, out, [&](std::size_t c) {
           return Interval{std::popcount(relation[c] & of.must), std::popcount(relation[c] & of.may)};
         });
       }},
      {NodeOp::constant_field,
       [](B b, N n, Known& out) {
         by_cell(b, out, [&](std::size_t c) { return Interval{n.coefficients[c], n.coefficients[c]}; });
       }},
      {NodeOp::broadcast,
       [](B b, N n, Known& out) { by_cell(b, out, [&](std::size_t /*c*/) { return number_of(b, n.args[0]); }); }},
      {NodeOp::select_field,
       [](B b, N n, Known& out) {
         by_cell(b, out, [&](std::size_t c) { return chosen(b, n, [&](NodeId id) { return b.at_cell(id, c); }); });
       }},
      {NodeOp::linear_field,
       [](B b, N n, Known& out) {
         const auto more = static_cast<std::int64_t>(n.value);
         by_cell(b, out,
                 [&](std::size_t c) { return moved(b.sum(n, [&](NodeId id) { return b.at_cell(id, c); }), more); });
       }},
      {NodeOp::count,
       [](B b, N n, Known& out) {
         const SetBounds of = b.whole(n.args[0]);
         out.number = {std::popcount(of.must), std::popcount(of.may)};
       }},
      {NodeOp::select_number,
       [](B b, N n, Known& out) { out.number = chosen(b, n, [&](NodeId id) { return number_of(b, id); }); }},
      {NodeOp::linear_number,
       [](B b, N n, Known& out) {
         const auto more = static_cast<std::int64_t>(n.value);
         out.number = moved(b.sum(n, [&](NodeId id) { return number_of(b, id); }), more);
       }},
      {NodeOp::player_constant, [](B /*b*/, N n, Known& out) { out.players = 1U << n.value; }},
      {NodeOp::select_player,
       [](B b, N n, Known& out) { out.players = b.value(n.args[1]).players | b.value(n.args[2]).players; }},
  }};
};

void CellBounds::evaluate(const RuleNode& n, Known& out) const {
  const NodeTraits& t = traits(n.op);
  if (Operators::kTable.has(n.op)) {
    Operators::kTable[n.op](*this, n, out);
  } else if (t.cellwise != nullptr) {
    cell_by_cell(n, out);
  } else if (t.is_set() && t.part_of >= 0) {
    Operators::part(*this, n, static_cast<std::size_t>(t.part_of), {0, rules_.board.all()}, out);
  } else if (t.is_set()) {
    give(out, {0, rules_.board.all()});
  }
}

}  // namespace plenum
