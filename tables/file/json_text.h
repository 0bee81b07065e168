// SPDX-License-Identifier: Apache-2.0
// JSON as text: what is written is safe on a terminal, what is read is bounded before it is parsed.
//
// nlohmann-json is the usual library of its kind; keys keep their order.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace plenum {

using Json = nlohmann::ordered_json;

// `indent` -1: on one line. Bytes that are no UTF-8, quoted from a person's input, become U+FFFD.
std::string json_text(const Json& json, int indent);
// What is wrong with a text before it is parsed, if it is out of all proportion: nested too deep for parsers that recurse, or too
// long. The parser stops at the first error, and up to there sees the same brackets and commas as this. "" where nothing is.
std::string_view json_disproportion(std::string_view text);

}  // namespace plenum
