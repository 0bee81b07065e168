// SPDX-License-Identifier: Apache-2.0
// What a variant is before anything is solved: its options, its board, what is proven about it, and what each method would take. As a
// page and as JSON.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "tools/report/json_report.h"

namespace plenum {

// Within so much memory for the process as a whole, or with several ranks for each.
Json info_json(const Variant& variant, std::uint64_t memory, int ranks = 1);
std::string info_page(const Variant& variant, std::uint64_t memory, int ranks = 1);

}  // namespace plenum
