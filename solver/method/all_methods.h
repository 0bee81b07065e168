// SPDX-License-Identifier: Apache-2.0
// The methods, one a file but for the two on a dense index: their table is in method.cpp. A new one is declared here and added there.
//
// Thread-safety: immutable.
#pragma once

#include "solver/dense/dense_game.h"
#include "solver/method/method.h"

namespace plenum {

const Method& graph_method();
const Method& row_method();
const Method& one_pass_method();
const Method& bit_method();
const Method& ending_method();
const Method& search_method();

// What methods with tables share.
VerifyOptions verify_options(const Request& request);  // keeps a reference to it
std::string boards_at_hand(int stones);                // what their progress counts
// The value of the start and those of the openings as the table has them, which are verified by then; none where some value is not
// there, which is a mismatch already.
absl::Status read_start_again(const Result& opened, Summary& summary);

// What rows, one pass and bits share.
Estimate estimate_of(const DensePrediction& prediction);
DenseOptions dense_options(const Request& request);  // keeps a reference to it

// The game by rows if they can, in one pass otherwise, from the start: with all that DenseGame tells.
absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const DenseOptions& options);

// What keeps an ending from being solved from its start; nothing of other games, and of an ending's positions.
std::optional<std::string> start_obstacle(const Game& game);
inline constexpr const char* kNoStart = "an ending has no position to begin with";

}  // namespace plenum
