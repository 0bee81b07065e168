// SPDX-License-Identifier: Apache-2.0
#include "solver/study/orders.h"

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

ChangeOrder draw_order(int cells, std::size_t number) {
  ChangeOrder out;
  for (int c = 0; c < cells; ++c) out.order.push_back(cell_bit(static_cast<Cell>(c)));
  if (number == 1) std::reverse(out.order.begin(), out.order.end());
  if (number > 1) {
    std::mt19937_64 random(number);
    for (std::size_t i = out.order.size(); i > 1; --i) std::swap(out.order[i - 1], out.order[random() % i]);
  }
  return out;
}

// The moves of one position that both ways of changing cells know, and where their results differ.
std::optional<OrderDifference> find_difference(const Rules& together, const Rules& one_by_one, const ChangeOrder& order,
                                               const Position& position) {
  const auto a = successors(together, position);
  const auto b = successors(one_by_one, position);
  if (!a.ok() || !b.ok()) return std::nullopt;
  std::map<std::string, std::string> results;
  for (const Successor& s : *b) results[s.text] = one_by_one.write(s.position);
  OrderDifference out;
  out.position = together.write(position);
  for (const CellSet cell : order.order)
    out.order.push_back(together.board().cell_name(static_cast<Cell>(std::countr_zero(cell))));
  for (const Successor& s : *a) {
    const std::string result = together.write(s.position);
    const auto found = results.find(s.text);
    out.move = s.text;
    out.together = result;
    out.one_by_one = found == results.end() ? "illegal" : found->second;
    if (out.one_by_one != result) return out;
    results.erase(found);
  }
  if (results.empty()) return std::nullopt;
  out.move = results.begin()->first;
  out.together = "illegal";
  out.one_by_one = results.begin()->second;
  return out;
}

bool same(const Rules::Scratch& a, const Rules::Scratch& b) {
  if (a.successors.size != b.successors.size) return false;
  const auto equal = [&](const auto& one, const auto& two) {
    return std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(a.successors.size), two.begin());
  };
  bool out = equal(a.parent, b.parent) && equal(a.successors.passes, b.successors.passes);
  for (std::size_t i = 0; out && i < a.successors.size; ++i) out = a.move_of(i) == b.move_of(i);
  for (std::size_t p = 0; p < a.successors.planes.size(); ++p)
    out = out && equal(a.successors.planes[p], b.successors.planes[p]);
  for (std::size_t s = 0; s < a.successors.state.size(); ++s)
    out = out && equal(a.successors.state[s], b.successors.state[s]);
  return out;
}

}  // namespace

absl::StatusOr<OrderReport> compare_orders(const Description& description, std::size_t orders,
                                           const EnumerationLimits& limits) {
  ASSIGN_OR_RETURN(const Variant made, Variant::make(description));
  const Variant variant = made.without_symmetries();  // orders tell cells apart
  const Rules& rules = variant.rules();
  OrderReport out;
  out.effects = variant.rule_set().orders;
  if (out.effects.empty()) return out;
  ASSIGN_OR_RETURN(const Enumeration found, enumerate(variant, rules.start(), limits));
  Rules::Scratch scratch(rules);
  for (std::size_t k = 0; k < orders; ++k) {
    const ChangeOrder order = draw_order(variant.board().size(), k);
    ASSIGN_OR_RETURN(const std::shared_ptr<const Rules> other, Rules::compile(description, variant.board(), order));
    Rules::Scratch other_scratch(*other);
    PositionBatch batch = rules.batch();
    ++out.orders;
    for (PositionIndex i = 0; i < found.graph.size(); ++i) {
      if (!found.graph.ended(i)) batch.push(found.store->position(i));
      if (batch.size < kLanes && i + 1 < found.graph.size()) continue;
      for (const auto& [which, into] : {std::pair{&rules, &scratch}, {other.get(), &other_scratch}}) {
        RETURN_IF_ERROR(which->expand(batch, *into));
      }
      if (k == 0) {
        out.positions += batch.size;
        out.moves += scratch.successors.size;
      }
      if (!same(scratch, other_scratch)) {
        for (std::size_t p = 0; p < batch.size && !out.difference; ++p)
          out.difference = find_difference(rules, *other, order, batch.at(p));
        if (out.difference) return out;  // else the same moves, in another order
      }
      batch.clear();
    }
  }
  return out;
}

}  // namespace plenum
