// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/prediction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>

#include <absl/container/flat_hash_set.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <math.h>  // NOLINT(modernize-deprecated-headers): lgamma_r is POSIX's

#include "solver/support/memory.h"
#include "tables/index/ending_index.h"
#include "tables/index/folded_keys.h"
#include "tables/index/sparse_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// On which cells each cell of a set or field depends; nullopt if on the board as a whole, the state or the origin.
using Dependence = std::optional<std::vector<CellSet>>;

Dependence dependence(const RuleGraph& graph, NodeId id, std::map<NodeId, Dependence>& known) {
  if (const auto found = known.find(id); found != known.end()) return found->second;
  const RuleNode& n = graph.node(id);
  const auto cells = static_cast<std::size_t>(graph.cells());
  Dependence out = std::vector<CellSet>(cells, 0);
  if (n.op == NodeOp::cell_input && n.value < kPlanesBefore) {
    for (std::size_t c = 0; c < cells; ++c) (*out)[c] = cell_bit(static_cast<Cell>(c));
    return known[id] = out;
  }
  const NodeTraits& t = traits(n.op);
  const bool local = t.reach == NodeReach::nowhere || t.reach == NodeReach::here || t.reach == NodeReach::beside;
  if (t.reads != NodeInput::nothing || !local) return known[id] = std::nullopt;
  for (const NodeId arg : n.args) {
    const Dependence inner = dependence(graph, arg, known);
    if (!inner) return known[id] = std::nullopt;
    for (std::size_t c = 0; c < cells; ++c) {
      CellSet seen = t.reach == NodeReach::here ? cell_bit(static_cast<Cell>(c)) : graph.relation(n.relation)[c];
      for (; seen != 0; seen &= seen - 1) (*out)[c] |= (*inner)[static_cast<std::size_t>(std::countr_zero(seen))];
    }
  }
  return known[id] = out;
}

// Cells, free in the start, on which both players may place whatever stands on the others of them.
CellSet independent_cells(const Variant& variant, const Position& start) {
  const RuleSet& rules = variant.rule_set();
  const auto cells = static_cast<std::size_t>(rules.board.size());
  CellSet best = 0;
  // The game must not end while nobody passes.
  for (const NodeId id : rules.graph.reachable(std::vector<NodeId>{rules.ended})) {
    const RuleNode& n = rules.graph.node(id);
    const NodeTraits& t = traits(n.op);
    const bool depends_on_nothing =
        t.reads == NodeInput::nothing && (t.reach == NodeReach::nowhere || t.reach == NodeReach::here);
    const bool fine = depends_on_nothing || (n.op == NodeOp::number_input && n.value == kPassesInput);
    if (!fine) return 0;
  }
  for (const MoveRule& move : rules.moves) {
    if (move.kind != MoveRule::Kind::place || move.has_effect || move.shaped || move.lift >= 0 || !move.next.empty() ||
        std::find(move.put.begin(), move.put.end(), PlaneChoice{0, 0}) == move.put.end())
      continue;
    std::map<NodeId, Dependence> known;
    const Dependence on = dependence(rules.graph, move.to, known);
    if (!on) continue;
    CellSet open = ~CellSet{0};
    Position as_second = start;
    for (int p = 0; p < rules.layout.own; ++p)
      std::swap(as_second.planes[static_cast<std::size_t>(p)],
                as_second.planes[static_cast<std::size_t>(p + rules.layout.own)]);
    as_second.mover = other(start.mover);
    for (const Position& p : {start, as_second}) {
      const auto moves = successors(variant.rules(), p);
      if (!moves.ok()) return 0;
      CellSet here = 0;
      for (const Successor& s : *moves) {
        if (s.move.first.rule != kForcedPass && &rules.moves[s.move.first.rule] == &move)
          here |= cell_bit(s.move.first.to);
      }
      open &= here;
    }
    for (const CellSet plane : start.planes) open &= ~plane;
    std::vector<CellSet> conflict(cells, 0);
    for (std::size_t c = 0; c < cells; ++c) {
      conflict[c] |= (*on)[c] & ~cell_bit(static_cast<Cell>(c));
      for (CellSet rest = conflict[c]; rest != 0; rest &= rest - 1)
        conflict[static_cast<std::size_t>(std::countr_zero(rest))] |= cell_bit(static_cast<Cell>(c));
    }
    CellSet chosen = 0;
    while (open != 0) {  // the cell in conflict with the fewest others first
      int least = kMaxCells + 1;
      std::size_t cell = 0;
      for (CellSet rest = open; rest != 0; rest &= rest - 1) {
        const auto c = static_cast<std::size_t>(std::countr_zero(rest));
        const int count = std::popcount(conflict[c] & open);
        if (count < least) {
          least = count;
          cell = c;
        }
      }
      chosen |= cell_bit(static_cast<Cell>(cell));
      open &= ~(conflict[cell] | cell_bit(static_cast<Cell>(cell)));
    }
    if (std::popcount(chosen) > std::popcount(best)) best = chosen;
  }
  return best;
}

// Whether a pass is always possible and one alone does not end the game; then a side may place twice running.
bool may_pass_once(const Variant& variant, const Position& start) {
  const RuleSet& rules = variant.rule_set();
  for (const MoveRule& move : rules.moves) {
    if (move.kind != MoveRule::Kind::pass || !rules.graph.is_true(move.when)) continue;
    Position passed = start;
    passed.passes = 1;
    const auto end = end_state(variant.rules(), passed);
    return end.ok() && !end->ended;
  }
  return false;
}

// std::lgamma writes a variable that all threads share (signgam).
double log_factorial(int n) {
  int sign = 0;
  return lgamma_r(n + 1.0, &sign);
}

// How many there are, if these were drawn from them; of each a hash will do. Were all as likely, every pair drawn would be of equal ones once in as many times as
// there are; some are likelier than others, as if by a product of chances (log-normal), and then triples tell by how much.
double number_behind(std::vector<std::uint64_t>& drawn) {
  constexpr double kTriples = 20;  // tell nothing if they are fewer
  std::sort(drawn.begin(), drawn.end());
  double different = 0;
  double pairs = 0;
  double triples = 0;
  for (std::size_t i = 0; i < drawn.size();) {
    std::size_t end = i;
    while (end < drawn.size() && drawn[end] == drawn[i]) ++end;
    const auto n = static_cast<double>(end - i);
    ++different;
    pairs += n * (n - 1) / 2;
    triples += n * (n - 1) * (n - 2) / 6;
    i = end;
  }
  const auto n = static_cast<double>(drawn.size());
  const double of_pairs = std::max(pairs, 1.0) / std::max(n * (n - 1) / 2, 1.0);
  const double alike = 1 / of_pairs;
  if (triples < kTriples) return std::max(different, alike);
  const double of_triples = triples / (n * (n - 1) * (n - 2) / 6);
  return std::max({different, alike, of_triples / (of_pairs * of_pairs * of_pairs)});
}

double bytes_of(const Guess& guess) {
  constexpr double kBytes = 66;  // index, graph, values; somewhat more than enumerate.cpp counts
  constexpr double kBytesAMove = 6;
  return guess.stored * (kBytes + kBytesAMove * guess.moves) * 1.2;
}

// How many stones of each kind there are, and all else that a position has but where they are.
using Composition = std::array<std::uint8_t, kMaxPlanes + kMaxSlots + 2>;
class Compositions {
 public:
  explicit Compositions(const Variant& variant)
      : cells_(variant.rule_set().board.size()),
        symmetries_(static_cast<double>(variant.symmetries().size())),
        exchanges_(variant.symmetries().has_exchange()) {}
  void add(const PositionBatch& met) {
    for (std::size_t i = 0; i < met.size; ++i) {
      Composition c = {};
      std::size_t at = 0;
      for (const auto& plane : met.planes) c[at++] = static_cast<std::uint8_t>(std::popcount(plane[i]));
      for (const auto& slot : met.state) c[at++] = slot[i];
      c[at++] = met.passes[i];
      c[at] = exchanges_ || met.mover_is_first[i] != 0 ? 1 : 0;
      if (!met_.insert(c).second) continue;
      double placements = log_factorial(cells_);
      int empty = cells_;
      for (std::size_t p = 0; p < met.planes.size(); ++p) {
        placements -= log_factorial(c[p]);
        empty -= c[p];
      }
      positions_ += std::exp(placements - log_factorial(std::max(empty, 0)));
    }
  }
  // Up to symmetry, if the stones can stand anywhere.
  double most() const { return positions_ / symmetries_ * (exchanges_ ? 2 : 1); }

 private:
  int cells_;
  double symmetries_;
  bool exchanges_;  // then it does not matter who is to move
  double positions_ = 0;
  absl::flat_hash_set<Composition> met_;
};

}  // namespace

Prediction predict(const Variant& variant, const Position& start) {
  const RuleSet& rules = variant.rule_set();
  Prediction out;
  double states = 2;
  if (rules.passes_live) states *= rules.passes_cap + 1;
  for (const StateSlot& slot : rules.slots) {
    if (!slot.live) continue;
    states *= slot.type == StateDescription::Type::player ? 3
              : slot.type == StateDescription::Type::boolean
                  ? 2
                  : static_cast<double>(slot.range.greatest - slot.range.least + 1);
  }
  out.most_positions = states * variant.rules().most_placements(start);
  const int n = std::popcount(independent_cells(variant, start));
  if (n > 0) {
    if (may_pass_once(variant, start)) {
      out.least_positions = std::pow(3.0, n);
    } else {  // as many stones of each, or one more of the one who began
      out.least_positions = 0;
      for (int k = 0; 2 * k <= n; ++k) {
        out.least_positions += std::exp(log_factorial(n) - 2 * log_factorial(k) - log_factorial(n - 2 * k));
        if (2 * k + 1 <= n)
          out.least_positions +=
              std::exp(log_factorial(n) - log_factorial(k) - log_factorial(k + 1) - log_factorial(n - 2 * k - 1));
      }
    }
    out.reason =
        absl::StrCat("at least ", absl::StrFormat("%.2g", out.least_positions), " positions are reachable: ", n,
                     " cells of this board can be filled in any way, each in its turn");
  }
  const auto symmetries = static_cast<double>(variant.symmetries().size());
  // A stored position takes its key, its numbers and facts, and at least one move.
  constexpr double kLeastBytes = 40;
  constexpr double kMostBytes = 200;
  constexpr double kCpuSeconds = 4e-6;
  out.least_bytes = out.least_positions / symmetries * kLeastBytes;
  out.most_bytes = out.most_positions / symmetries * kMostBytes;
  out.most_cpu_seconds = out.most_positions / symmetries * kCpuSeconds;
  return out;
}

absl::StatusOr<Guess> guess_by_random_games(const Variant& variant, const Position& start, const GuessLimits& limits) {
  constexpr int kMostPlies = 1000;
  constexpr double kMadeAGame = 1000;  // successors, on average: of long games and of wide ones the beginning must do
  const Rules& rules = variant.rules();
  const int planes = variant.rule_set().layout.count();
  const int slots = static_cast<int>(variant.rule_set().slots.size());
  const FoldedKeys keys(variant);
  FoldedKeys::Scratch folding;
  Rules::Scratch scratch(rules);
  std::mt19937_64 random(1);
  Guess out;
  double made = 0;
  double expanded = 0;
  std::vector<PositionBatch> batches;
  for (std::size_t i = 0; i < limits.games; i += kLanes) {
    batches.emplace_back(planes, slots);
    for (std::size_t k = 0; k < kLanes; ++k) batches.back().push(start);
  }
  const bool acyclic = variant.tiers().acyclic();
  Compositions compositions(variant);
  PositionBatch all(planes, slots);
  std::vector<std::size_t> moves;   // of each position
  std::vector<std::size_t> chosen;  // of these one, counted down until it is met
  std::vector<std::size_t> next;    // which successor that is
  std::vector<Key<8>> folded;
  std::vector<Key<8>> plain;
  std::vector<std::uint64_t> met;  // hashes
  for (int ply = 0; ply < kMostPlies && made < kMadeAGame * static_cast<double>(limits.games); ++ply) {
    met.clear();
    for (PositionBatch& batch : batches) {
      if (batch.size == 0) continue;
      RETURN_IF_ERROR(rules.expand(batch, scratch));
      made += static_cast<double>(scratch.successors.size);
      expanded += static_cast<double>(batch.size);
      moves.assign(batch.size, 0);
      for (std::size_t i = 0; i < scratch.successors.size; ++i) ++moves[scratch.parent[i]];
      chosen.clear();
      for (const std::size_t n : moves) chosen.push_back(n == 0 ? 0 : random() % n);
      next.assign(batch.size, 0);
      for (std::size_t i = 0; i < scratch.successors.size; ++i) {
        if (chosen[scratch.parent[i]]-- == 0) next[scratch.parent[i]] = i;
      }
      batch.clear();
      all.clear();
      for (std::size_t k = 0; k < moves.size(); ++k) {
        if (moves[k] == 0) continue;
        const Position after = scratch.successors.at(next[k]);
        all.push(after);
        if (scratch.ended[next[k]] == 0) batch.push(after);
      }
      folded.resize(all.size);
      plain.resize(all.size);
      if (!acyclic) compositions.add(all);
      keys.fold<8>(all, folding, folded.data(), plain.data());
      for (const Key<8>& key : folded) met.push_back(hash_key(key));
    }
    if (met.empty()) break;
    out.stored += number_behind(met);
    out.moves = made / expanded;
    out.bytes = bytes_of(out);
    out.at_least = acyclic && out.bytes > limits.enough_bytes;
    if (out.at_least) break;
  }
  // Where play goes round the same is met at ply after ply.
  if (!acyclic) out.stored = std::min(out.stored, compositions.most());
  out.bytes = bytes_of(out);
  // Measured on placements of up to ten million positions; and where play can go round, with components and random play.
  const double ns = acyclic ? 500 : 1600;
  const double ns_a_move = acyclic ? 200 : 250;
  out.cpu_seconds = out.stored * (ns + ns_a_move * out.moves) * 1e-9;
  return out;
}

std::string memory_text_of(double bytes) {
  if (bytes < 1e18) return memory_text(static_cast<std::uint64_t>(bytes));
  return absl::StrFormat("%.1e bytes", bytes);
}

}  // namespace plenum
