// SPDX-License-Identifier: Apache-2.0
// How positions of games without pieces are written, and read again.

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <optional>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/pieces/piece_text.h"
#include "variants/rules/cell_rules.h"

namespace plenum {
namespace {

constexpr std::array<const char*, 3> kPlayerNames = {"nobody", "first", "second"};

// 0 nobody, 1 first, 2 second to what is stored when `mover` is to move; its own inverse.
std::uint8_t relative_player(std::uint8_t who, Player mover) {
  return who == 0 || mover == Player::first ? who : static_cast<std::uint8_t>(3 - who);
}

std::size_t plane_index(const RuleSet& rules, std::size_t kind, Player mover) {
  const PlaneChoice plane = rules.plane_of(kind);
  return static_cast<std::size_t>(mover == Player::first ? plane.if_first : plane.if_second);
}

// A slot's value as it is written. Of a number kept for each player: "first's,second's".
std::string flag_value(const RuleSet& rules, const Position& p, std::size_t s) {
  const StateSlot& slot = rules.slots[s];
  switch (slot.type) {
    case StateDescription::Type::player:
      return kPlayerNames[relative_player(p.state[s], p.mover)];
    case StateDescription::Type::boolean:
      return p.state[s] != 0 ? "on" : "off";
    case StateDescription::Type::number:
      break;
  }
  const auto number = [&](std::size_t k) { return absl::StrCat(p.state[k] + slot.range.least); };
  if (!slot.each) return number(s);
  const auto other_slot = static_cast<std::size_t>(slot.partner);
  return p.mover == Player::first ? absl::StrCat(number(s), ",", number(other_slot))
                                  : absl::StrCat(number(other_slot), ",", number(s));
}

class PositionParser final : PositionReader {
 public:
  PositionParser(const RuleSet& rules, const Span& text) : PositionReader(rules.board, text), rules_(rules) {}

  Position parse() {
    p_ = start_of_stones(rules_);
    p_.planes = {};
    const auto [board_at, board] = word();
    const auto [mover_at, mover] = word();
    if (board.empty())
      fail_at(span_, "a position is expected here",
              absl::StrCat("as in: ", write_stones(rules_, start_of_stones(rules_))));
    if (mover.empty())
      fail_at(span_.part(text_.size(), 1), "who is to move is missing", "after the rows write 1 (first) or 2 (second)");
    if (mover != "1" && mover != "2") fail_at(span_.part(mover_at, mover.size()), "the player to move is 1 or 2", "");
    p_.mover = mover == "1" ? Player::first : Player::second;
    p_.state = start_of_stones(rules_, p_.mover).state;
    read_rows(board_at, board.size());
    for (;;) {
      const auto [at, flag] = word();
      if (flag.empty()) break;
      read_flag(at, flag);
    }
    return p_;
  }

 private:
  void fail_row(std::size_t row, std::size_t filled, const Span& given, const Span& wrong) override {
    const std::string cells = absl::StrCat("this row", of_board(), " has ", board_.rows()[row].size(), " cells");
    if (wrong.length == 0) fail_at(given, absl::StrCat(cells, "; ", filled, " are given"), rows_advice());
    if (std::isdigit(static_cast<unsigned char>(wrong.text()[0])) == 0)
      fail_at(wrong, absl::StrCat(cells, "; here is one more"), "rows are separated by /");
    fail_at(wrong, absl::StrCat(cells, ", ", filled, " of them are taken before this run"),
            "a number is a run of empty cells");
  }

  // Named where the name is short: most wrong rows are another board's.
  std::string of_board() const {
    return rules_.board.name().size() > 16 ? "" : absl::StrCat(" of ", rules_.board.name());
  }

  std::string rows_advice() const override {
    const std::string empty = write_stones(rules_, Position());
    return absl::StrCat("the empty board is written ", empty.substr(0, empty.find(' ')));
  }

  std::size_t put(std::size_t at, Cell cell) override {
    std::vector<std::string> letters;
    for (std::size_t k = 0; k < rules_.kinds.size(); ++k) {
      letters.push_back(rules_.kinds[k].letter);
      if (letters[k][0] != text_[at]) continue;
      p_.planes[plane_index(rules_, k, p_.mover)] |= cell_bit(cell);
      return at + 1;
    }
    fail_at(sign(at), absl::StrCat("there is no kind of stone '", std::string(sign(at).text()), "'"),
            absl::StrCat("letters: ", absl::StrJoin(letters, ", "), "; numbers are runs of empty cells"));
  }

  void read_flag(std::size_t at, const std::string& flag) {
    const std::size_t equals = flag.find('=');
    const std::string key = flag.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : flag.substr(equals + 1);
    const Span value_span = equals == std::string::npos
                                ? span_.part(at, flag.size())
                                : span_.part(at + equals + 1, std::max<std::size_t>(1, value.size()));
    std::vector<std::string> known;
    if (seen_[key]++ != 0) fail_at(span_.part(at, flag.size()), absl::StrCat("'", key, "' is given twice"), "");
    if (rules_.passes_live) {
      known.emplace_back("passes");
      if (key == "passes") {
        std::int64_t n = 0;
        if (!absl::SimpleAtoi(value, &n) || n < 0 || n > rules_.passes_cap)
          fail_at(value_span, "this is no number of passes", absl::StrCat("0 to ", rules_.passes_cap));
        p_.passes = static_cast<std::uint8_t>(n);
        return;
      }
    }
    for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
      const StateSlot& slot = rules_.slots[s];
      if (!slot.live || (slot.each && slot.partner < static_cast<int>(s))) continue;
      known.push_back(slot.written);
      if (slot.written != key) continue;
      if (slot.type == StateDescription::Type::player) {
        for (std::uint8_t who = 0; who < 3; ++who) {
          if (value == kPlayerNames[who]) {
            p_.state[s] = relative_player(who, p_.mover);
            return;
          }
        }
        fail_at(value_span, absl::StrCat("'", key, "' is a player"), "nobody, first or second");
      }
      if (slot.type == StateDescription::Type::boolean) {
        if (value != "on" && value != "off") fail_at(value_span, absl::StrCat("'", key, "' is on or off"), "");
        p_.state[s] = value == "on" ? 1 : 0;
        return;
      }
      const auto number = [&](const std::string& word) {
        std::int64_t n = 0;
        if (!absl::SimpleAtoi(word, &n) || n < slot.range.least || n > slot.range.greatest) {
          fail_at(value_span,
                  absl::StrCat("'", key, "' is a number from ", slot.range.least, " to ", slot.range.greatest),
                  slot.each ? "written first's,second's" : "");
        }
        return static_cast<std::uint8_t>(n - slot.range.least);
      };
      if (!slot.each) {
        p_.state[s] = number(value);
        return;
      }
      const std::size_t comma = value.find(',');
      const std::uint8_t firsts = number(value.substr(0, comma));
      const std::uint8_t seconds = number(comma == std::string::npos ? "" : value.substr(comma + 1));
      const auto partner = static_cast<std::size_t>(slot.partner);
      p_.state[s] = p_.mover == Player::first ? firsts : seconds;
      p_.state[partner] = p_.mover == Player::first ? seconds : firsts;
      return;
    }
    fail_at(span_.part(at, key.size()), absl::StrCat("there is no flag '", key, "' in this game"),
            suggestion(key, known, "flags"));
  }

  const RuleSet& rules_;
  Position p_;
  std::map<std::string, int> seen_;
};

}  // namespace

std::vector<std::string> letters_of_stones(const RuleSet& rules, const Position& p) {
  std::vector<std::string> out(static_cast<std::size_t>(rules.board.size()));
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    for (CellSet rest = p.planes[plane_index(rules, k, p.mover)]; rest != 0; rest &= rest - 1)
      out[static_cast<std::size_t>(std::countr_zero(rest))] = rules.kinds[k].letter;
  }
  return out;
}

std::string write_stones(const RuleSet& rules, const Position& p) {
  std::string out = rows_text(rules.board, letters_of_stones(rules, p));
  absl::StrAppend(&out, " ", p.mover == Player::first ? 1 : 2);
  std::map<std::string, std::string> flags;
  Position fresh = start_of_stones(rules);
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    if (!slot.live || (slot.each && slot.partner < static_cast<int>(s))) continue;
    const std::string value = flag_value(rules, p, s);
    if (value != flag_value(rules, fresh, s)) flags[slot.written] = value;
  }
  if (rules.passes_live && p.passes != 0) flags["passes"] = absl::StrCat(static_cast<int>(p.passes));
  for (const auto& [name, value] : flags) absl::StrAppend(&out, " ", name, "=", value);
  return out;
}

absl::StatusOr<Position> read_stones(const RuleSet& rules, const Span& text) {
  return guard([&] { return PositionParser(rules, text).parse(); });
}

Position start_of_stones(const RuleSet& rules) { return start_of_stones(rules, rules.begins); }

Position start_of_stones(const RuleSet& rules, Player mover) {
  Position p;
  p.mover = mover;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) p.planes[plane_index(rules, k, mover)] = rules.start[k];
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    p.state[s] = static_cast<std::uint8_t>(
        slot.live ? slot.start - (slot.type == StateDescription::Type::number ? slot.range.least : 0) : 0);
    if (slot.type == StateDescription::Type::player) p.state[s] = relative_player(p.state[s], mover);
  }
  return p;
}

}  // namespace plenum
