// SPDX-License-Identifier: Apache-2.0
// The six methods, one a file: their table is in method.cpp. A new one is declared here and added there.
//
// Thread-safety: immutable.
#pragma once

#include "solver/method/method.h"

namespace plenum {

const Method& graph_method();
const Method& row_method();
const Method& one_pass_method();
const Method& bit_method();
const Method& ending_method();
const Method& search_method();

// What keeps an ending from being solved from its start.
inline constexpr const char* kNoStart = "an ending has no position to begin with";

}  // namespace plenum
