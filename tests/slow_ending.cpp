// SPDX-License-Identifier: Apache-2.0
#include "tests/slow_ending.h"

#include <algorithm>
#include <cctype>

namespace plenum::slow_chess {
namespace {

// Whose turn it is and the en passant square, then square and letter of every man.
std::string key_of(const Position& p) {
  std::string out{p.white ? 'w' : 'b', static_cast<char>(p.en_passant + 1)};
  for (std::size_t square = 0; square < p.men.size(); ++square) {
    for (const char man : p.men[square]) {
      out += static_cast<char>(square);
      out += man;
    }
  }
  return out;
}

bool crowded(const std::string& key) {
  for (std::size_t i = 2; i + 2 < key.size(); i += 2) {
    if (key[i] == key[i + 2]) return true;
  }
  return false;
}

std::string sorted(std::string text) {
  std::sort(text.begin(), text.end());
  return text;
}

std::string men_of(const std::string& key) {
  std::string out;
  for (std::size_t i = 3; i < key.size(); i += 2) out += key[i];
  return sorted(out);
}

// The men of a material, equal ones together; nothing if it is none.
std::optional<std::string> men_of_material(const std::string& material) {
  const std::size_t v = material.find('v');
  if (v == std::string::npos) return std::nullopt;
  std::string first = material.substr(0, v);
  std::string second = material.substr(v + 1);
  for (const std::string& side : {first, second}) {
    if (std::count(side.begin(), side.end(), 'K') != 1) return std::nullopt;
    if (side.find_first_not_of("KQRBNPC") != std::string::npos) return std::nullopt;
  }
  for (char& c : second) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return sorted(first) + sorted(second);
}

std::size_t tally_index(Origin origin, bool white, bool is_crowded) {
  return static_cast<std::size_t>(origin) * 4 + (white ? 2 : 0) + (is_crowded ? 1 : 0);
}

}  // namespace

void Tally::add(const Value& value) {
  ++legal;
  if (value.outcome > 0) {
    ++first;
    ++first_plies[value.plies];
  } else if (value.outcome < 0) {
    ++second;
    ++second_plies[value.plies];
  } else if (value.is_tie()) {
    ++tie;
  } else {
    ++cycle;
  }
}

std::optional<Ending> Ending::solve(const Rules& rules, const std::string& material) {
  const auto men = men_of_material(material);
  if (!men) return std::nullopt;
  Ending out(rules);
  Position empty;
  empty.men.resize(static_cast<std::size_t>(rules.squares()));
  out.lay_out(empty, *men, 0, 0);
  out.add_moves();
  out.find_outcomes();
  out.find_ends(true);
  out.find_ends(false);
  out.count(*men);
  return out;
}

// Men from `next` on, on every square; equal men in the order of their squares, the next one from `least` on.
void Ending::lay_out(Position& position, const std::string& men, std::size_t next, int least) {
  if (next == men.size()) {
    if (std::any_of(position.men.begin(), position.men.end(), [&](auto& there) { return !may_share(rules_, there); }))
      return;
    for (const bool white : {true, false}) {
      position.white = white;
      if (!in_check(rules_, position, !white)) add_legal(position);
    }
    return;
  }
  const char man = men[next];
  for (int square = least; square < rules_.squares(); ++square) {
    const int rank = square / rules_.files;
    if ((man == 'P' || man == 'p') && (rank == 0 || rank == rules_.ranks - 1)) continue;
    std::string& there = position.men[static_cast<std::size_t>(square)];
    if (!rules_.shared() && !there.empty()) continue;
    put(position, square, man);
    lay_out(position, men, next + 1, next + 1 < men.size() && men[next + 1] == man ? square : 0);
    there.erase(there.find(man), 1);
  }
}

// A legal position, and the same after every double step that may just have been made, from a square that the pawn may have
// shared with those who stand there.
void Ending::add_legal(const Position& position) {
  add(position, Origin::laid_out);
  if (!rules_.has_double_step()) return;
  const bool stepper = !position.white;
  const int ahead = stepper ? rules_.files : -rules_.files;
  const int rank = stepper ? 3 : rules_.ranks - 4;
  for (int square = rank * rules_.files; square < (rank + 1) * rules_.files; ++square) {
    const auto men = [&](int at) { return position.men[static_cast<std::size_t>(at)]; };
    if (men(square) != (stepper ? "P" : "p") || !men(square - ahead).empty()) continue;
    Position with = position;
    with.en_passant = en_passant_square(rules_, position, square);
    if (with.en_passant < 0) continue;
    Position before = position;
    before.white = stepper;
    before.men[static_cast<std::size_t>(square)].clear();
    put(before, square - 2 * ahead, stepper ? 'P' : 'p');
    if (!may_share(rules_, before.men[static_cast<std::size_t>(square - 2 * ahead)])) continue;
    add(with, in_check(rules_, before, !stepper) ? Origin::en_passant_unmade : Origin::en_passant);
  }
}

std::size_t Ending::add(const Position& position, Origin origin) {
  const auto [it, is_new] = numbers_.emplace(key_of(position), static_cast<std::uint32_t>(keys_.size()));
  if (is_new) {
    keys_.push_back(&it->first);
    origins_.push_back(origin);
  }
  return it->second;
}

void Ending::add_moves() {
  for (std::size_t i = 0; i < keys_.size(); ++i) {  // grows
    const Position p = position(i);
    begins_.push_back(successors_.size());
    for (const Move& move : moves(rules_, p)) {
      successors_.push_back(static_cast<std::uint32_t>(add(move.after, Origin::arisen)));
    }
    white_.push_back(p.white ? 1 : 0);
    check_.push_back(in_check(rules_, p, p.white) ? 1 : 0);
  }
  begins_.push_back(successors_.size());
}

void Ending::find_outcomes() {
  values_.assign(size(), {});
  for (std::size_t i = 0; i < size(); ++i) {
    if (begins_[i] != begins_[i + 1]) continue;
    if (check_[i] != 0 || rules_.stalemate_loses) values_[i].outcome = white_[i] != 0 ? -1 : 1;
  }
  // Whoever is to move and can reach a won position wins; if all are won for the other, that one does. What this very sweep
  // has found does not count yet.
  bool found = true;
  for (int plies = 1; found; ++plies) {
    found = false;
    for (std::size_t i = 0; i < size(); ++i) {
      if (values_[i].outcome != 0 || begins_[i] == begins_[i + 1]) continue;
      const int mover = white_[i] != 0 ? 1 : -1;
      bool wins = false;
      bool loses = true;
      for (std::uint64_t e = begins_[i]; e < begins_[i + 1]; ++e) {
        const Value& next = values_[successors_[e]];
        const bool known = next.outcome != 0 && next.plies < plies;
        wins = wins || (known && next.outcome == mover);
        loses = loses && known && next.outcome == -mover;
      }
      if (!wins && !loses) continue;
      values_[i].outcome = wins ? mover : -mover;
      values_[i].plies = plies;
      found = true;
    }
  }
}

// The least set that holds the ends at 0 or better for a player, what he can move into it from, and what the other must.
void Ending::find_ends(bool first) {
  const auto in = [&](std::size_t i) -> bool& { return first ? values_[i].first_can_end : values_[i].second_can_end; };
  bool found = true;
  while (found) {
    found = false;
    for (std::size_t i = 0; i < size(); ++i) {
      if (in(i)) continue;
      bool some = false;
      bool all = true;
      for (std::uint64_t e = begins_[i]; e < begins_[i + 1]; ++e) {
        const bool there = in(successors_[e]);
        some = some || there;
        all = all && there;
      }
      const bool ended = begins_[i] == begins_[i + 1];
      const int margin = first ? values_[i].outcome : -values_[i].outcome;
      const bool enters = ended ? margin >= 0 : (white_[i] != 0) == first ? some : all;
      if (!enters) continue;
      in(i) = true;
      found = true;
    }
  }
}

void Ending::count(const std::string& men) {
  const std::string whole = sorted(men);
  for (std::size_t i = 0; i < size(); ++i) {
    if (origins_[i] == Origin::arisen && men_of(*keys_[i]) == whole) ++strays_;
    tallies_.at(tally_index(origins_[i], white_[i] != 0, crowded(*keys_[i]))).add(values_[i]);
  }
}

const Tally& Ending::tally(Origin origin, bool white, bool is_crowded) const {
  return tallies_.at(tally_index(origin, white, is_crowded));
}

int Ending::longest(bool first) const {
  int out = -1;
  for (const Origin origin : {Origin::laid_out, Origin::en_passant, Origin::en_passant_unmade}) {
    for (const bool white : {true, false}) {
      for (const bool is_crowded : {true, false}) {
        const Tally& t = tally(origin, white, is_crowded);
        const auto& plies = first ? t.first_plies : t.second_plies;
        if (!plies.empty()) out = std::max(out, plies.rbegin()->first);
      }
    }
  }
  return out;
}

Position Ending::position(std::size_t i) const {
  const std::string& key = *keys_[i];
  Position out;
  out.men.resize(static_cast<std::size_t>(rules_.squares()));
  out.white = key[0] == 'w';
  out.en_passant = key[1] - 1;
  for (std::size_t at = 2; at < key.size(); at += 2) {
    out.men[static_cast<std::size_t>(key[at])] += key[at + 1];  // in order already
  }
  return out;
}

std::optional<std::size_t> Ending::find(const Position& position) const {
  const auto it = numbers_.find(key_of(position));
  if (it == numbers_.end()) return std::nullopt;
  return it->second;
}

}  // namespace plenum::slow_chess
