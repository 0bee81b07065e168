// SPDX-License-Identifier: Apache-2.0
// The section of the language's reference on Betza's notation, as parse_betza takes it, with drawings of what it makes of it.
// Thread-safety: a pure function.
#pragma once

#include <string>

namespace plenum {

// Markdown, beginning with its heading.
std::string piece_reference();

}  // namespace plenum
