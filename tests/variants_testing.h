// SPDX-License-Identifier: Apache-2.0
// For the tests of variants/ and tables/: descriptions from texts, random boards and positions that rapidcheck can shrink.
//
//     const Variant v = made(kSomeText, {"board=path:4"});
//     check(200, [&] { const Position p = *positions(v.rule_set()); RC_ASSERT(...); });
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/property.h"
#include "variants/rules/cell_rules.h"
#include "variants/rules/variant.h"

namespace plenum::variants_testing {

// The description in `text` with options set, on its board.
inline absl::StatusOr<Variant> make(const std::string& text, const std::vector<std::string>& settings = {}) {
  absl::StatusOr<Description> description = parse_description({"test.toml", text, true}, PLENUM_DATA_FOLDER);
  if (!description.ok()) return description.status();
  for (const std::string& setting : settings) {
    const absl::Status set = description->set_option(Span::whole("--set", setting));
    if (!set.ok()) return set;
  }
  return Variant::make(*description);
}

// The same where nothing can be wrong.
template <typename T>
T sure(absl::StatusOr<T> result) {
  if (!result.ok()) throw std::runtime_error(std::string(result.status().message()));
  return *std::move(result);
}
inline Variant made(const std::string& text, const std::vector<std::string>& settings = {}) {
  return sure(make(text, settings));
}
// A description of the data folder.
inline Variant game(const std::string& name, const std::vector<std::string>& settings) {
  Description description = sure(load_description(name, PLENUM_DATA_FOLDER));
  for (const std::string& setting : settings) EXPECT_TRUE(description.set_option(Span::whole("--set", setting)).ok());
  return sure(Variant::make(description));
}
// A game that does not say what it means to be without a move, as one is whose opponent has every stone. That cannot arise.
inline std::string unstated(const std::string& score) {
  return R"toml(
name = "Unstated"
[options]
board = { default = "path:5", about = "any" }
[moves.place]
to = "if any(mine) | !any(theirs) | count(theirs) == 1 then empty else none"
[end]
when  = "!any(empty)"
score = ")toml" +
         score + "\"\n";
}
inline Variant populace(const std::vector<std::string>& settings) {
  return made("name = \"Tweak\"\nextends = \"populace\"\n", settings);
}
inline Position position(const Variant& v, const std::string& text) {
  return sure(v.rules().read(Span::whole("position", text)));
}
// A description on a board.
inline std::string on_board(const std::string& board, const std::string& rest) {
  return "name = \"T\"\n[options]\nboard = { default = \"" + board + "\" }\n" + rest;
}
// What each move is written as, and the position it leads to.
using Outcomes = std::map<std::string, std::string>;
inline Outcomes outcomes(const Variant& v, const std::string& at) {
  Outcomes out;
  for (const Successor& s : sure(successors(v.rules(), position(v, at)))) out[s.text] = v.rules().write(s.position);
  return out;
}

// A number below `limit` whatever rapidcheck's current size.
inline rc::Gen<unsigned> below(unsigned limit) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0u, limit));
}

// Boards of every shape with 1 to `most` cells, some of them odd: one row, isolated cells, two components.
inline rc::Gen<std::string> boards(unsigned most) {
  return rc::gen::exec([most]() -> std::string {
    const unsigned n = 1 + *below(most);
    const unsigned width = 1 + *below(std::min(n, 9u));
    const unsigned height = std::max(1u, n / width);
    const std::string grid = std::to_string(width) + "x" + std::to_string(height);
    switch (*below(9)) {
      case 0:
        return "path:" + std::to_string(n);
      case 1:
        return "cycle:" + std::to_string(n);
      case 2:
        return "square:" + grid;
      case 3:
        return "king:" + grid;
      case 4:
        return "torus:" + grid;
      case 5:
        return "hexrect:" + grid;
      case 6:
        return most >= 19 && n >= 19 ? "hexhex:3" : most >= 7 && n >= 7 ? "hexhex:2" : "hexhex:1";
      case 7:
        return "cylinder:" + grid;
      default:
        break;
    }
    std::string edges = "edges:";
    for (unsigned c = 0; c < n; ++c) edges += "c" + std::to_string(c) + " ";
    for (unsigned k = *below(2 * n + 1); k > 0; --k) {
      const unsigned a = *below(n);
      const unsigned b = *below(n);
      if (a != b) edges += "c" + std::to_string(a) + "-c" + std::to_string(b) + " ";
    }
    return edges;
  });
}

// Any position the game's texts can say: stones anywhere, any live state, passes up to `passes`.
inline rc::Gen<Position> positions(const RuleSet& rules, unsigned passes = 0) {
  std::vector<PlaneChoice> kinds;  // copies, since a case may be shrunk when the rules are gone
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) kinds.push_back(rules.plane_of(k));
  return rc::gen::exec([kinds, passes, start = start_of_stones(rules), slots = rules.slots, cells = rules.board.size(),
                        passes_live = rules.passes_live] {
    Position p = start;
    p.planes = {};
    p.mover = *below(2) == 0 ? Player::first : Player::second;
    const unsigned emptiness = 1 + *below(3);
    for (int c = 0; c < cells; ++c) {
      const unsigned drawn = *below(static_cast<unsigned>(kinds.size()) + emptiness);
      if (drawn < emptiness) continue;
      const PlaneChoice plane = kinds[drawn - emptiness];
      p.planes[static_cast<std::size_t>(p.mover == Player::first ? plane.if_first : plane.if_second)] |=
          cell_bit(static_cast<Cell>(c));
    }
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const StateSlot& slot = slots[s];
      unsigned values = slot.type == StateDescription::Type::player ? 3 : 2;
      if (slot.type == StateDescription::Type::number)
        values = static_cast<unsigned>(slot.range.greatest - slot.range.least + 1);
      p.state[s] = static_cast<std::uint8_t>(slot.live ? *below(values) : 0);
    }
    if (passes_live) p.passes = static_cast<std::uint8_t>(*below(passes + 1));
    return p;
  });
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// What an error's caret stands under, "" at the end of a line.
inline std::string under_caret(const std::string& message) {
  std::istringstream in(message);
  std::string above;
  for (std::string line; std::getline(in, line); above = line) {
    const std::size_t caret = line.find('^');
    if (caret == std::string::npos || line.find_first_not_of(" |^~") != std::string::npos) continue;
    const std::size_t last = line.find_last_of("^~");
    std::string out;
    std::size_t column = 0;  // in characters
    for (const char c : above) {
      const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
      column += begins ? 1 : 0;
      if (column > caret && column <= last + 1) out += c;
    }
    return out;
  }
  return "no caret";
}

// The cells of a set by name, in board order.
inline std::string names(const Board& board, CellSet set) {
  std::string out;
  for (int c = 0; c < board.size(); ++c) {
    if ((set & cell_bit(static_cast<Cell>(c))) == 0) continue;
    out += (out.empty() ? "" : " ") + board.cell_name(static_cast<Cell>(c));
  }
  return out;
}

}  // namespace plenum::variants_testing
