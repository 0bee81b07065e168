// SPDX-License-Identifier: Apache-2.0
// What the turns of a move can change, as sums of small changes: of stones by kind and cell (or by kind alone), of numbers of the
// state, of "somebody is noted in a state". By structure alone; every turn there may be is such a sum, and more sums than turns are.
//
//     sure = {{-1 frog at c, +1 frog at b}, {-1 frog at b, +1 frog at a}}     one of these happens in every turn
//     besides = {-1 toad at b}                                                each of these any number of times, or not at all
//
// Thread-safety: all of it is values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "variants/graph/move_deltas.h"

namespace plenum {

// How the quantities that changes are counted in are numbered.
struct Quantities {
  std::size_t kinds = 0;
  std::size_t places = 1;  // the cells; 1: stones are counted by kind alone
  std::size_t slots = 0;

  std::size_t stone(std::size_t kind, std::size_t place) const { return kind * places + place; }
  std::size_t number(const RuleSet& rules,
                     std::size_t slot) const;  // one for both slots of a number kept for each player
  std::size_t noted(std::size_t slot) const { return kinds * places + slots + slot; }
  std::size_t count() const { return kinds * places + 2 * slots; }
};

// Quantities and by how much they change, in rising order, none by 0.
using CountChange = std::vector<std::pair<std::size_t, std::int64_t>>;
void add_amount(CountChange& change, std::size_t quantity, std::int64_t by);
// A change within bounds: the end that is nearer to 0 for sure, and any number of ones besides.
void add_within(std::size_t quantity, const Interval& by, CountChange& sure, std::set<CountChange>& besides);

struct TurnChanges {
  std::size_t move = 0;  // of RuleSet::moves
  Player mover = Player::first;
  std::vector<std::vector<CountChange>> sure;  // of each of these lists one happens; an empty list: no turn is possible
  std::vector<CountChange> besides;
};

Quantities quantities_by_kind(const RuleSet& rules);
Quantities quantities_by_cell(const RuleSet& rules);

// Of these moves (of RuleSet::moves), for each player. By kind: from move_deltas(), where a turn's parts are summed up. By cell: each
// part by itself; nullopt if a bare move can be undone by another, so that no measure whatever is raised by it.
std::vector<TurnChanges> changes_by_kind(const RuleSet& rules, const std::vector<std::size_t>& moves);
std::optional<std::vector<TurnChanges>> changes_by_cell(const RuleSet& rules, const std::vector<std::size_t>& moves);

}  // namespace plenum
