// SPDX-License-Identifier: Apache-2.0
#include "tools/report/json_reference.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

namespace plenum {
namespace {

using Kind = JsonType::Kind;

// ------------------------------------------------------------------------------------------------------ Markdown

constexpr const char* kJsonIntroduction =
    R"(<!-- Made by `plenum manual json` from the program's own tables; a test keeps it fresh. Change the tables, not this page. -->

# The JSON that commands print

Nearly all commands take `--json`. They print UTF-8, keys in the order in which they stand here. `plenum manual json-schema` prints this page as a JSON Schema.

- Every object that a command prints begins with `schema`, the version of the JSON: that counts up when a key of any object goes or comes to mean something else, not when a key is added. What is about one game says which: `variant`, `hash`, `options`. (A game of a sweep that is not solved has no `hash`, and the `options` of `info` say more.) Lines of `query --stdin` and of `--progress json` have none of these.
- A key is always there unless its table says when it is absent. It is null only where its table says so; null means that something is not known, or that there is none.
- A **whole number** is not below 0. An **integer** may be. A **number** may have a fraction. A **share** is a number from 0 to 1.
- Where margins are keys, they are texts: `"-2"`, `"0.5"`, `"1/3"`.
- **Positions** and **moves** are texts, written as [the language's reference](language.md#positions-and-moves-as-they-are-written) says. Counts are of unreduced positions, unless they say otherwise.
- Errors are told on stderr, not as JSON, but for `query --stdin` and `sweep`, which go on after them. The exit code tells how a command ended.

## What a command prints

| command | prints | how |
|---|---|---|
)";

std::string link_to(const std::string& object) { return absl::StrCat("[`", object, "`](#", object, ")"); }

std::string joined_by_or(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    absl::StrAppend(&out, i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ", parts[i]);
  return out;
}

std::string type_words(const JsonType& type) {
  switch (type.kind) {
    case Kind::text:
      return type.pattern.empty() ? "text" : absl::StrCat("text like `", type.pattern, "`");
    case Kind::truth:
      return "true or false";
    case Kind::whole:
      return "whole number";
    case Kind::integer:
      return "integer";
    case Kind::number:
      return "number";
    case Kind::halves:
      return "integer or half";
    case Kind::nothing:
      return "null";
    case Kind::anything:
      return "anything";
    case Kind::object:
      return link_to(type.name);
    case Kind::list:
      return absl::StrCat("list of ", type_words(type.parts[0]));
    case Kind::map:
      return absl::StrCat("object, by ", type.name, ": ", type_words(type.parts[0]));
    case Kind::word:
    case Kind::either:
      break;
  }
  std::vector<std::string> parts;
  for (const std::string& one : type.words) parts.push_back(absl::StrCat("`", one, "`"));
  for (const JsonType& one : type.parts) parts.push_back(type_words(one));
  return joined_by_or(parts);
}

std::string missing_words(const JsonMissing& missing) {
  return absl::StrCat(missing.null.empty() ? "" : "null: " + missing.null,
                      missing.null.empty() || missing.absent.empty() ? "" : "; ",
                      missing.absent.empty() ? "" : "absent: " + missing.absent);
}

// ------------------------------------------------------------------------------------------------------ schema

Json kind_schema(const char* kind) { return {{"type", kind}}; }

Json type_schema(const JsonType& type) {
  Json out;
  switch (type.kind) {
    case Kind::text:
      out["type"] = "string";
      if (!type.pattern.empty()) out["pattern"] = type.pattern;
      return out;
    case Kind::truth:
      return kind_schema("boolean");
    case Kind::whole:
      return {{"type", "integer"}, {"minimum", 0}};
    case Kind::integer:
      return kind_schema("integer");
    case Kind::number:
      return kind_schema("number");
    case Kind::halves:
      return {{"type", "number"}, {"multipleOf", 0.5}};
    case Kind::word:
      return {{"enum", type.words}};
    case Kind::nothing:
      return kind_schema("null");
    case Kind::anything:
      return Json::object();
    case Kind::object:
      return {{"$ref", "#/$defs/" + type.name}};
    case Kind::list:
      out["type"] = "array";
      out["items"] = type_schema(type.parts[0]);
      return out;
    case Kind::map:
      out["type"] = "object";
      if (!type.pattern.empty()) out["propertyNames"] = {{"pattern", type.pattern}};
      out["additionalProperties"] = type_schema(type.parts[0]);
      return out;
    case Kind::either:
      out["oneOf"] = Json::array();
      for (const JsonType& part : type.parts) out["oneOf"].push_back(type_schema(part));
      return out;
  }
  return out;
}

Json key_schema(const JsonKey& key) {
  Json out = type_schema(key.type);
  if (!key.missing.null.empty()) {
    Json parts = key.type.kind == Kind::either ? out["oneOf"] : Json::array({out});
    parts.push_back(kind_schema("null"));
    out = Json::object();
    out["oneOf"] = std::move(parts);
  }
  out["description"] = key.about;
  if (!key.unit.empty()) out["x-unit"] = key.unit;
  if (!key.missing.null.empty()) out["x-null"] = key.missing.null;
  if (!key.missing.absent.empty()) out["x-absent"] = key.missing.absent;
  return out;
}

Json object_schema(const JsonObject& object) {
  Json out;
  out["description"] = object.about;
  out["type"] = "object";
  out["properties"] = Json::object();
  out["required"] = Json::array();
  for (const JsonKey& key : object.keys) {
    out["properties"][key.name] = key_schema(key);
    if (key.missing.absent.empty()) out["required"].push_back(key.name);
  }
  out["additionalProperties"] = false;
  return out;
}

}  // namespace

const std::vector<JsonSection>& json_sections() {
  static const std::vector<JsonSection> sections = [] {
    std::vector<JsonSection> out;
    for (auto* const part :
         {json_keys::of_values, json_keys::of_solving, json_keys::of_studies, json_keys::of_comparing,
          json_keys::of_games, json_keys::of_explorer, json_keys::of_upkeep}) {
      for (JsonSection& section : part()) out.push_back(std::move(section));
    }
    return out;
  }();
  return sections;
}

std::string json_page() {
  std::string out = kJsonIntroduction;
  for (const JsonSection& section : json_sections()) {
    for (const JsonPrinted& one : section.printed)
      absl::StrAppend(&out, "| `", one.command, "` | ", type_words(one.type), " | ", one.how, " |\n");
  }
  absl::StrAppend(&out, "\n## Types that have a name\n");
  for (const JsonNamed& one : json_named_types())
    absl::StrAppend(&out, "\n### ", one.name, "\n\n", one.about, " Written as ", type_words(one.type), ".\n");
  for (const JsonSection& section : json_sections()) {
    absl::StrAppend(&out, "\n## ", section.heading, "\n", section.about.empty() ? "" : "\n" + section.about + "\n");
    for (const JsonObject& object : section.objects) {
      absl::StrAppend(&out, "\n### ", object.name, "\n\n", object.about,
                      "\n\n| key | type | unit | meaning | null or absent |\n|---|---|---|---|---|\n");
      for (const JsonKey& key : object.keys)
        absl::StrAppend(&out, "| `", key.name, "` | ", type_words(key.type), " | ", key.unit, " | ", key.about, " | ",
                        missing_words(key.missing), " |\n");
    }
  }
  return out;
}

Json json_schema() {
  Json out;
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = "What plenum prints as JSON";
  Json& prints = out["x-prints"];
  Json& definitions = out["$defs"];
  for (const JsonNamed& one : json_named_types()) {
    definitions[one.name] = type_schema(one.type);
    definitions[one.name]["description"] = one.about;
  }
  for (const JsonSection& section : json_sections()) {
    for (const JsonPrinted& one : section.printed) {
      prints[one.command] = type_schema(one.type);
      prints[one.command]["description"] = one.how;
    }
    for (const JsonObject& object : section.objects) definitions[object.name] = object_schema(object);
  }
  return out;
}

}  // namespace plenum
