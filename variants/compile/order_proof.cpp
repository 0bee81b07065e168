// SPDX-License-Identifier: Apache-2.0
// Whether the order in which cells change matters for the outcome of `repeat` and `spread`: a proof by polarity.
//
// All changes of the effect are to one kind. A cell's condition may only come to hold, never cease to, as others change: it
// rises with the kind gained and falls with the kinds lost. Then whatever order is taken, the same least set of cells changes
// (the operator is monotone; Knaster and Tarski). A spread asks only cells beside those that changed, so there the condition
// must depend on nothing farther away.
#include <algorithm>
#include <map>

#include <absl/strings/str_cat.h>

#include "variants/compile/move_compiler.h"

namespace plenum {
namespace {

// How a value may move while cells change.
using Trend = unsigned;
constexpr Trend kRises = 1;
constexpr Trend kFalls = 2;

Trend turned(Trend t) { return ((t & kRises) != 0 ? kFalls : 0) | ((t & kFalls) != 0 ? kRises : 0); }

struct Reading {
  Trend trend = 0;
  bool local = true;      // depends on changing cells at the cell itself or beside it only
  bool pointwise = true;  // at the cell itself only
};

class Polarity {
 public:
  Polarity(const RuleGraph& graph, CellContents gained, CellContents lost, const Relation* beside)
      : graph_(graph), gained_(gained), lost_(lost), beside_(beside) {}

  Reading read(NodeId id) {
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
    return known_[id] = make(graph_.node(id));
  }

  // The factors that ask what the cell itself holds may cease to hold: it has changed then.
  bool holds_itself(NodeId id) const {
    const RuleNode& n = graph_.node(id);
    if (n.op == NodeOp::cell_input) return n.value < kMaxPlanes;
    const bool simple = traits(n.op).cellwise != nullptr || n.op == NodeOp::mover_is_first || n.op == NodeOp::constant;
    return simple && std::all_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return holds_itself(arg); });
  }

 private:
  Reading make(const RuleNode& n) {
    if (n.op == NodeOp::cell_input) return make_input(n);
    const NodeTraits& t = traits(n.op);
    Reading out;
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const Reading one = read(n.args[i]);
      out.trend |= trend_by(n, i, one.trend);
      out.local &= one.local;
      out.pointwise &= one.pointwise;
    }
    // What does not change may be anywhere.
    if (out.trend == 0) return {};
    if (t.reach == NodeReach::here) return out;
    const bool near = t.reach == NodeReach::beside && out.pointwise && is_beside(graph_.relation(n.relation));
    return {out.trend, near, false};
  }

  // What an argument's trend makes of the result.
  static Trend trend_by(const RuleNode& n, std::size_t i, Trend of) {
    if (of == 0) return 0;
    switch (traits(n.op).trend(i)) {
      case '+':
        return of;
      case '-':
        return turned(of);
      case 'w':
        return n.coefficients[i] > 0 ? of : turned(of);
      default:
        return kRises | kFalls;
    }
  }

  Reading make_input(const RuleNode& n) const {
    if (n.value == kChanged) return {kRises, true, true};
    if (n.value >= kMaxPlanes) return {};
    const CellContents bit = CellContents{1} << n.value;
    return {((gained_ & bit) != 0 ? kRises : 0) | ((lost_ & bit) != 0 ? kFalls : 0), true, true};
  }

  // Whether only cells beside it are seen from a cell.
  bool is_beside(const Relation& relation) const {
    if (beside_ == nullptr) return false;
    const Relation seen = transposed(relation);
    for (std::size_t c = 0; c < seen.size(); ++c) {
      if ((seen[c] & ~(*beside_)[c]) != 0) return false;
    }
    return true;
  }

  const RuleGraph& graph_;
  CellContents gained_;
  CellContents lost_;
  const Relation* beside_;
  std::map<NodeId, Reading> known_;
};

}  // namespace

OrderNote MoveCompiler::prove_order(const Effect& effect, const std::vector<Transition>& transitions,
                                    const Scope& scope) {
  const PlaneChoice to = transitions[0].to;
  const bool one_kind = to.if_first == to.if_second && std::all_of(transitions.begin(), transitions.end(),
                                                                   [&](const Transition& t) { return t.to == to; });
  if (!one_kind) return {effect.span, false, "the cells do not all come to hold the same"};
  const int nothing = rules_.layout.count();
  const CellContents gained = CellContents{1} << (to.if_first < 0 ? nothing : to.if_first);
  CellContents lost = 0;
  for (const Transition& t : transitions) lost |= t.from;
  lost &= ~gained;
  Scope standing = abstract(scope);
  std::array<Relation, 2> beside;
  if (effect.way == Effect::Way::spread) {
    const ByMover by = elaborator_.dirs(effect.by, scope);
    beside = {by[0].all, by[1].all};
  }
  for (const Relation& around : beside) {
    Polarity polarity(graph_, gained, lost, around.empty() ? nullptr : &around);
    for (const Effect::Clause& clause : effect.clauses) {
      const NodeId set = elaborator_.cells(clause.value, standing);
      const RuleNode n = graph_.node(set);
      for (const NodeId factor : n.op == NodeOp::conjunction ? n.args : std::vector<NodeId>{set}) {
        if (polarity.holds_itself(factor)) continue;
        const Reading reading = polarity.read(factor);
        if ((reading.trend & kFalls) != 0)
          return {effect.span, false, "a cell that could change might no longer when others have"};
        if (effect.way == Effect::Way::spread && !reading.local)
          return {effect.span, false, "a cell's change may depend on cells that are not beside it"};
      }
    }
  }
  return {effect.span, true, "changes only ever make more cells change"};
}

}  // namespace plenum
