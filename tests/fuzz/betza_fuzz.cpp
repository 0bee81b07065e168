// SPDX-License-Identifier: Apache-2.0
// Betza's notation, by itself and drawn; and the texts of a game of pieces, of which the first byte chooses one.
#include <algorithm>
#include <array>

#include <absl/strings/str_cat.h>

#include "tests/fuzz/fuzz.h"
#include "variants/language/betza_diagram.h"

namespace plenum::fuzz {
namespace {

struct Text {
  const char* key;
  const char* value;
};
constexpr std::array kTexts = {
    Text{"pieces.R.betza", "R"},      Text{"pieces.P.first_step", "ifmnD"},
    Text{"pieces.K.betza", "K"},      Text{"pieces.P.betza", "mfWcfF"},
    Text{"pieces.P.promotes", "'R'"}, Text{"pieces.K.castles", "R"},
    Text{"play.crowd", "'off'"},      Text{"play.array", "'kr2/p3/3P/2RK w - -'"},
    Text{"play.material", "'KRvK'"},  Text{"play.stalemate", "'draw'"},
    Text{"play.castling", "false"},   Text{"play.double_step", "false"},
    Text{"play.en_passant", "false"}, Text{"options.board", "square:4x4"},
};

std::string text_of(std::size_t replaced, const std::string& text, bool ending) {
  std::string out = "name = \"Pieces\"\npieces.K.royal = true\n";
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    const std::string key = kTexts[i].key;
    if (key == "play.material" && i != replaced && !ending) continue;
    if (i != replaced && (key == "pieces.P.first_step" || key == "pieces.K.castles")) continue;
    const std::string value = quoted_toml(i == replaced ? std::string_view(text) : kTexts[i].value);
    absl::StrAppend(&out, key, " = ", key == "options.board" ? absl::StrCat("{ default = ", value, " }") : value, "\n");
  }
  return out;
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  const std::uint8_t chosen = in.byte();
  const std::string text = in.rest();
  const absl::StatusOr<std::vector<BetzaAtom>> atoms = parse_betza(Span::whole("betza", text));
  if (atoms.ok()) {
    fuzz::require(std::is_sorted(atoms->begin(), atoms->end()), "not sorted");
    fuzz::require(std::adjacent_find(atoms->begin(), atoms->end()) == atoms->end(), "one way twice");
    for (const BetzaAtom& going : *atoms) {
      fuzz::require(going.moves || going.captures, "a way that neither moves nor captures");
      fuzz::require(going.step != Offset{}, "a step to where it stands");
    }
    fuzz::require(!draw_reach(*atoms).empty(), "nothing drawn");
  } else {
    fuzz::for_people(atoms.status());
  }
  absl::StatusOr<Description> description =
      fuzz::described(fuzz::text_of(chosen % fuzz::kTexts.size(), text, chosen >= 128));
  if (!description.ok()) return fuzz::for_people(description.status());
  fuzz::Input choices(data, size);
  fuzz::check_description(*std::move(description), choices);
  return 0;
}
