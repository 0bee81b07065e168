// SPDX-License-Identifier: Apache-2.0
// Whether a description is in order: it compiles under each of its options, its tests hold, and every name it gives is read.
//
// Thread-safety: no state.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/graph/analysis.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"

namespace plenum {

struct Checked {
  struct Error {
    std::string text;
    std::optional<TextPlace> place;  // where it is about a line of the description
  };
  std::vector<Error> errors;
  std::vector<std::string> notes;
  std::vector<std::string> suggestions;  // (suggestions.h), where they were asked for
  std::size_t compiled = 0;              // settings
  std::size_t tests = 0;
  std::size_t passed = 0;
  int worst = kDone;  // exit code

  void fail(const absl::Status& status, const std::string& behind, int code, const std::string& before = "");
};

// The value of a position, for tests that claim one.
using TestValueFn = std::function<absl::StatusOr<PositionValue>(const Variant& variant, const Position& position)>;

// With every value of every option, and its tests. kCancelled where value_of is.
absl::StatusOr<Checked> check_description(const absl::StatusOr<Description>& description, const TestValueFn& value_of);
// As it stands alone, without its tests: takes milliseconds.
Checked compile_description(const absl::StatusOr<Description>& description);

Json checked_json(const std::string& name, const Checked& found);

}  // namespace plenum
