// SPDX-License-Identifier: Apache-2.0
// Expressions and effects: parsed by themselves, and as the key of a small game that the first byte chooses.
#include <array>
#include <utility>

#include <absl/strings/str_cat.h>

#include "tests/fuzz/fuzz.h"

namespace plenum::fuzz {
namespace {

// A game in dotted keys, so that one of them can be replaced.
using Keys = std::vector<std::pair<std::string, std::string>>;
const Keys& base() {
  static const Keys keys = {
      {"name", "\"Any\""},
      {"options.board", R"({ default = "square:3x2" })"},
      {"options.k", "{ default = 3, range = [2, 4] }"},
      {"options.way", R"({ default = "a", one_of = ["a", "b"] })"},
      {"options.on", R"({ default = "on" })"},
      {"kinds.x", "\"first\""},
      {"kinds.o", "\"second\""},
      {"kinds.n", R"({ owner = "nobody", letter = "n" })"},
      {"state.hand", R"({ type = "number", each = true, range = [0, 4], start = 4 })"},
      {"state.holder", R"({ type = "player" })"},
      {"state.flag", R"({ type = "bool" })"},
      {"define.own", "\"count(mine)\""},
      {"define.\"beside(s)\"", "\"near(s) > 0\""},
      {"start.n", "\"{b1}\""},
      {"moves.place.to", "\"empty\""},
      {"moves.place.put", R"(["mine", "n"])"},
      {"moves.place.then", R"(["if hand > 0: hand = hand - 1"])"},
      {"moves.walk.from", "\"mine\""},
      {"moves.walk.step", "\"adjacent\""},
      {"moves.walk.to", "\"empty | n\""},
      {"moves.walk.next", "\"take\""},
      {"moves.pass.when", "\"hand == 0\""},
      {"parts.take.from", "\"theirs\""},
      {"parts.take.optional", "true"},
      {"end.when", "\"passes == 2 | !any(empty)\""},
      {"end.score", "\"own + (if holder == me then 1/2 else 0)\""},
      {"end.stuck", "\"loses\""},
  };
  return keys;
}

struct Place {
  const char* key;
  bool list = false;         // of texts
  bool as_key = false;       // the text is the end of the key itself
  const char* without = "";  // a key that does not go with it
};
constexpr std::array kPlaces = {
    Place{"end.score"},
    Place{"moves.place.to"},
    Place{"moves.place.then", true},
    Place{"end.when"},
    Place{"moves.walk.from"},
    Place{"moves.walk.to"},
    Place{"moves.walk.step"},
    Place{"moves.walk.within", false, false, "moves.walk.step"},
    Place{"moves.walk.slide", false, false, "moves.walk.step"},
    Place{"moves.walk.then", true},
    Place{"moves.walk.legal"},
    Place{"moves.walk.lift"},
    Place{"moves.place.when"},
    Place{"moves.place.shape", false, false, "moves.place.put"},
    Place{"parts.take.from"},
    Place{"parts.take.then", true},
    Place{"end.wins", false, false, "end.score"},
    Place{"end.loses", false, false, "end.score"},
    Place{"end.tiebreak"},
    Place{"end.value"},
    Place{"end.stuck"},
    Place{"define.own"},
    Place{"define.\"beside(s)\""},
    Place{"define.", false, true},
    Place{"start.n"},
    Place{"start.x"},
    Place{"pie.when"},
    Place{"moves.place.put", true},
    Place{"options.board"},
};

std::string text_of(const Place& place, const std::string& text) {
  std::string out;
  for (const auto& [key, value] : base()) {
    if (key != place.key && key != place.without) absl::StrAppend(&out, key, " = ", value, "\n");
  }
  if (place.as_key) return absl::StrCat(out, place.key, quoted_toml(text), " = \"own\"\n");
  if (std::string_view(place.key) == "options.board")
    return absl::StrCat(out, "options.board = { default = ", quoted_toml(text), " }\n");
  if (std::string_view(place.key) == "pie.when") absl::StrAppend(&out, "pie.moves = [\"place\"]\n");
  if (!place.list) return absl::StrCat(out, place.key, " = ", quoted_toml(text), "\n");
  // Lines are items.
  std::string items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    absl::StrAppend(&items, items.empty() ? "" : ", ", quoted_toml(text.substr(at, end - at)));
    at = end + 1;
  }
  return absl::StrCat(out, place.key, " = [", items, "]\n");
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  const fuzz::Place& place = fuzz::kPlaces[in.below(fuzz::kPlaces.size())];
  const std::string text = in.rest();
  const Span span = Span::whole("text", text);
  guard([&] { return parse_expression(span); }).status().IgnoreError();
  guard([&] { return parse_effect(span); }).status().IgnoreError();
  guard([&] { return parse_definition_head(span); }).status().IgnoreError();
  absl::StatusOr<Description> description = fuzz::described(fuzz::text_of(place, text));
  if (!description.ok()) return fuzz::for_people(description.status());
  fuzz::Input choices(data, size);
  fuzz::check_description(*std::move(description), choices);
  return 0;
}
