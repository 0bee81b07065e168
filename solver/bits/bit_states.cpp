// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_states.h"

#include <algorithm>

#include <absl/strings/str_cat.h>
#include <tbb/task_arena.h>

#include "solver/bits/bit_pass.h"
#include "solver/bits/bit_sets.h"
#include "solver/support/memory.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr int kSetsTried = 5000;         // of so many cells, to find the reachable states
constexpr std::size_t kMostWords = 512;  // of a row that is tried
constexpr double kNsPerWord = 1;         // of a row of the next tier, for a cell that is free
constexpr double kNsPerMove = 350;       // of a set
constexpr double kMoreInBetween = 0.06;  // of the largest tier, while one takes the place of the next
constexpr double kMostSeconds = 10'000;
constexpr double kFetchedTimes = 4;  // most of the next tier's rows, by each rank

}  // namespace

Folding bits_folding(const Variant& variant, const Position& start) {
  Folding out = Folding::keeping(variant, start);
  out.exchange = kIdentity;
  out.all = false;
  return out;
}

bool ends_on_full_board(const Variant& variant) {
  const RuleSet& rules = variant.rule_set();
  RuleGraph graph = rules.graph;  // to ask for nodes that exist
  const NodeId occupied = graph.disjunction({graph.cell_input(kPlanes), graph.cell_input(kPlanes + 1)});
  return rules.ended == graph.complement(graph.any(graph.complement(occupied)));
}

std::uint64_t bits_scratch_bytes(int cells, std::uint64_t states) {
  // What moves of each state, and of all, lead to; columns and masks, and a row as it is permuted.
  constexpr std::uint64_t kByState = 2;
  constexpr std::uint64_t kColumns = 12;
  // Of the process besides: its code and the variant once they are used, what sets of cells leave behind, the result while it is printed.
  constexpr std::uint64_t kProgramBytes = 14'000'000;
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  return threads * (kByState * (states + 1) + kColumns) * row_words(cells) * sizeof(std::uint64_t) + kProgramBytes;
}

std::vector<States> find_bit_states(const Variant& variant, const PlacingRules& rules, const Position& start) {
  const int cells = variant.board().size();
  const CellSet kept = occupied_by(start);
  const CellSet free = variant.board().all() & ~kept;
  std::vector<States> out(static_cast<std::size_t>(cells) + 1);
  Position first;
  first.state = start.state;
  first.mover = start.mover;
  out[static_cast<std::size_t>(std::popcount(kept))] = {first};
  const auto add = [](States& states, const Position& state) {
    if (std::find(states.begin(), states.end(), state) == states.end()) states.push_back(state);
  };
  PlacingRules::Row row(rules);
  for (int stones = std::popcount(kept); stones < cells; ++stones) {
    const States& states = out[static_cast<std::size_t>(stones)];
    States possible;
    for (const Position& state : states) {
      for (const Position& after : rules.possible_after(state)) add(possible, after);
    }
    States found;
    const int added = stones - std::popcount(kept);
    int tried = 0;
    // All sets of so many further cells, in rising order.
    for (std::uint64_t chosen = (std::uint64_t{1} << added) - 1; chosen < std::uint64_t{1} << std::popcount(free);) {
      const CellSet set = kept | deposit(chosen, free);
      row.begin(set, mover_with(start, stones));
      for (const Position& state : states) {
        for (CellSet rest = variant.board().all() & ~set; rest != 0; rest &= rest - 1) {
          const auto cell = static_cast<Cell>(std::countr_zero(rest));
          for (const PlacingRules::Choice& choice : rules.choices(state.mover)) {
            if (row.legal(choice, cell, state).none()) continue;
            for (const auto& after : row.after(choice, cell, state)) add(found, after.state);
          }
        }
      }
      if (found.size() == possible.size()) break;
      if (++tried == kSetsTried || row.words() > kMostWords) {
        found = possible;
        break;
      }
      if (chosen == 0) break;
      const std::uint64_t lowest = chosen & -chosen;
      const std::uint64_t next = chosen + lowest;
      chosen = next | (((chosen ^ next) / lowest) >> 2);
    }
    std::sort(found.begin(), found.end(), [](const Position& a, const Position& b) { return a.state < b.state; });
    out[static_cast<std::size_t>(stones) + 1] = std::move(found);
  }
  return out;
}

std::optional<std::string> bits_obstacle(const Variant& variant, const Position& start) {
  if (variant.board().size() > DenseIndex::kMostSetCells)
    return absl::StrCat("the board has more than ", DenseIndex::kMostSetCells, " cells");
  const absl::StatusOr<PlacingRules> rules = PlacingRules::make(variant);
  if (!rules.ok()) return std::string(rules.status().message());
  if (start.passes != 0) return "it starts after a pass";
  return std::nullopt;
}

DensePrediction predict_bits(const Variant& variant, const Position& start, int ranks) {
  DensePrediction out;
  const absl::StatusOr<PlacingRules> rules = PlacingRules::make(variant);
  if (!rules.ok()) return out;
  const std::vector<States> states = find_bit_states(variant, *rules, start);
  const BitSets sets(variant, start);
  const int cells = variant.board().size();
  double ns = 0;
  std::uint64_t rows = 0;
  std::uint64_t most_states = 0;
  std::uint64_t most_sets = 0;
  for (int stones = std::popcount(occupied_by(start)); stones <= cells; ++stones) {
    const std::uint64_t classes = sets.classes(stones);
    const std::uint64_t count = states[static_cast<std::size_t>(stones)].size();
    rows = std::max(rows, count * classes * row_words(stones) * sizeof(std::uint64_t));
    most_states = std::max(most_states, count);
    most_sets = std::max(most_sets, sets.bytes(stones));
    out.boards += (classes << stones) * count;
    if (stones < cells)
      ns += static_cast<double>(classes) * (cells - stones) *
            (kNsPerMove + kNsPerWord * static_cast<double>(count * row_words(stones + 1)));
  }
  rows += static_cast<std::uint64_t>(kMoreInBetween * static_cast<double>(rows));
  out.bytes = bits_scratch_bytes(cells, most_states) + base_memory() + 2 * most_sets;
  out.cpu_seconds = ns * 1e-9;
  if (ranks == 1) {
    out.bytes += rows;
    return out;
  }
  // A rank holds its part, and of others' rows as much again.
  const double part = 1.0 / ranks;
  out.bytes += kBitsFetchBytes + std::min(rows, 2 * (rows / static_cast<std::uint64_t>(ranks)));
  out.sent_bytes = static_cast<double>(out.boards) / 8 * part * kFetchedTimes * (1 - part);
  return out;
}

bool prefers_bits(const Variant& variant, const Position& start, std::uint64_t memory_bytes) {
  if (bits_obstacle(variant, start)) return false;
  if (!ends_on_full_board(variant)) return false;
  const DensePrediction predicted = predict_bits(variant, start, /*ranks=*/1);
  return predicted.bytes <= memory_bytes && predicted.cpu_seconds <= kMostSeconds;
}

}  // namespace plenum
