// SPDX-License-Identifier: Apache-2.0
// What a game takes by rows of bits. The prediction itself is predict_bit_rows() (bit_rows.h).
//
// Private to solver/bits/bit_row*.cpp. Thread-safety: none needed.
#pragma once

#include <cstdint>

#include "solver/bits/bit_row_solver.h"

namespace plenum {

// The least memory that one of so many ranks takes besides the program, for tiers from so many stones on: bytes.
std::uint64_t bit_row_bytes(const RowGame& rows, const BitRowRules& rules, int least_stones, int ranks);

}  // namespace plenum
