// SPDX-License-Identifier: Apache-2.0
// What an expression comes to while it is read: a typed value, most of them nodes of the rule graph. Private to variants/.
//
// Types: cells, field (a number for each cell), number, truth, player, text (an option's value), dirs (directions), parts (the
// components of a set). Texts are known when the description is read, directions but for who is to move ("forward"); the
// others may depend on the position.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/graph/rule_graph.h"
#include "variants/language/description.h"

namespace plenum {

struct Directions {
  Relation all;
  std::vector<Relation> straight;  // of one neighbour each, that make it up; none where there are no straight ones
  friend bool operator==(const Directions&, const Directions&) = default;
};

struct Value {
  enum class Type { cells, field, number, truth, player, text, dirs, parts };
  Type type = Type::truth;
  NodeId node = -1;              // cells, truth, player; the set whose parts are meant
  Linear form;                   // field, number
  std::int64_t denominator = 1;  // of a number or field: form / denominator
  std::string text;
  const Option* option = nullptr;  // the option a text came from
  std::array<Directions, 2> dirs;  // where first is to move, where second is
  RelationId relation = -1;        // of parts: what joins them
};

std::string_view type_name(Value::Type type);

inline Value make(Value::Type type, NodeId node) {
  Value out;
  out.type = type;
  out.node = node;
  return out;
}

inline Value make_number(Linear form, std::int64_t denominator = 1, Value::Type type = Value::Type::number) {
  Value out;
  out.type = type;
  out.form = std::move(form);
  out.denominator = denominator;
  return out;
}

inline Value make_text(std::string text, const Option* option = nullptr) {
  Value out;
  out.type = Value::Type::text;
  out.text = std::move(text);
  out.option = option;
  return out;
}

inline Value make_dirs(Directions if_first, Directions if_second) {
  Value out;
  out.type = Value::Type::dirs;
  out.dirs = {std::move(if_first), std::move(if_second)};
  return out;
}

inline bool numeric(Value::Type t) { return t == Value::Type::number || t == Value::Type::field; }
inline bool set_like(Value::Type t) { return t == Value::Type::cells || t == Value::Type::truth; }

}  // namespace plenum
