// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/cycle_proof.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/rules/rising_weights.h"

namespace plenum {
namespace {

using Weights = std::vector<std::int64_t>;  // of quantities_by_cell()

constexpr std::int64_t kGreatestInMeasure = 1'000'000;  // so that sums over positions stay far from overflowing
const std::vector<std::string> kCoordinates = {"column", "row"};

// Weights in words: of each kind its number, and the columns and rows of its stones, if that is all; or "by cell".
class InWords {
 public:
  InWords(const RuleSet& rules, const Quantities& quantities, const Weights& weights)
      : rules_(rules), quantities_(quantities), weights_(weights) {}

  // `settled`: kinds of which none come and none go, so that their number need not be said.
  std::string text(const std::vector<bool>& settled) {
    std::vector<std::string> scattered;
    for (std::size_t k = 0; k < quantities_.kinds; ++k) {
      if (!add_kind(k, settled[k])) scattered.push_back(rules_.kinds[k].name);
    }
    if (!scattered.empty())
      up_.push_back(absl::StrCat("the worth of the cells where ", absl::StrJoin(scattered, " + "), " stand"));
    for (const auto& [of, kinds] : terms_) {
      const std::string named =
          kinds.size() == quantities_.kinds && kinds.size() > 1 ? "stones" : absl::StrJoin(kinds, " + ");
      add(of.second, absl::StrCat("the ", of.first, " of ", named));
    }
    for (std::size_t s = 0; s < quantities_.slots; ++s) {
      const int partner = rules_.slots[s].partner;
      if (partner < 0 || partner > static_cast<int>(s))
        add(weights_[quantities_.number(rules_, s)], absl::StrCat("the number '", rules_.slots[s].name, "'"));
      add(weights_[quantities_.noted(s)], absl::StrCat("whether a player is noted in '", rules_.slots[s].name, "'"));
    }
    if (up_.empty()) return absl::StrCat(absl::StrJoin(down_, " + "), ", falling");
    return absl::StrCat(absl::StrJoin(up_, " + "), down_.empty() ? "" : " less ", absl::StrJoin(down_, " + "));
  }

 private:
  void add(std::int64_t weight, const std::string& what) {
    if (weight == 0) return;
    const std::int64_t times = std::abs(weight);
    (weight > 0 ? up_ : down_).push_back(times == 1 ? what : absl::StrCat(times, " times ", what));
  }

  std::int64_t weight(std::size_t kind, std::size_t cell) const { return weights_[quantities_.stone(kind, cell)]; }

  // How much more a step of one coordinate weighs, the others staying as they are; 0 where there is no such step.
  std::int64_t slope(std::size_t kind, const std::string& coordinate) const {
    for (std::size_t a = 0; a < quantities_.places; ++a) {
      for (std::size_t b = 0; b < quantities_.places; ++b) {
        const bool beside = std::all_of(kCoordinates.begin(), kCoordinates.end(), [&](const std::string& name) {
          const std::vector<int>* const at = rules_.board.coordinate(name);
          return at == nullptr || (*at)[b] - (*at)[a] == (name == coordinate ? 1 : 0);
        });
        if (beside) return weight(kind, b) - weight(kind, a);
      }
    }
    return 0;
  }

  // Whether the weights of a kind are told by its number, columns and rows.
  bool add_kind(std::size_t kind, bool settled) {
    std::vector<std::int64_t> rest(quantities_.places);
    for (std::size_t c = 0; c < rest.size(); ++c) rest[c] = weight(kind, c);
    std::vector<std::pair<std::string, std::int64_t>> parts;
    for (const std::string& name : kCoordinates) {
      const std::vector<int>* const at = rules_.board.coordinate(name);
      if (at == nullptr) continue;
      parts.emplace_back(name + "s", slope(kind, name));
      for (std::size_t c = 0; c < rest.size(); ++c) rest[c] -= parts.back().second * (*at)[c];
    }
    if (std::any_of(rest.begin(), rest.end(), [&](std::int64_t one) { return one != rest[0]; })) return false;
    if (!settled) parts.emplace_back("number", rest[0]);
    for (const auto& [name, by] : parts) {
      if (by == 0) continue;
      const auto found = std::find_if(terms_.begin(), terms_.end(), [&, n = name, w = by](const auto& term) {
        return term.first == std::pair(n, w);
      });
      if (found != terms_.end())
        found->second.push_back(rules_.kinds[kind].name);
      else
        terms_.push_back({{name, by}, {rules_.kinds[kind].name}});
    }
    return true;
  }

  const RuleSet& rules_;
  const Quantities& quantities_;
  const Weights& weights_;
  std::vector<std::pair<std::pair<std::string, std::int64_t>, std::vector<std::string>>>
      terms_;  // what and its weight: of which kinds
  std::vector<std::string> up_;
  std::vector<std::string> down_;
};

class CycleProof {
 public:
  CycleProof(const RuleSet& rules, const SymmetryGroup& symmetries, std::vector<std::size_t> moves,
             std::vector<Measure> measures)
      : rules_(rules),
        symmetries_(symmetries),
        measures_(std::move(measures)),
        moves_(std::move(moves)),
        kinds_(quantities_by_kind(rules)),
        cells_(quantities_by_cell(rules)),
        by_kind_(changes_by_kind(rules, moves_)) {}

  // All measures there are then; nothing if some move is left that is not a pass.
  std::optional<std::vector<Measure>> run() {
    set_aside_again(by_kind_, true);
    while (!only_passes()) {
      if (try_sums(
              by_kind_, true,
              [&](std::size_t q) {
                return CountChange{{q, 1}};
              },
              kinds_.count()))
        continue;
      if (!cells_asked_) {
        if (!ask_cells()) return std::nullopt;
        continue;
      }
      const std::size_t per_kind = 1 + kCoordinates.size();
      const bool found = try_sums(
                             by_cell_, false, [&](std::size_t q) { return along(q, 1); }, cells_.count()) ||
                         try_sums(
                             by_cell_, false, [&](std::size_t q) { return along(q, per_kind); },
                             cells_.count() + per_kind * cells_.kinds) ||
                         try_sums(
                             by_cell_, false,
                             [](std::size_t q) {
                               return CountChange{{q, 1}};
                             },
                             cells_.count());
      if (!found) return std::nullopt;
    }
    for (Measure& measure : measures_) measure.partly = measure.found && measure.raised_by.empty();
    name_once();
    return std::move(measures_);
  }

 private:
  // A move with a choice may be raised by one measure or another, by what is chosen: it is named at the last.
  void name_once() {
    std::set<std::string> told;
    for (auto measure = measures_.rbegin(); measure != measures_.rend(); ++measure) {
      std::vector<std::string> names;
      for (const std::string& name : measure->raised_by) {
        if (told.insert(name).second) names.push_back(name);
      }
      measure->raised_by = std::move(names);
    }
  }

  bool ask_cells() {
    cells_asked_ = true;
    auto changes = changes_by_cell(rules_, moves_);
    if (!changes) return false;
    by_cell_ = std::move(*changes);
    std::erase_if(by_cell_, [&](const TurnChanges& turn) {
      return std::none_of(by_kind_.begin(), by_kind_.end(),
                          [&](const TurnChanges& open) { return open.move == turn.move && open.mover == turn.mover; });
    });
    set_aside_again(by_cell_, false);
    return true;
  }

  // What the measures there are raise, of changes that have just been read.
  void set_aside_again(std::vector<TurnChanges>& turns, bool of_kinds) {
    drop_done(0);
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      if (set_aside(turns, weights_of(measures_[i]), of_kinds)) drop_done(i + 1);
    }
  }

  Weights weights_of(const Measure& measure) const {
    Weights out(cells_.count(), 0);
    for (std::size_t k = 0; k < cells_.kinds; ++k) {
      for (std::size_t c = 0; c < cells_.places; ++c)
        out[cells_.stone(k, c)] =
            measure.kind_weight[k] + (measure.cell_weight.empty() ? 0 : measure.cell_weight[k][c]);
    }
    for (std::size_t s = 0; s < cells_.slots; ++s) {
      out[cells_.number(rules_, s)] = measure.slot_weight[s];
      const bool noted = measure.noted_slot == static_cast<int>(s);
      out[cells_.noted(s)] = (noted ? 1 : 0) + (measure.noted_weight.empty() ? 0 : measure.noted_weight[s]);
    }
    return out;
  }

  bool only_passes() const {
    return std::all_of(moves_.begin(), moves_.end(),
                       [&](std::size_t m) { return rules_.moves[m].kind == MoveRule::Kind::pass; });
  }

  // A stone on a cell as its kind's number and the first of its coordinates, `terms` in all; what is not a stone as itself.
  CountChange along(std::size_t quantity, std::size_t terms) const {
    const std::size_t stones = cells_.kinds * cells_.places;
    if (quantity >= stones) return {{quantity, 1}};
    const std::size_t kind = quantity / cells_.places;
    CountChange out;
    // Numbered behind the others, so that there is room for all.
    add_amount(out, terms == 1 ? kind : cells_.count() + kind * terms, 1);
    for (std::size_t i = 1; i < terms; ++i) {
      const std::vector<int>* const at = rules_.board.coordinate(kCoordinates[i - 1]);
      if (at != nullptr) add_amount(out, cells_.count() + kind * terms + i, (*at)[quantity % cells_.places]);
    }
    return out;
  }

  // Looks for weights of what `expressed` says of each quantity; takes the measure if it sets something aside.
  template <typename Expressed>
  bool try_sums(std::vector<TurnChanges>& turns, bool of_kinds, const Expressed& expressed, std::size_t count) {
    const std::size_t quantities = of_kinds ? kinds_.count() : cells_.count();
    std::vector<CountChange> as(quantities);
    for (std::size_t q = 0; q < quantities; ++q) as[q] = expressed(q);
    std::set<CountChange> program;
    for_each_change(turns, [&](const CountChange& change) {
      CountChange sum;
      for (const auto& [quantity, by] : change) {
        for (const auto& [term, times] : as[quantity]) add_amount(sum, term, by * times);
      }
      program.insert(std::move(sum));
    });
    const auto found = rising_weights({program.begin(), program.end()}, count);
    if (!found) return false;
    Weights weights(quantities);
    for (std::size_t q = 0; q < quantities; ++q) weights[q] = weighed(as[q], *found);
    if (of_kinds) weights = by_cell(weights);
    Weights images = for_all_images(weights);
    const bool alike = !images.empty() && lowers_none(turns, images, of_kinds);
    if (alike) weights = std::move(images);
    return lowers_none(turns, weights, of_kinds) && take(weights, turns, of_kinds, alike);
  }

  template <typename Function>
  static void for_each_change(const std::vector<TurnChanges>& turns, const Function& function) {
    for (const TurnChanges& turn : turns) {
      for (const auto& list : turn.sure) std::for_each(list.begin(), list.end(), function);
      std::for_each(turn.besides.begin(), turn.besides.end(), function);
    }
  }

  Weights by_cell(const Weights& by_kind) const {
    Weights out(cells_.count());
    for (std::size_t k = 0; k < cells_.kinds; ++k) {
      for (std::size_t c = 0; c < cells_.places; ++c) out[cells_.stone(k, c)] = by_kind[kinds_.stone(k, 0)];
    }
    std::copy(by_kind.begin() + static_cast<std::ptrdiff_t>(kinds_.kinds), by_kind.end(),
              out.begin() + static_cast<std::ptrdiff_t>(cells_.kinds * cells_.places));
    return out;
  }

  // Of weights that are the same on all cells: by kind. Nothing if they are not.
  std::optional<Weights> by_kind(const Weights& weights) const {
    Weights out(kinds_.count());
    for (std::size_t k = 0; k < cells_.kinds; ++k) {
      out[k] = weights[cells_.stone(k, 0)];
      for (std::size_t c = 0; c < cells_.places; ++c) {
        if (weights[cells_.stone(k, c)] != out[k]) return std::nullopt;
      }
    }
    std::copy(weights.begin() + static_cast<std::ptrdiff_t>(cells_.kinds * cells_.places), weights.end(),
              out.begin() + static_cast<std::ptrdiff_t>(kinds_.kinds));
    return out;
  }

  // The sum of the weights of all images under the symmetries, without a common divisor; nothing if it weighs nothing.
  Weights for_all_images(const Weights& weights) const {
    std::vector<std::size_t> exchanged(cells_.kinds, cells_.kinds);
    for (std::size_t k = 0; k < cells_.kinds; ++k) {
      for (std::size_t other = 0; other < cells_.kinds; ++other) {
        if (rules_.plane_of(other).if_first == rules_.plane_of(k).if_second) exchanged[k] = other;
      }
    }
    Weights out(weights.size(), 0);
    for (const Symmetry& g : symmetries_.elements()) {
      for (std::size_t k = 0; k < cells_.kinds; ++k) {
        const std::size_t image = g.exchange ? exchanged[k] : k;
        if (image == cells_.kinds) return {};
        for (std::size_t c = 0; c < cells_.places; ++c)
          out[cells_.stone(k, c)] += weights[cells_.stone(image, g.permutation[c])];
      }
    }
    for (std::size_t q = cells_.kinds * cells_.places; q < weights.size(); ++q)
      out[q] = weights[q] * static_cast<std::int64_t>(symmetries_.size());
    std::int64_t divisor = 0;
    for (const std::int64_t one : out) divisor = std::gcd(divisor, one);
    if (divisor == 0) return {};
    for (std::int64_t& one : out) one /= divisor;
    return out;
  }

  // Whole numbers that no change lowers: the check of what the program has found.
  bool lowers_none(const std::vector<TurnChanges>& turns, const Weights& weights, bool of_kinds) const {
    const auto as = of_kinds ? by_kind(weights) : std::optional<Weights>(weights);
    if (!as) return false;
    bool none = std::all_of(weights.begin(), weights.end(),
                            [](std::int64_t one) { return std::abs(one) <= kGreatestInMeasure; });
    for_each_change(turns, [&](const CountChange& change) { none &= weighed(change, *as) >= 0; });
    return none;
  }

  // Sets aside what these weights raise; whether there is any.
  bool set_aside(std::vector<TurnChanges>& turns, const Weights& weights, bool of_kinds) const {
    if (!lowers_none(turns, weights, of_kinds)) return false;
    const Weights as = of_kinds ? *by_kind(weights) : weights;
    std::size_t raised = 0;
    for (TurnChanges& turn : turns) {
      const auto rises = [&](const CountChange& change) { return weighed(change, as) > 0; };
      for (auto& list : turn.sure) raised += std::erase_if(list, rises);
      raised += std::erase_if(turn.besides, rises);
    }
    return raised > 0;
  }

  bool take(const Weights& weights, std::vector<TurnChanges>& turns, bool of_kinds, bool alike) {
    Measure measure = as_measure(weights, turns, of_kinds);
    measure.found = true;
    measure.for_all_images = alike;
    if (!set_aside(turns, weights, of_kinds)) return false;
    set_aside(of_kinds ? by_cell_ : by_kind_, weights, !of_kinds);
    measures_.push_back(std::move(measure));
    drop_done(measures_.size());
    return true;
  }

  // Moves of which no turn is left are done, by so many measures. The last that a player's turns needed is said to raise the move.
  void drop_done(std::size_t measures) {
    std::set<std::pair<std::size_t, Player>> done;
    for (const auto* turns : {&by_kind_, &by_cell_}) {
      for (const TurnChanges& turn : *turns) {
        if (std::any_of(turn.sure.begin(), turn.sure.end(), [](const auto& list) { return list.empty(); }))
          done.insert({turn.move, turn.mover});
      }
    }
    for (auto* turns : {&by_kind_, &by_cell_})
      std::erase_if(*turns, [&](const TurnChanges& turn) { return done.count({turn.move, turn.mover}) > 0; });
    for (const auto& [move, mover] : done) needed_[move] = std::max(needed_[move], measures);
    std::erase_if(moves_, [&](std::size_t move) {
      const bool gone =
          std::none_of(by_kind_.begin(), by_kind_.end(), [&](const TurnChanges& t) { return t.move == move; });
      if (gone && needed_[move] > 0) measures_[needed_[move] - 1].raised_by.push_back(rules_.moves[move].name);
      return gone;
    });
  }

  Measure as_measure(const Weights& weights, const std::vector<TurnChanges>& turns, bool of_kinds) const {
    Measure out;
    std::vector<bool> settled(cells_.kinds, true);
    for_each_change(turns, [&](const CountChange& change) {
      std::vector<std::int64_t> by(cells_.kinds, 0);
      const std::size_t places = of_kinds ? 1 : cells_.places;
      for (const auto& [quantity, amount] : change) {
        if (quantity < cells_.kinds * places) by[quantity / places] += amount;
      }
      for (std::size_t k = 0; k < by.size(); ++k) settled[k] = settled[k] && by[k] == 0;
    });
    out.text = InWords(rules_, cells_, weights).text(settled);
    const auto whole = by_kind(weights);
    for (std::size_t k = 0; k < cells_.kinds; ++k) {
      out.kind_weight.push_back(whole ? static_cast<int>((*whole)[k]) : 0);
      if (whole) continue;
      const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(cells_.stone(k, 0));
      out.cell_weight.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(cells_.places));
    }
    for (std::size_t c = 0; c < cells_.places; ++c) {
      std::int64_t least = 0;
      std::int64_t greatest = 0;
      for (std::size_t k = 0; k < cells_.kinds; ++k) {
        least = std::min(least, weights[cells_.stone(k, c)]);
        greatest = std::max(greatest, weights[cells_.stone(k, c)]);
      }
      out.least += least;
      out.greatest += greatest;
    }
    for (std::size_t s = 0; s < cells_.slots; ++s) {
      const std::int64_t weight = weights[cells_.number(rules_, s)];
      out.slot_weight.push_back(static_cast<int>(weight));
      const Interval range = rules_.slots[s].range;
      out.least += weight * (weight > 0 ? range.least : range.greatest);
      out.greatest += weight * (weight > 0 ? range.greatest : range.least);
      const std::int64_t noted = weights[cells_.noted(s)];
      out.noted_weight.push_back(static_cast<int>(noted));
      out.least += std::min<std::int64_t>(noted, 0);
      out.greatest += std::max<std::int64_t>(noted, 0);
    }
    return out;
  }

  const RuleSet& rules_;
  const SymmetryGroup& symmetries_;
  std::vector<Measure> measures_;
  std::vector<std::size_t> moves_;             // that are left
  std::map<std::size_t, std::size_t> needed_;  // by move: how many of the measures
  Quantities kinds_;
  Quantities cells_;
  std::vector<TurnChanges> by_kind_;
  std::vector<TurnChanges> by_cell_;
  bool cells_asked_ = false;
};

}  // namespace

std::optional<std::vector<Measure>> prove_acyclic(const RuleSet& rules, const SymmetryGroup& symmetries,
                                                  std::vector<std::size_t> moves, std::vector<Measure> measures) {
  return CycleProof(rules, symmetries, std::move(moves), std::move(measures)).run();
}

MeasureReader::MeasureReader(const GameShape& shape, const Measure& measure) {
  for (std::size_t k = 0; k < measure.kind_weight.size(); ++k) {
    std::vector<int> by_cell = measure.cell_weight.empty() ? std::vector<int>() : measure.cell_weight[k];
    if (measure.kind_weight[k] != 0 || !by_cell.empty())
      kinds_.push_back({shape.plane_of(k), measure.kind_weight[k], std::move(by_cell)});
  }
  for (std::size_t s = 0; s < measure.slot_weight.size(); ++s) {
    const OfSlot slot = {s, measure.slot_weight[s], measure.noted_weight.empty() ? 0 : measure.noted_weight[s]};
    constant_ += slot.weight * shape.slots[s].range.least;
    if (slot.weight != 0 || slot.noted != 0) slots_.push_back(slot);
  }
  if (measure.noted_slot >= 0) slots_.push_back({static_cast<std::size_t>(measure.noted_slot), 0, 1});
}

std::int64_t MeasureReader::operator()(const Position& p) const {
  std::int64_t sum = constant_;
  for (const OfKind& kind : kinds_) {
    const CellSet stones = p.planes[static_cast<std::size_t>(plane_for(kind.plane, p.mover))];
    sum += kind.weight * std::popcount(stones);
    if (kind.by_cell.empty()) continue;
    for (CellSet rest = stones; rest != 0; rest &= rest - 1)
      sum += kind.by_cell[static_cast<std::size_t>(std::countr_zero(rest))];
  }
  for (const OfSlot& slot : slots_)
    sum += slot.weight * p.state[slot.slot] + (p.state[slot.slot] != 0 ? slot.noted : 0);
  return sum;
}

}  // namespace plenum
