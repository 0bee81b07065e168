// SPDX-License-Identifier: Apache-2.0
// The JSON that commands print, as tables: each object with its keys, and of each key the type, the unit, what it says, and when it is
// null or absent. The reference (data/json.md) and the JSON Schema are made from them; a test holds both against what is printed.
//
//     std::cout << json_page();                  // Markdown
//     std::cout << json_text(json_schema(), 2);  // "$defs" by the names of objects
//
// An object that several commands print is described once. A key that is always there and never null says neither `null` nor `absent`.
//
// Thread-safety: constant tables and pure functions.
#pragma once

#include <string>
#include <vector>

#include "tables/file/json_text.h"

namespace plenum {

struct JsonType {
  // `whole` is an integer from 0 on; `halves` an integer or a half; `object` an object or a type that has a name; `list` and `map` are of `parts[0]`; `either` is one of
  // `parts`, which exclude one another.
  enum class Kind { text, truth, whole, integer, number, halves, word, nothing, anything, list, map, object, either };
  Kind kind = Kind::text;
  std::string name = {};                // of the object or named type; of a map, what its keys are
  std::string pattern = {};             // of a text, or of a map's keys, as a regular expression; empty: any
  std::vector<std::string> words = {};  // all that a word may be
  std::vector<JsonType> parts = {};
};

// What the tables are written with.
namespace json_keys {
inline JsonType text() { return {}; }
inline JsonType truth() { return {JsonType::Kind::truth}; }
inline JsonType whole() { return {JsonType::Kind::whole}; }
inline JsonType integer() { return {JsonType::Kind::integer}; }
inline JsonType number() { return {JsonType::Kind::number}; }
inline JsonType halves() { return {JsonType::Kind::halves}; }
inline JsonType fraction() { return {JsonType::Kind::text, "", "^-?[0-9]+/[0-9]+$"}; }
inline JsonType nothing() { return {JsonType::Kind::nothing}; }
inline JsonType anything() { return {JsonType::Kind::anything}; }
inline JsonType word(std::vector<std::string> words) { return {JsonType::Kind::word, "", "", std::move(words)}; }
inline JsonType list(JsonType of) { return {JsonType::Kind::list, "", "", {}, {std::move(of)}}; }
inline JsonType map(std::string from, std::string pattern, JsonType to) {
  return {JsonType::Kind::map, std::move(from), std::move(pattern), {}, {std::move(to)}};
}
inline JsonType numbered(std::string from, JsonType to) { return map(std::move(from), "^[0-9]+$", std::move(to)); }
inline JsonType object(std::string name) { return {JsonType::Kind::object, std::move(name)}; }
inline JsonType either(std::vector<JsonType> parts) { return {JsonType::Kind::either, "", "", {}, std::move(parts)}; }
inline JsonType margin() { return object("margin"); }
inline JsonType outcome() { return object("outcome"); }
inline JsonType method() { return object("method_name"); }
inline JsonType processor() { return object("processor"); }
// The board and the value of every option.
inline JsonType options() { return map("option", "", either({text(), integer()})); }
}  // namespace json_keys

// When a key does not say anything; empty: never.
struct JsonMissing {
  std::string null = {};
  std::string absent = {};
};

struct JsonKey {
  std::string name;
  JsonType type;
  std::string unit;   // "plies", "positions"; empty where there is none
  std::string about;  // a sentence
  JsonMissing missing = {};
};

// Keys that many objects have.
namespace json_keys {
inline std::vector<JsonKey> joined(std::vector<JsonKey> keys, const std::vector<JsonKey>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}
inline JsonKey schema_key() { return {"schema", whole(), "", "The version of the JSON, now 1."}; }
// The game it is about, as game_json() writes it.
inline std::vector<JsonKey> game_keys() {
  return {{"variant", text(), "", "The name of the game."},
          {"hash", text(), "", "A hash that identifies the compiled rules with the board."},
          {"options", options(), "", "The board and the value of every option."}};
}
// What begins an object that is about one game, as headed_json() writes it.
inline std::vector<JsonKey> headed(const std::vector<JsonKey>& more) {
  return joined(joined({schema_key()}, game_keys()), more);
}
// As cost_json() writes it where all is known.
inline std::vector<JsonKey> cost_keys() {
  return {{"seconds", number(), "seconds", "The time by the clock."},
          {"cpu_seconds", number(), "seconds", "The processor time of all threads."},
          {"peak_bytes", whole(), "bytes", "The most memory that the process held."},
          {"threads", whole(), "threads", "The threads that could be used."}};
}
}  // namespace json_keys

struct JsonObject {
  std::string name;
  std::string about;  // a sentence
  std::vector<JsonKey> keys;
};

// A type that has a name, where no object will do.
struct JsonNamed {
  std::string name;
  JsonType type;
  std::string about;  // a sentence
};
// In the order of the reference. What each of them means for a schema is `type`.
const std::vector<JsonNamed>& json_named_types();

// What a command prints.
struct JsonPrinted {
  std::string command;  // with the options that matter
  JsonType type;
  std::string how;  // "one object", "a line for each game"
};

// Objects that belong together.
struct JsonSection {
  std::string heading;
  std::string about;
  std::vector<JsonPrinted> printed;
  std::vector<JsonObject> objects;
};

// The tables, a function for each of their files.
namespace json_keys {
std::vector<JsonSection> of_values();  // what others are made of
std::vector<JsonSection> of_solving();
std::vector<JsonSection> of_studies();
std::vector<JsonSection> of_comparing();
std::vector<JsonSection> of_games();
std::vector<JsonSection> of_explorer();
std::vector<JsonSection> of_upkeep();
}  // namespace json_keys
// All of them, in the order of the reference.
const std::vector<JsonSection>& json_sections();

// The reference, as Markdown.
std::string json_page();
// The same as a JSON Schema (draft 2020-12). What no schema has words for is said besides: "x-prints", what each command prints; of a
// key "x-unit", and "x-null" and "x-absent", when it is that.
Json json_schema();

}  // namespace plenum
