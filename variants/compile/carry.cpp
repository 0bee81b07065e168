// SPDX-License-Identifier: Apache-2.0
// Effects that carry what stands on some cells elsewhere, and effects by the name of their definition.
#include <algorithm>
#include <array>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/compile/move_compiler.h"

namespace plenum {
namespace {

// From the middle, in half columns and half rows, to where a cell there is carried.
struct Turn {
  const char* name;
  std::array<int, 4> matrix;  // the new column by column and row, the new row likewise
};
constexpr std::array<Turn, 5> kTurns = {{{"turn_left", {0, -1, 1, 0}},
                                         {"turn_right", {0, 1, -1, 0}},
                                         {"turn_round", {-1, 0, 0, -1}},
                                         {"mirror_columns", {-1, 0, 0, 1}},
                                         {"mirror_rows", {1, 0, 0, -1}}}};

}  // namespace

// The condition is judged once, before the first of the effects.
void MoveCompiler::apply_defined(const Effect& effect, NodeId condition, Scope& scope, MoveRule& rule) {
  const std::string& name = effect.definition->word;
  const auto found = description_.definitions.find(name);
  if (found == description_.definitions.end() || found->second.effects.empty()) {
    std::vector<std::string> known;
    for (const auto& [other, definition] : description_.definitions) {
      if (!definition.effects.empty()) known.push_back(other);
    }
    fail_at(effect.definition->span, absl::StrCat("there is no effect '", name, "'"),
            known.empty() ? "an effect is SET -> kind or name = value; one by name is defined under [define]"
                          : suggestion(name, known, "effects"));
  }
  if (std::find(scope.definitions.begin(), scope.definitions.end(), name) != scope.definitions.end())
    fail_at(found->second.span, absl::StrCat("the definition '", name, "' uses itself"),
            "definitions cannot be recursive");
  scope.definitions.push_back(name);
  for (const Effect& item : found->second.effects) apply(item, condition, scope, rule);
  scope.definitions.pop_back();
}

// Where each cell of the set gets its contents from, if `by` names a turn.
std::optional<Relation> MoveCompiler::turn(const Effect& effect, NodeId set) const {
  const auto turn = std::find_if(kTurns.begin(), kTurns.end(), [&](const Turn& one) {
    return effect.by->kind == Expression::Kind::name && effect.by->word == one.name;
  });
  if (turn == kTurns.end()) return std::nullopt;
  const std::vector<int>* const rows = rules_.board.coordinate("row");
  const std::vector<int>* const columns = rules_.board.coordinate("column");
  if (rows == nullptr || columns == nullptr)
    fail_at(effect.by->span, absl::StrCat("cells cannot be turned on the board ", rules_.board.name()),
            "boards of squares have rows and columns");
  if (graph_.node(set).op != NodeOp::constant)
    fail_at(effect.from->span, "what is turned must be fixed cells", "they may depend on options and 'chosen' only");
  const CellSet cells = graph_.node(set).value;
  std::array<int, 2> least = {1000, 1000};
  std::array<int, 2> greatest = {-1000, -1000};
  for (CellSet rest = cells; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    const std::array<int, 2> at = {(*columns)[c], (*rows)[c]};
    for (std::size_t k = 0; k < 2; ++k) {
      least[k] = std::min(least[k], at[k]);
      greatest[k] = std::max(greatest[k], at[k]);
    }
  }
  const std::array<int, 2> middle = {least[0] + greatest[0], least[1] + greatest[1]};
  Relation out(static_cast<std::size_t>(rules_.board.size()), 0);
  CellSet filled = 0;
  for (CellSet rest = cells; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    const int x = 2 * (*columns)[c] - middle[0];
    const int y = 2 * (*rows)[c] - middle[1];
    const auto& m = turn->matrix;
    const int to_x = m[0] * x + m[1] * y + middle[0];
    const int to_y = m[2] * x + m[3] * y + middle[1];
    for (std::size_t to = 0; to < out.size(); ++to) {
      if (2 * (*columns)[to] != to_x || 2 * (*rows)[to] != to_y) continue;
      out[to] |= rest & -rest;
      filled |= cell_bit(static_cast<Cell>(to));
    }
  }
  if (filled != cells)
    fail_at(effect.from->span, "these cells do not fall on one another when they are turned so",
            "a square may be turned any way, a rectangle by turn_round, mirror_columns and mirror_rows");
  return out;
}

void MoveCompiler::carry(const Effect& effect, NodeId condition, Scope& scope, MoveRule& rule) {
  const NodeId set = elaborator_.cells(effect.from, scope);
  const std::optional<Relation> turned = turn(effect, set);
  const ByMover way = turned ? ByMover() : elaborator_.one_way(effect.by, scope);
  const NodeId here = graph_.conjunction({set, condition});
  const NodeId elsewhere = graph_.complement(here);
  const auto carried = [&](NodeId plane) {
    const NodeId leaving = graph_.conjunction({plane, here});
    return turned ? graph_.image(graph_.intern(*turned), leaving) : elaborator_.ahead(way, leaving);
  };
  NodeId changed = scope.changed;
  for (NodeId& plane : scope.planes) {
    const NodeId old = plane;
    plane = graph_.disjunction({graph_.conjunction({old, elsewhere}), graph_.conjunction({carried(old), here})});
    changed = graph_.disjunction({changed, graph_.conjunction({old, graph_.complement(plane)}),
                                  graph_.conjunction({plane, graph_.complement(old)})});
  }
  scope.changed = changed;
  const CellContents from = contents(rules_, elaborator_.cells(effect.from, abstract(scope)));
  for (int p = 0; p < rules_.layout.count(); ++p) {
    if (((from >> p) & 1) != 0) rule.transitions.push_back({from, {p, p}, false, true});
  }
  rule.transitions.push_back({from, {-1, -1}, false, turned.has_value()});
}

}  // namespace plenum
