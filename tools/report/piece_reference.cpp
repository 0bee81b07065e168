// SPDX-License-Identifier: Apache-2.0
#include "tools/report/piece_reference.h"

#include <array>
#include <string_view>
#include <vector>

#include <absl/strings/str_cat.h>

#include "tools/report/piece_page.h"
#include "variants/language/betza.h"
#include "variants/language/betza_diagram.h"

namespace plenum {
namespace {

// A text in the notation and what is said above its drawing.
struct Drawn {
  std::string_view betza;
  std::string_view remark;
};

constexpr std::array<Drawn, 9> kLeapers = {
    {{"W", ""}, {"F", ""}, {"D", ""}, {"N", ""}, {"A", ""}, {"H", ""}, {"C", "L is the same"}, {"Z", ""}, {"G", ""}}};
constexpr std::array<Drawn, 4> kOthers = {{{"K", "W and F"}, {"Q", "R and B"}, {"R", "W0"}, {"B", "F0"}}};
constexpr std::array<Drawn, 14> kModified = {{
    {"mfWcfF", "moves and captures apart"},
    {"mRcpR", "captures over a hurdle"},
    {"nN", "a lame leap: the neighbour on its way must be empty"},
    {"jD", "jumps over something"},
    {"imfW2", "a first step"},
    {"R4", "rides of at most four steps"},
    {"N0", "a leap again and again"},
    {"fN", "narrow: the two foremost"},
    {"fhN", "the forward half"},
    {"fsN", "the forward ones of sN"},
    {"fF", "the two forward ones"},
    {"frF", "one of these two"},
    {"fsR", "s is l and r"},
    {"fhNsbWbF", "a union of three"},
}};

template <std::size_t kSize>
std::string drawings(const std::array<Drawn, kSize>& all) {
  std::vector<std::vector<std::string>> blocks;
  for (const Drawn& one : all) {
    const absl::StatusOr<std::vector<BetzaAtom>> atoms = parse_betza(Span::whole("piece", std::string(one.betza)));
    std::vector<std::string>& block = blocks.emplace_back();
    block.emplace_back(one.betza);
    if (!one.remark.empty()) block.emplace_back(one.remark);
    if (!atoms.ok()) {
      block.emplace_back(atoms.status().message());
      continue;
    }
    for (std::string& line : drawn_lines(draw_reach(*atoms))) block.push_back(std::move(line));
  }
  return absl::StrCat("\n```text\n", beside(blocks), "```\n");
}

}  // namespace

std::string piece_reference() {
  return absl::StrCat(R"(
## Pieces

How a piece goes is written in Betza's notation, in the dialect of H. G. Muller's "Betza 2.0" as far as it goes here: one or more of *modifiers ATOM range*, each a way to go, all of them
together what the piece can do. Modifiers stand before the atom, belong to it alone, and may come in any order; the range stands after it. Everything is seen by the piece's owner. What dialects
read differently, and what says nothing, is refused with a suggestion. `plenum info VARIANT --pieces` draws the pieces of a game. In drawings `O` is the piece and forward is up.

### Atoms

| atom | one step | | atom | one step | | atom | is |
|---|---|---|---|---|---|---|---|
| `W` | (0,1) | | `A` | (2,2) | | `R` | `W0` |
| `F` | (1,1) | | `H` | (0,3) | | `B` | `F0` |
| `D` | (0,2) | | `C`, `L` | (1,3) | | `Q` | `R` and `B` |
| `N` | (1,2) | | `Z` | (2,3) | | `K` | `W` and `F` |
| | | | `G` | (3,3) | | | |

A step is a leap: what stands in between does not matter. A ride is step after step.
)",
                      drawings(kLeapers), drawings(kOthers), R"(
### Ranges

A number after the atom is the most steps in the same direction, over empty squares up to the first piece: `R4`, `N2`. `0`, or the letter twice, is no limit: `W0`, `WW`, `NN`. Without a range
it is one step, of `R`, `B`, `Q` no limit.

### Modifiers

| letter | meaning | which reading |
|---|---|---|
| `m`, `c` | only moves to empty squares; only captures | neither or both: moves and captures |
| `i` | only from where such pieces begin | that is the rank on which such pieces begin, whether or not this one has moved: of what promotes, its second rank |
| `n` | lame: what is between must be empty | one step of `D`, `A`, `H`, `G`: the squares on the line; of `N`: the orthogonal neighbour towards its longer side |
| `j` | must jump | one step of `D`, `A`, `H`, `G`: at least one of the squares between is occupied, by either player's piece. In other dialects `j` may also mean that it can jump, which leaps do anyway |
| `p` | over a hurdle | a ride of two steps or more that passes exactly one occupied stop, at any distance, and goes on beyond it, any distance too, up to the next occupied one. Landing right behind the hurdle (`g`) is not in the notation here |
| `f`, `b`, `l`, `r` | forward, backward, left, right | see directions |
| `s`, `v` | `lr`, `fb` | |
| `h` | half, on oblique atoms | `fh` is the forward half |

### Directions

They stand together, before the atom. What they mean depends on it:

| atoms | directions |
|---|---|
| orthogonal: `W` `D` `H` `R` | each letter is a direction, several are their union: `frlR`, `fsR` |
| diagonal: `F` `A` `G` `B` | `f` `b` `l` `r` are two steps each, `fl` `fr` `bl` `br` one each, several a union: `flbrF`, `fbF`; `s` and `v` would say nothing and are refused |
| oblique: `N` `C` `Z` | `f` (or `ff`) is narrow, the two foremost, (-1,2) and (1,2); likewise `b`, `l`, `r`. `v`: the four of `f` and `b`; `s`: the four of `l` and `r`. `fs`: the forward two of `s`; likewise `bs`, `lv`, `rv`. `fh`: the forward half, four; likewise `bh`, `lh`, `rh`. `ffr`, `frr`: one step, (1,2), (2,1); likewise the others. Groups of two and three letters may be joined, a union: `ffbsN`; a single letter stands alone or with its opposite: `fbN`. `frN`, which dialects read in several ways, is refused |
| both: `K` `Q` | the orthogonal part and the diagonal part, each by its own rule; the letters must say something for both |
)",
                      drawings(kModified));
}

}  // namespace plenum
