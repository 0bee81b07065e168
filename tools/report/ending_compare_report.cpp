// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ending_compare_report.h"

#include <absl/strings/str_cat.h>

#include "tools/report/compare_parts.h"
#include "tools/report/describe.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

std::uint64_t between_levels(const Comparison& c) {
  const auto at = [&](Outcome a, Outcome b) {
    return c.outcomes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  };
  return at(Outcome::tie, Outcome::cycle) + at(Outcome::cycle, Outcome::tie);
}

Json changes_json(const Comparison& c) {
  Json out;
  out["common"] = c.common;
  out["changed"] = c.changed;
  out["changed_winner"] = c.changed - between_levels(c);
  out["changed_plies"] = c.plies;
  out["outcomes"] = outcomes_json(c);
  return out;
}

}  // namespace

Json ending_comparison_json(const EndingTables& a, const EndingTables& b, const EndingComparison& found,
                            const Cost& cost) {
  Json out;
  out["schema"] = 1;
  out["a"] = game_json(a.variant());
  out["b"] = game_json(b.variant());
  out["board"] = a.variant().board().name();
  out["material"] = to_text(*a.variant().rule_set().pieces, a.material());
  out["differences"] = differences_json(differences(a.variant().identity(), b.variant().identity()));
  const Comparison both = found.both();
  out["positions"] = {
      {"common", both.common}, {"only_a", found.legal[0] - both.common}, {"only_b", found.legal[1] - both.common}};
  out["any_changed"] = both.changed > 0;
  out.update(changes_json(both));
  out["white_to_move"] = changes_json(found.counts[0]);
  out["black_to_move"] = changes_json(found.counts[1]);
  out["examples"] = Json::array();
  for (const ComparedPosition& example : found.examples)
    out["examples"].push_back(position_json({a.variant(), b.variant()}, example));
  out["cost"] = cost_json(cost);
  return out;
}

std::string ending_comparison_page(const EndingTables& a, const EndingTables& b, const EndingComparison& found) {
  const ComparedVariants variants{a.variant(), b.variant()};
  Text out;
  write_rules(variants, differences(a.variant().identity(), b.variant().identity()), out);
  const Comparison both = found.both();
  out.section(absl::StrCat("Positions of ", to_text(*a.variant().rule_set().pieces, a.material())));
  out.line(absl::StrCat(number(both.common), " are legal in both; ", number(found.legal[0] - both.common),
                        " in A alone, ", number(found.legal[1] - both.common), " in B alone"));
  const std::uint64_t levels = between_levels(both);
  out.line(both.changed == 0 ? std::string("none of those in both changes value")
                             : absl::StrCat(number(both.changed - levels), " of those in both change who wins (",
                                            percent(share(both.changed - levels, both.common)), "), ", number(levels),
                                            " between ties and cycles alone"));
  if (both.plies > 0) out.line(absl::StrCat("of the others, ", number(both.plies), " take longer or shorter to win"));
  for (const Player player : {Player::first, Player::second}) {
    const Comparison& c = found.counts[static_cast<std::size_t>(player)];
    out.raw("");
    out.line(absl::StrCat(player == Player::first ? "white" : "black", " to move: ", number(c.common), " positions, ",
                          number(c.changed - between_levels(c)), " change who wins"));
    write_outcomes(c, out);
  }
  if (found.examples.empty()) return out.text();
  out.section("One of each kind that changes, the most frequent kinds first, with the moves that differ");
  out.line("(keeps): the move keeps the value");
  for (const ComparedPosition& example : found.examples) {
    out.raw("");
    const auto in_a = static_cast<std::size_t>(example.a.outcome);
    const auto in_b = static_cast<std::size_t>(example.b.outcome);
    out.line(absl::StrCat(to_text(a.variant().rule_set(), example.position), "   one of ",
                          count(both.outcomes[in_a][in_b], "position")));
    write_both(variants, example, out);
  }
  return out.text();
}

}  // namespace plenum
