// SPDX-License-Identifier: Apache-2.0
// How boards, charts and maps look: one style sheet, for reports and for the explorer's page. Colours are variables, which a page may set
// otherwise where it is dark.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

namespace plenum {

std::string_view picture_style();
// How many shades there are, from light to dark: classes s0, s1, ...
inline constexpr int kShades = 17;

}  // namespace plenum
