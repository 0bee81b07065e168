// SPDX-License-Identifier: Apache-2.0
// In place of the other files here where the program is built without MPI: there is one rank then, and nobody asks.
#include "solver/graph_ranks/ranked_solve.h"

namespace plenum {

absl::StatusOr<RankedSolved> ranked_solve(const Variant& /*variant*/, const Position& /*start*/,
                                          const RankedOptions& /*options*/, Ranks& /*ranks*/) {
  return absl::UnimplementedError("this program was built without MPI");
}

}  // namespace plenum
