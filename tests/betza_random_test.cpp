// SPDX-License-Identifier: Apache-2.0
// The notation of pieces: what must hold for any text. Random ones are played on random boards, whole and part by part.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/variants_testing.h"
#include "variants/language/betza.h"
#include "variants/language/betza_diagram.h"

namespace plenum::variants_testing::betza_random_test {
namespace {

using BetzaAtoms = std::vector<BetzaAtom>;

absl::StatusOr<BetzaAtoms> parsed(const std::string& text) { return parse_betza(Span::whole("piece", text)); }
BetzaAtoms atoms(const std::string& text) { return sure(parsed(text)); }

// One part, valid by construction.
std::string a_part() {
  static const std::vector<std::string> kOrthogonal = {"f",  "b",  "l",  "r",  "s",   "v",
                                                       "fs", "bs", "lv", "fb", "frl", "lrb"};
  static const std::vector<std::string> kDiagonal = {"f",  "b",  "l",  "r",  "fl",   "fr",
                                                     "bl", "br", "fb", "rl", "flbr", "frbr"};
  static const std::vector<std::string> kOblique = {
      "f",  "b",  "l",  "r",  "s",   "v",   "fb",  "lr",  "ff",   "rr",   "fs",   "bs",     "lv",    "rv",
      "fh", "bh", "lh", "rh", "ffl", "frr", "bbr", "bll", "ffbs", "fhbs", "fhlh", "fllfrr", "ffrfrr"};
  static const std::vector<std::string> kBoth = {"f", "b", "l", "r", "fb", "lr", "fl", "br"};
  const auto one_of = [](const std::vector<std::string>& from) {
    return from[*below(static_cast<unsigned>(from.size()))];
  };
  const std::string atoms = "WDHRFAGBNCLZKQ";
  const char atom = atoms[*below(static_cast<unsigned>(atoms.size()))];
  const bool is_orthogonal = std::string("WDHR").find(atom) != std::string::npos;
  const bool is_diagonal = std::string("FAGB").find(atom) != std::string::npos;
  const bool is_both = atom == 'K' || atom == 'Q';
  const bool rides = atom == 'R' || atom == 'B' || atom == 'Q';

  std::vector<std::string> pieces;
  if (*below(2) == 0)
    pieces.push_back(one_of(is_orthogonal ? kOrthogonal : is_diagonal ? kDiagonal : is_both ? kBoth : kOblique));
  const unsigned modes = *below(4);
  if ((modes & 1U) != 0) pieces.emplace_back("m");
  if ((modes & 2U) != 0) pieces.emplace_back("c");
  if (*below(4) == 0) pieces.emplace_back("i");
  std::string range;
  switch (*below(4)) {
    case 0:
      range = std::to_string(*below(5));
      break;
    case 1:
      if (!rides) range = std::string(1, atom);
      break;
    default:
      break;
  }
  const bool single = range == "1" || (range.empty() && !rides);
  if (!single && *below(3) == 0) pieces.emplace_back("p");
  const bool between = std::string("DAHG").find(atom) != std::string::npos;
  if (single && (between || atom == 'N')) {
    switch (*below(3)) {
      case 0:
        pieces.emplace_back("n");
        break;
      case 1:
        if (between) pieces.emplace_back("j");
        break;
      default:
        break;
    }
  }
  std::string out;
  while (!pieces.empty()) {
    const auto at = static_cast<std::ptrdiff_t>(*below(static_cast<unsigned>(pieces.size())));
    out += pieces[static_cast<std::size_t>(at)];
    pieces.erase(pieces.begin() + at);
  }
  return out + atom + range;
}

// Parts that may be written one after another: W and W would be WW.
std::vector<std::string> parts() {
  std::vector<std::string> out;
  for (unsigned k = 1 + *below(4); k > 0; --k) {
    std::string part = a_part();
    if (!out.empty() && part[0] == out.back().back()) part = "mc" + part;
    out.push_back(part);
  }
  return out;
}
std::string joined(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& part : all) out += part;
  return out;
}

std::string exchanged(std::string text, char a, char b) {
  for (char& c : text) c = c == a ? b : c == b ? a : c;
  return text;
}
BetzaAtoms mirrored(BetzaAtoms all, int x, int y) {
  for (BetzaAtom& g : all) {
    g.step = {x * g.step.dx, y * g.step.dy};
    for (Offset& square : g.between) square = {x * square.dx, y * square.dy};
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Betza, AnyText) {
  check(4000, [] {
    const std::string text = joined(parts());
    RC_LOG(text);
    const auto result = parsed(text);
    RC_ASSERT(result.ok());
    const BetzaAtoms& all = *result;
    RC_ASSERT(!all.empty());
    RC_ASSERT(std::is_sorted(all.begin(), all.end()));
    RC_ASSERT(std::adjacent_find(all.begin(), all.end()) == all.end());
    std::set<BetzaAtom> by_way;  // but for moves and captures
    for (BetzaAtom g : all) {
      RC_ASSERT(g.moves || g.captures);
      RC_ASSERT(g.range >= 0);
      const bool asks_between = g.path == BetzaAtom::Path::lame || g.path == BetzaAtom::Path::over;
      RC_ASSERT(g.between.empty() != asks_between);
      RC_ASSERT(!asks_between || g.range == 1);
      RC_ASSERT(g.path != BetzaAtom::Path::hurdle || g.range != 1);
      g.moves = g.captures = false;
      RC_ASSERT(by_way.insert(g).second);
    }
    RC_ASSERT(atoms(exchanged(text, 'l', 'r')) == mirrored(all, -1, 1));
    RC_ASSERT(atoms(exchanged(text, 'f', 'b')) == mirrored(all, 1, -1));
    if (text.find_first_of("lr") == std::string::npos) RC_ASSERT(mirrored(all, -1, 1) == all);
    if (text.find_first_of("fb") == std::string::npos) RC_ASSERT(mirrored(all, 1, -1) == all);
    RC_ASSERT(atoms(text + (text[0] == text.back() ? "mc" : "") + text) == all);
  });
}

constexpr int kHalf = 6;  // of the boards that pieces are played on

using Stones = std::set<Offset>;

// The squares a piece may go to from the middle: with a stone there by capture, else by a move. From the definitions.
std::set<Offset> reached(const BetzaAtoms& all, const Stones& stones, bool at_start) {
  std::set<Offset> out;
  for (const BetzaAtom& g : all) {
    if (g.initial && !at_start) continue;
    const bool between = std::any_of(g.between.begin(), g.between.end(), [&](Offset o) { return stones.count(o) > 0; });
    if ((g.path == BetzaAtom::Path::lame && between) || (g.path == BetzaAtom::Path::over && !between)) continue;
    int passed = 0;  // occupied stops
    for (int i = 1; g.range == 0 || i <= g.range; ++i) {
      const Offset stop{g.step.dx * i, g.step.dy * i};
      if (std::abs(stop.dx) > kHalf || std::abs(stop.dy) > kHalf) break;
      const bool taken = stones.count(stop) > 0;
      const bool may_stop = passed == (g.path == BetzaAtom::Path::hurdle ? 1 : 0);
      if (may_stop && (taken ? g.captures : g.moves)) out.insert(stop);
      passed += taken ? 1 : 0;
    }
  }
  return out;
}

// What a text lets a piece do is what its parts let it do, on every board.
TEST(Betza, TextsAreTheUnionOfTheirParts) {
  check(2000, [] {
    const std::vector<std::string> all = parts();
    RC_LOG(joined(all));
    Stones stones;
    const unsigned density = 2 + *below(5);
    for (int dx = -kHalf; dx <= kHalf; ++dx) {
      for (int dy = -kHalf; dy <= kHalf; ++dy) {
        if (*below(density) == 0) stones.insert({dx, dy});
      }
    }
    for (const bool at_start : {true, false}) {
      std::set<Offset> by_parts;
      for (const std::string& part : all) by_parts.merge(reached(atoms(part), stones, at_start));
      RC_ASSERT(reached(atoms(joined(all)), stones, at_start) == by_parts);
    }
  });
}

TEST(Betza, Garbage) {
  check(20000, [] {
    const std::string letters = "mcinjpfblrvshWFDNAHCLZGKQRB0123456789xwP \xc3\xa9";
    std::string text = *below(2) == 0 ? joined(parts()) : "";
    for (unsigned k = *below(6); k > 0; --k) {
      const char c =
          *below(10) == 0 ? static_cast<char>(*below(256)) : letters[*below(static_cast<unsigned>(letters.size()))];
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(*below(static_cast<unsigned>(text.size() + 1))), c);
    }
    const auto result = parsed(text);
    if (result.ok()) {
      RC_ASSERT(!draw_reach(*result).empty());
    } else {
      const std::string message(result.status().message());
      RC_ASSERT(result.status().code() == absl::StatusCode::kInvalidArgument);
      RC_ASSERT(under_caret(message) != "no caret");
      RC_ASSERT(message.find("\n  ", message.find('^')) != std::string::npos);  // advice
    }
  });
}

}  // namespace
}  // namespace plenum::variants_testing::betza_random_test
