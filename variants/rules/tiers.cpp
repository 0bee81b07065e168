// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/tiers.h"

#include <algorithm>
#include <array>
#include <bit>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/graph/cell_contents.h"
#include "variants/graph/move_deltas.h"
#include "variants/rules/cycle_proof.h"

namespace plenum {
namespace {

constexpr std::int64_t kMaxTiers = 1'000'000;
constexpr std::size_t kMostSigned = 7;  // kinds of which all signed sums are tried

// Whether weights are the same for the kinds of both players, so that exchanging the players changes nothing.
bool treats_alike(const RuleSet& rules, const std::vector<int>& weights) {
  std::vector<int> by_plane(static_cast<std::size_t>(rules.layout.count()), 0);
  for (std::size_t k = 0; k < weights.size(); ++k)
    by_plane[static_cast<std::size_t>(rules.plane_of(k).if_first)] = weights[k];
  for (int p = 0; p < rules.layout.count(); ++p) {
    if (by_plane[static_cast<std::size_t>(p)] != by_plane[static_cast<std::size_t>(rules.layout.swapped(p))])
      return false;
  }
  return true;
}

// Whether all these moves do is carry the mover's own pieces, by steps along which no piece gets back to a cell it has left. On a
// cycle of such moves no stone could be taken, since none come back, and each piece would have to.
bool only_forward(const RuleSet& rules, const std::vector<std::size_t>& moves) {
  CellContents own = 0;
  for (const KindDescription& kind : rules.kinds) {
    if (kind.owner == Player::first)
      own |= CellContents{1} << rules.plane_of(static_cast<std::size_t>(&kind - rules.kinds.data())).if_first;
  }
  std::array<Relation, 2> ahead;
  ahead.fill(Relation(static_cast<std::size_t>(rules.board.size()), 0));
  for (const std::size_t m : moves) {
    const MoveRule& move = rules.moves[m];
    const bool carries = move.kind == MoveRule::Kind::move && move.lift < 0 && move.transitions.empty() &&
                         move.next.empty() && (contents(rules, move.from) & ~own) == 0;
    if (!carries) return false;
    for (std::size_t who = 0; who < ahead.size(); ++who) {
      if (move.step[who] < 0) return false;
      const Relation& steps = rules.graph.relation(move.step[who]);
      for (std::size_t c = 0; c < steps.size(); ++c) ahead[who][c] |= steps[c];
    }
  }
  // Cells from which all steps lead to cells that are done are done.
  return std::all_of(ahead.begin(), ahead.end(), [&](const Relation& steps) {
    CellSet done = 0;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t c = 0; c < steps.size(); ++c) {
        const CellSet cell = cell_bit(static_cast<Cell>(c));
        if ((done & cell) != 0 || (steps[c] & ~done) != 0) continue;
        done |= cell;
        more = true;
      }
    }
    return done == rules.board.all();
  });
}

// Every signed sum of the numbers of stones by kind; of many kinds, only those of one kind or of all. Fewer signs first, all stones
// before some.
std::vector<Measure> measures_of_stones(const RuleSet& rules, bool exchangeable) {
  std::vector<Measure> out;
  const std::size_t kinds = rules.kinds.size();
  std::vector<std::vector<int>> sums;
  if (kinds <= kMostSigned) {
    std::size_t combinations = 1;
    for (std::size_t k = 0; k < kinds; ++k) combinations *= 3;
    for (std::size_t code = 0; code < combinations; ++code) {
      sums.emplace_back();
      for (std::size_t rest = code; sums.back().size() < kinds; rest /= 3)
        sums.back().push_back(rest % 3 == 2 ? -1 : static_cast<int>(rest % 3));
    }
  } else {
    for (const int sign : {1, -1}) {
      for (std::size_t k = 0; k < kinds; ++k) sums.emplace_back(kinds, 0)[k] = sign;
      sums.emplace_back(kinds, sign);
    }
  }
  for (std::vector<int>& weights : sums) {
    Measure m;
    m.kind_weight = std::move(weights);
    std::vector<std::string> up;
    std::vector<std::string> down;
    for (std::size_t k = 0; k < kinds; ++k) {
      if (m.kind_weight[k] > 0) up.push_back(rules.kinds[k].name);
      if (m.kind_weight[k] < 0) down.push_back(rules.kinds[k].name);
    }
    if (up.empty() && down.empty()) continue;
    if (exchangeable && !treats_alike(rules, m.kind_weight)) continue;
    const std::vector<std::string>& named = up.empty() ? down : up;
    const std::string counted = named.size() == rules.kinds.size() ? "stones" : absl::StrJoin(named, " + ");
    const std::string less =
        up.empty() || down.empty() ? "" : absl::StrCat(" less that of ", absl::StrJoin(down, " + "));
    m.text = absl::StrCat("the number of ", counted, less, up.empty() ? ", falling" : "");
    m.slot_weight.assign(rules.slots.size(), 0);
    m.least = down.empty() ? 0 : -rules.board.size();
    m.greatest = up.empty() ? 0 : rules.board.size();
    out.push_back(std::move(m));
  }
  std::stable_sort(out.begin(), out.end(), [](const Measure& a, const Measure& b) {
    const auto key = [](const Measure& m) {
      const auto minus = std::count(m.kind_weight.begin(), m.kind_weight.end(), -1);
      const auto zero = std::count(m.kind_weight.begin(), m.kind_weight.end(), 0);
      return std::pair(minus, zero);
    };
    return key(a) < key(b);
  });
  return out;
}

// Numbers of the state, rising and falling, and whether a player is noted.
std::vector<Measure> measures_of_state(const RuleSet& rules) {
  std::vector<Measure> out;
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    if (!slot.live) continue;
    Measure m;
    m.kind_weight.assign(rules.kinds.size(), 0);
    m.slot_weight.assign(rules.slots.size(), 0);
    if (slot.type == StateDescription::Type::player) {
      m.noted_slot = static_cast<int>(s);
      m.text = absl::StrCat("whether a player is noted in '", slot.name, "'");
      m.greatest = 1;
      out.push_back(m);
    } else if (slot.type == StateDescription::Type::number &&
               (slot.partner < 0 || slot.partner > static_cast<int>(s))) {
      const std::int64_t both = slot.partner < 0 ? 1 : 2;
      for (const int weight : {-1, 1}) {
        m.slot_weight[s] = weight;
        if (slot.partner >= 0) m.slot_weight[static_cast<std::size_t>(slot.partner)] = weight;
        m.text = absl::StrCat("the number '", slot.name, weight < 0 ? "', falling" : "'");
        m.least = weight * both * (weight < 0 ? slot.range.greatest : slot.range.least);
        m.greatest = weight * both * (weight < 0 ? slot.range.least : slot.range.greatest);
        out.push_back(m);
      }
    }
  }
  return out;
}

// What moves do to a measure.
class Effects {
 public:
  explicit Effects(const RuleSet& rules) : rules_(rules) {
    for (const MoveRule& move : rules.moves) {
      by_move_.push_back(move_deltas(rules, move, Player::first));
      for (MoveDelta& change : move_deltas(rules, move, Player::second)) by_move_.back().push_back(std::move(change));
    }
  }

  struct Trend {
    bool falls = false;
    bool useful = false;              // some move may raise it
    std::vector<std::size_t> strict;  // the moves that always do
  };
  Trend trend(const Measure& m, const std::vector<std::size_t>& moves) const {
    Trend out;
    for (const std::size_t move : moves) {
      bool always = true;
      for (const MoveDelta& c : by_move_[move]) {
        const Interval by = change(m, c);
        out.falls |= by.least < 0;
        always &= by.least > 0;
        out.useful |= by.greatest > 0;
      }
      if (always) out.strict.push_back(move);
    }
    return out;
  }

 private:
  Interval change(const Measure& m, const MoveDelta& c) const {
    Interval out = weighed(rules_, c, m.kind_weight, m.slot_weight);
    if (m.noted_slot >= 0) {
      out.least += c.noted[static_cast<std::size_t>(m.noted_slot)].least;
      out.greatest += c.noted[static_cast<std::size_t>(m.noted_slot)].greatest;
    }
    return out;
  }

  const RuleSet& rules_;
  std::vector<std::vector<MoveDelta>> by_move_;
};

// Takes the measures that no move lowers, most useful first; `remaining`: the moves that raise none of them for sure.
std::vector<Measure> choose_measures(const RuleSet& rules, const std::vector<Measure>& candidates,
                                     std::vector<std::size_t>& remaining, std::uint32_t& count) {
  std::vector<Measure> out;
  const Effects effects(rules);
  for (;;) {
    const Measure* best = nullptr;
    Effects::Trend of_best;
    for (const Measure& m : candidates) {
      const Effects::Trend trend = effects.trend(m, remaining);
      const bool taken = std::any_of(out.begin(), out.end(), [&](const Measure& t) { return t.text == m.text; });
      if (trend.falls || taken) continue;
      if (best == nullptr || trend.strict.size() > of_best.strict.size() ||
          (trend.strict.size() == of_best.strict.size() && trend.useful && !of_best.useful)) {
        best = &m;
        of_best = trend;
      }
    }
    if (best == nullptr || (of_best.strict.empty() && !of_best.useful)) return out;
    const std::int64_t span = best->greatest - best->least + 1;
    if (static_cast<std::int64_t>(count) * span > kMaxTiers) return out;
    count = static_cast<std::uint32_t>(count * span);
    out.push_back(*best);
    for (const std::size_t move : of_best.strict) std::erase(remaining, move);
    // Of a move with a choice, only where it is raised whatever is chosen.
    for (const std::size_t move : of_best.strict) {
      const std::string& name = rules.moves[move].name;
      std::vector<std::string>& names = out.back().raised_by;
      const bool not_always = std::any_of(remaining.begin(), remaining.end(),
                                          [&](std::size_t other) { return rules.moves[other].name == name; });
      if (!not_always && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
}

class MoveTiers final : public Tiers {
 public:
  MoveTiers(const RuleSet& rules, const SymmetryGroup& symmetries) {
    std::vector<Measure> candidates = measures_of_stones(rules, symmetries.has_exchange());
    for (Measure& m : measures_of_state(rules)) candidates.push_back(std::move(m));
    std::vector<std::size_t> remaining(rules.moves.size());
    for (std::size_t i = 0; i < remaining.size(); ++i) remaining[i] = i;
    measures_ = choose_measures(rules, candidates, remaining, count_);
    const bool forward = !remaining.empty() && rules.stuck != Stuck::pass && only_forward(rules, remaining);
    if (forward) {
      for (const std::size_t move : remaining) forward_.push_back(rules.moves[move].name);
      remaining.clear();
    } else {
      prove(rules, symmetries, remaining);
    }
    // Passes alone cannot cycle where enough of them end the game: each raises the number of passes in a row.
    const bool only_passes = are_passes(rules, remaining);
    const bool may_pass = !remaining.empty() || rules.stuck == Stuck::pass;
    if (only_passes && may_pass && passes_end(rules)) {
      passes_end_ = true;
      passes_cap_ = further_.empty() ? rules.passes_cap : 0;
      count_ *= static_cast<std::uint32_t>(passes_cap_ + 1);
      remaining.clear();
    }
    for (const std::size_t move : remaining) {
      const std::string& name = rules.moves[move].name;
      const bool told = std::find(cycling_.begin(), cycling_.end(), name) != cycling_.end();
      if (!told && (rules.moves[move].kind != MoveRule::Kind::pass || only_passes)) cycling_.push_back(name);
    }
    if (rules.stuck == Stuck::pass && only_passes && !passes_end(rules)) cycling_.emplace_back("pass (forced)");
    for (const Measure& m : measures_) digits_.push_back({MeasureReader(rules, m), m.least, m.greatest - m.least + 1});
  }

  std::uint32_t tier(const Position& p) const override {
    std::int64_t out = 0;
    for (const Digit& digit : digits_) out = out * digit.base + (digit.measured(p) - digit.least);
    if (passes_cap_ > 0) out = out * (passes_cap_ + 1) + p.passes;
    return static_cast<std::uint32_t>(out);
  }

 private:
  static bool passes_end(const RuleSet& rules) { return rules.passes_live && rules.passes_end; }
  static bool are_passes(const RuleSet& rules, const std::vector<std::size_t>& moves) {
    return std::all_of(moves.begin(), moves.end(),
                       [&](std::size_t m) { return rules.moves[m].kind == MoveRule::Kind::pass; });
  }

  // What simple measures have left, by measures that a linear program finds: until only passes are left, or not at all.
  void prove(const RuleSet& rules, const SymmetryGroup& symmetries, std::vector<std::size_t>& remaining) {
    const bool may_pass = rules.stuck == Stuck::pass ||
                          std::any_of(remaining.begin(), remaining.end(),
                                      [&](std::size_t m) { return rules.moves[m].kind == MoveRule::Kind::pass; });
    if (are_passes(rules, remaining) || (may_pass && !passes_end(rules))) return;
    auto found = prove_acyclic(rules, symmetries, remaining, measures_);
    if (!found) return;
    measures_.clear();
    const std::int64_t passes = may_pass ? rules.passes_cap + 1 : 1;
    std::int64_t count = count_;
    for (Measure& m : *found) {
      const std::int64_t span = m.found ? m.greatest - m.least + 1 : 1;  // the others are counted
      const bool ranks =
          further_.empty() && m.for_all_images && span <= kMaxTiers && count * span * passes <= kMaxTiers;
      if (ranks) count *= span;
      (!m.found || ranks ? measures_ : further_).push_back(std::move(m));
    }
    count_ = static_cast<std::uint32_t>(count);
    std::erase_if(remaining, [&](std::size_t m) { return rules.moves[m].kind != MoveRule::Kind::pass; });
  }

  struct Digit {  // of a tier's number
    MeasureReader measured;
    std::int64_t least = 0;
    std::int64_t base = 1;
  };
  std::vector<Digit> digits_;
};

class PieceTiers final : public Tiers {
 public:
  // Pieces are what does not promote, pawns what does.
  PieceTiers(const RuleSet& rules, std::shared_ptr<const PieceSet> pieces) : pieces_(std::move(pieces)) {
    const auto measure = [&](const char* text, const char* raised_by, std::uint32_t values) {
      Measure m;
      m.text = text;
      m.kind_weight.assign(rules.kinds.size(), 0);
      m.slot_weight.assign(rules.slots.size(), 0);
      m.raised_by.emplace_back(raised_by);
      m.greatest = values - 1;
      measures_.push_back(std::move(m));
      count_ *= values;
    };
    const auto men = static_cast<std::uint32_t>(pieces_->most_men);
    measure("the number of men, falling", "a capture", men + 1);
    std::vector<std::string> pawns;
    for (const PieceKind& kind : pieces_->kinds) (kind.promotions.empty() ? cycling_ : pawns).push_back(kind.letter);
    if (pawns.empty()) return;
    measure("the number of men that promote, falling", "a promotion", men + 1);
    if (!pieces_->pawns_go_forward()) {
      cycling_.insert(cycling_.end(), pawns.begin(), pawns.end());
      return;
    }
    ranks_ = men * static_cast<std::uint32_t>(pieces_->height) + 1;
    measure("the ranks that these have gone", "a move of one of them", ranks_);
  }

  std::uint32_t tier(const Position& p) const override {
    const auto most = static_cast<std::uint32_t>(pieces_->most_men);
    std::uint32_t men = 0;
    std::uint32_t pawns = 0;
    std::uint32_t ranks = 0;
    for (const bool movers : {true, false}) {
      const bool up = (p.mover == Player::first) == movers;
      for (std::size_t k = 0; k < pieces_->kinds.size(); ++k) {
        const bool pawn = !pieces_->kinds[k].promotions.empty();
        for (CellSet rest = p.planes[pieces_->plane(movers, k)]; rest != 0; rest &= rest - 1) {
          const auto cell = static_cast<Cell>(std::countr_zero(rest));
          const auto n = static_cast<std::uint32_t>(pieces_->count(p, movers, k, cell));
          men += n;
          if (!pawn) continue;
          pawns += n;
          ranks += n * static_cast<std::uint32_t>(up ? pieces_->y(cell) : pieces_->height - 1 - pieces_->y(cell));
        }
      }
    }
    std::uint32_t out = most - men;
    if (measures_.size() > 1) out = out * (most + 1) + (most - pawns);
    return ranks_ > 1 ? out * ranks_ + ranks : out;
  }

 private:
  std::shared_ptr<const PieceSet> pieces_;
  std::uint32_t ranks_ = 1;  // sums of the ranks that pawns have gone
};

}  // namespace

std::unique_ptr<const Tiers> move_tiers(const RuleSet& rules, const SymmetryGroup& symmetries) {
  return std::make_unique<MoveTiers>(rules, symmetries);
}

std::unique_ptr<const Tiers> piece_tiers(const RuleSet& rules, std::shared_ptr<const PieceSet> pieces) {
  return std::make_unique<PieceTiers>(rules, std::move(pieces));
}

std::string Tiers::reason() const {
  std::vector<std::string> parts;
  for (const auto* const measures : {&measures_, &further_}) {
    for (const Measure& m : *measures) {
      if (!m.partly && m.raised_by.empty()) continue;
      // A later one may fall by moves that raise an earlier one.
      const bool first = parts.empty();
      const std::string who = m.partly ? "some turns" : absl::StrJoin(m.raised_by, ", ");
      parts.push_back(absl::StrCat(first ? "" : "of the rest, ", who,
                                   m.partly || m.raised_by.size() > 1 ? " raise " : " raises ", m.text,
                                   first ? ", which no move lowers" : ", which none of them lowers"));
    }
  }
  if (!forward_.empty())
    parts.push_back(
        absl::StrCat("pieces only go forward by ", absl::StrJoin(forward_, ", "), ", and none are put back"));
  if (passes_end_) parts.emplace_back("passes in a row end the game");
  if (!cycling_.empty()) parts.push_back(absl::StrCat("nothing rises for sure with: ", absl::StrJoin(cycling_, ", ")));
  return absl::StrJoin(parts, "; ");
}

}  // namespace plenum
