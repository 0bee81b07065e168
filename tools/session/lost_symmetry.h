// SPDX-License-Identifier: Apache-2.0
// The one rule of a description that costs it a symmetry, and the one word in it, if there is just one.
//
// Each rule is left out in turn, and each word of it that speaks of places or of a player is put by one that speaks of all
// alike; what is left is compiled and its symmetries counted.
//
// Cost: a compilation for each rule, and some for each such word. Thread-safety: no shared state.
#pragma once

#include <optional>
#include <string>

#include "variants/language/description.h"
#include "variants/rules/variant.h"

namespace plenum {

struct LostSymmetry {
  Span span;
  std::string what;  // "without 'up' the game would have 8 symmetries, not 4"
  std::string advice;
};

// `variant`: made from the description.
std::optional<LostSymmetry> find_lost_symmetry(const Description& description, const Variant& variant);

}  // namespace plenum
