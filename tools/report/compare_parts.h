// SPDX-License-Identifier: Apache-2.0
// What the pages and the JSON of two games compared have in common, whichever way the games were solved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/study/comparison.h"
#include "tools/report/json_report.h"
#include "tools/report/page_text.h"

namespace plenum {

// An option or a rule that is not the same in both; nothing where one has it not.
struct Difference {
  std::string what;
  std::optional<std::string> a;
  std::optional<std::string> b;
};
// By name.
std::vector<Difference> differences(const GameIdentity& a, const GameIdentity& b);
Json differences_json(const std::vector<Difference>& rules);

struct ComparedVariants {
  const Variant& a;
  const Variant& b;
};

Json position_json(const ComparedVariants& f, const ComparedPosition& p);
Json outcomes_json(const Comparison& counts);  // [in a][in b]

void write_rules(const ComparedVariants& f, const std::vector<Difference>& rules, pages::Text& out);
// How many positions have which outcome in both.
void write_outcomes(const Comparison& counts, pages::Text& out);
// A position drawn in both games beside each other, with the moves that differ.
void write_both(const ComparedVariants& f, const ComparedPosition& p, pages::Text& out);

}  // namespace plenum
