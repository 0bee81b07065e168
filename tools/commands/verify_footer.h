// SPDX-License-Identifier: Apache-2.0
// The result in a table's footer, held against what verifying the table has found.
//
// Everything that stands there is made again: counts are verify's own; values of the start and of the openings are read from
// the bytes, which are verified by then. The page for people is compared too, as `solve` prints it without solving.
//
// Thread-safety: no state.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "solver/verify/verify.h"
#include "tools/session/tables.h"

namespace plenum {

struct FooterMismatch {
  std::string place;  // as a JSON pointer
  Json found;
  Json expected;
};
absl::StatusOr<std::vector<FooterMismatch>> verify_footer(const OpenTable& table, const Variant& variant,
                                                          const Verification& found);
// The same against a result and a page that are known.
std::vector<FooterMismatch> compare_footer(const OpenTable& table, const Json& result, const std::string& page);

}  // namespace plenum
