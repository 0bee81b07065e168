// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/pattern_play.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "variants/rules/pattern_game.h"

namespace plenum {
namespace {

// The cells of chains, by their place counted from the top: the last is odd. So where all cells above it are empty, an open cell is odd
// exactly when an odd number of cells is left in its chain.
struct ChainCells {
  CellSet odd = 0;
  CellSet even = 0;
  Relation same;      // by cell: the cells of its chain
  Relation down;      // those below it, and itself
  Relation up;        // those above it
  Relation previous;  // the one just below it
};

ChainCells chain_cells(std::size_t cells, const std::vector<std::vector<Cell>>& chains) {
  ChainCells out{0, 0, Relation(cells, 0), Relation(cells, 0), Relation(cells, 0), Relation(cells, 0)};
  for (const std::vector<Cell>& chain : chains) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      ((chain.size() - i) % 2 != 0 ? out.odd : out.even) |= cell_bit(chain[i]);
      if (i > 0) out.previous[chain[i]] = cell_bit(chain[i - 1]);
      for (std::size_t j = 0; j < chain.size(); ++j) {
        out.same[chain[i]] |= cell_bit(chain[j]);
        (j <= i ? out.down : out.up)[chain[i]] |= cell_bit(chain[j]);
      }
    }
  }
  return out;
}

// Of a player A to move whom B follows up: whether A cannot win, and whether B does.
struct FollowUp {
  NodeId draws = -1;
  NodeId loses = -1;
};

FollowUp follow_up(RuleGraph& graph, const PatternGame& game, NodeId a, NodeId b, NodeId lacking) {
  const auto cells = static_cast<std::size_t>(graph.cells());
  const ChainCells chain = chain_cells(cells, game.chains);
  const auto both = [&](NodeId x, NodeId y) { return graph.conjunction({x, y}); };
  const auto without = [&](NodeId x, NodeId y) { return both(x, graph.complement(y)); };
  const auto beside = [&](const Relation& relation, NodeId set) { return graph.image(graph.intern(relation), set); };
  const NodeId odd = graph.constant(chain.odd);
  const NodeId even = graph.constant(chain.even);
  const NodeId stones = graph.disjunction({a, b});
  const NodeId empty = graph.complement(stones);
  // A stone above an empty cell, as a position may have that play did not come from: then a chain has two open cells. Play adds none.
  const NodeId floats = graph.any(both(stones, beside(chain.previous, empty)));
  // Chains with an odd number of empty cells: their empty ones.
  const NodeId odd_chains = beside(chain.down, both(game.to, odd));
  std::vector<std::int64_t> by_stones;
  for (std::size_t n = 0; n <= cells; ++n) by_stones.push_back(static_cast<std::int64_t>((cells - n) % 2));
  const NodeId number_is_odd = graph.at_least(graph.as_form(graph.lookup(graph.count(stones), 0, by_stones)), 1, false);
  // Where their number is odd: the chain that is left alone, by a threat of B's in it.
  const NodeId good = both(lacking, both(odd_chains, even));
  std::vector<CellSet> order;
  for (std::size_t c = 0; c < cells; ++c) order.push_back(cell_bit(static_cast<Cell>(c)));
  const NodeId threat = graph.pick(order, good);
  const NodeId alone = beside(chain.same, threat);
  const NodeId below = both(both(beside(chain.up, threat), odd), empty);
  const NodeId answered = without(both(empty, even), odd_chains);
  const NodeId if_even = graph.disjunction({a, answered, odd_chains});
  const NodeId if_odd = graph.disjunction({a, answered, without(odd_chains, alone), below});
  const NodeId reach = graph.choose(number_is_odd, if_odd, if_even);
  const NodeId never = both(graph.complement(graph.any(graph.cover(game.masks, reach))), graph.complement(floats));
  const NodeId got = graph.disjunction({b, without(both(empty, odd), odd_chains)});
  const NodeId completes = graph.any(graph.cover(game.masks, got));
  return {without(never, number_is_odd), both(never, graph.choose(number_is_odd, graph.any(good), completes))};
}

}  // namespace

PatternPlay::PatternPlay(const Rules& rules) {
  RuleGraph graph = rules.set().graph;
  const std::optional<PatternGame> game = pattern_game(rules, graph);
  if (!game || !game->keeps_open) return;
  worth_ = game->worth;
  const NodeId mine = graph.cell_input(kPlanes);
  const NodeId theirs = graph.cell_input(kPlanes + 1);
  const NodeId empty = graph.complement(graph.disjunction({mine, theirs}));
  const NodeId mine_lacks = graph.completing(game->masks, mine, empty);
  const NodeId theirs_lack = graph.completing(game->masks, theirs, empty);
  const NodeId threats = graph.conjunction({theirs_lack, game->to});
  const NodeId then = substituted(graph, game->to, {{mine, graph.disjunction({mine, threats})}});
  const Linear promise = graph.as_form(graph.count(mine_lacks)) + graph.as_form(graph.count(theirs_lack)) * -1;
  std::vector<NodeId> roots = {graph.of_form(promise, false), graph.conjunction({mine_lacks, game->to}), threats,
                               graph.conjunction({theirs_lack, then})};
  const bool chained =
      std::any_of(game->chains.begin(), game->chains.end(), [](const auto& chain) { return chain.size() > 1; });
  if (chained && game->ties_when_full) {
    const FollowUp follow = follow_up(graph, *game, mine, theirs, theirs_lack);
    roots.push_back(follow.draws);
    roots.push_back(follow.loses);
  }
  program_ = Program(graph, roots, rules.set().number_bounds());
}

void PatternPlay::judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& scratch,
                        Verdict* verdicts) const {
  InputPointers pointers;
  program_.run(program_input(batch, begin, pointers), lanes, scratch.work);
  program_.read_number(kPromise, lanes, scratch.work, scratch.promise.data());
  const auto set = [&](std::size_t root) -> std::array<std::uint64_t, kLanes>& { return scratch.sets[root - 1]; };
  for (std::size_t r = kWins; r < program_.roots(); ++r) program_.read_set(r, lanes, scratch.work, set(r).data());
  const bool follows = follows_up();
  for (std::size_t k = 0; k < lanes; ++k) {
    Verdict& verdict = verdicts[k];
    verdict = {{-worth_, worth_}, scratch.promise[k], kNoCell};
    if (set(kWins)[k] != 0) {
      verdict.bounds.least = worth_;
      continue;
    }
    const std::uint64_t threats = set(kThreats)[k];
    if ((threats & (threats - 1)) != 0 || (threats != 0 && set(kFurther)[k] != 0) || (follows && set(kLoses)[k] != 0)) {
      verdict.bounds.greatest = -worth_;
      continue;
    }
    if (threats != 0) verdict.forced = static_cast<Cell>(std::countr_zero(threats));
    if (follows && set(kDraws)[k] != 0) verdict.bounds.greatest = 0;
  }
}

}  // namespace plenum
