// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass.h"

#include <algorithm>
#include <atomic>

#include <absl/strings/str_cat.h>

#include "solver/memory.h"
#include "solver/one_pass_sets.h"
#include "solver/one_pass_solver.h"

namespace plenum {
namespace {

constexpr double kMostLayers = 65'536;
constexpr std::uint64_t kFixedBytes = 16'000'000;  // threads, programs, places once found
constexpr DenseCode kNotFound = 0;                 // what the arrays begin with
constexpr int kAttempts = 4;                       // before all sets are listed

int passes_of(const DenseIndex& index, std::uint32_t layer) {
  Position p;
  index.read_layer(layer, p);
  return p.passes;
}

PositionValue value_of(DenseCode code, Player mover) {
  PositionValue out;
  out.margin = to_first(MoverValue{{units_of(code)}}, mover);
  const std::int64_t units = out.margin.margin.units;
  out.outcome = units > 0 ? Outcome::first : units < 0 ? Outcome::second : Outcome::tie;
  out.first_ends = out.second_ends = units == 0;  // no game goes on for ever
  return out;
}

}  // namespace

std::optional<std::string> one_pass_obstacle(const Variant& variant) {
  if (auto obstacle = DenseIndex::obstacle(variant)) return obstacle;
  const Tiers& tiers = variant.tiers();
  const RuleSet& rules = variant.rule_set();
  if (!tiers.one_pass()) return "not every move leads to a later tier";
  const Measure* const stones = tiers.measures().empty() ? nullptr : &tiers.measures()[0];
  const bool counts_stones =
      stones != nullptr && stones->noted_slot < 0 &&
      std::all_of(stones->kind_weight.begin(), stones->kind_weight.end(), [](int w) { return w == 1; }) &&
      std::all_of(stones->slot_weight.begin(), stones->slot_weight.end(), [](int w) { return w == 0; });
  for (const MoveRule& move : rules.moves) {
    if (move.kind == MoveRule::Kind::pass) continue;
    const bool raises = counts_stones && std::find(stones->raised_by.begin(), stones->raised_by.end(), move.name) !=
                                             stones->raised_by.end();
    if (!raises) return absl::StrCat("the move '", move.name, "' does not always add a stone");
  }
  double layers = 2;
  if (rules.passes_live) layers *= rules.passes_cap + 1;
  for (const StateSlot& slot : rules.slots) {
    if (slot.live) layers *= static_cast<double>(std::max<std::int64_t>(3, slot.range.greatest - slot.range.least + 1));
  }
  if (layers > kMostLayers) return "there is too much to be noted besides the stones";
  if (variant.board().size() * (rules.passes_cap + 1) + rules.passes_cap >= 255)
    return "a game may be longer than a byte can say";
  return std::nullopt;
}

std::uint64_t one_pass_bytes(const DenseIndex& index, const Variant& variant, const OnePassOptions& options) {
  std::uint64_t kept = 0;
  for (std::uint32_t layer = 0; layer < index.layers(); ++layer)
    kept += ended_by_passes(variant.rule_set(), passes_of(index, layer)) ? 0 : 1;
  const std::uint64_t bits = index.folding().exchange != kIdentity ? 2 : 1;
  return index.boards() * kept * (options.remoteness ? 2 : 1) +
         (options.counts || !options.whole_board ? (index.boards() * bits / 8 + 1) * index.layers() : 0) +
         index.bytes() + kFixedBytes;
}

std::uint8_t OnePassGame::reached(DenseIndex::Place place) const {
  const BoardIndex at = place.board * static_cast<BoardIndex>(bits_);
  // Others may be at work on neighbours in the same byte.
  auto& byte = const_cast<std::uint8_t&>(reached_[place.layer][at / 8]);
  const std::uint8_t now = std::atomic_ref<std::uint8_t>(byte).load(std::memory_order_relaxed);
  return static_cast<std::uint8_t>(now >> (at % 8) & ((1U << bits_) - 1));
}

bool OnePassGame::reachable(const Position& position) const {
  const auto place = index_->find(position);
  if (!place) return false;
  const bool exchanged = index_->folding().exchange != kIdentity && position.mover == Player::second;
  return (reached(*place) >> (exchanged ? 1 : 0) & 1) != 0;
}

std::optional<PositionValue> OnePassGame::value(const Position& position) const {
  const auto place = index_->find(position);
  if (!place) return std::nullopt;
  const Rules& rules = variant_->rules();
  // Whether it has ended is not kept.
  const absl::StatusOr<EndState> end = end_state(rules, position);
  if (!end.ok()) return std::nullopt;
  DenseCode code = end->ended ? end_code(end->margin.margin.units) : codes_[place->layer][place->board];
  if (code == kNoValue || code == kNotFound) return std::nullopt;
  PositionValue out = value_of(code, position.mover);
  out.ended = end->ended;
  if (!out.ended) {
    const absl::StatusOr<std::vector<Successor>> moves = successors(rules, position);
    out.ended = moves.ok() && moves->empty();
  }
  if (out.ended) {
    out.plies = Ply{0};
  } else if (!remoteness_.empty() && !is_level(code)) {
    out.plies = Ply{remoteness_[place->layer][place->board]};
  }
  return out;
}

std::uint64_t OnePassGame::bytes() const {
  std::uint64_t out = index_->bytes();
  for (const auto* list : {&codes_, &remoteness_, &reached_}) {
    for (const BigBytes& bytes : *list) out += bytes.size();
  }
  return out;
}

absl::StatusOr<OnePassGame> solve_one_pass(const Variant& variant, const Position& start,
                                           const OnePassOptions& options) {
  if (const auto obstacle = one_pass_obstacle(variant))
    return absl::UnimplementedError(
        absl::StrCat("this game cannot be solved in one pass over all boards: ", *obstacle));
  OnePassGame out;
  out.variant_ = std::make_shared<const Variant>(variant);
  out.start_ = start;
  const Folding folding = Folding::keeping(variant, start);
  std::vector<CellSet> known;
  for (;;) {
    ++out.costs_.attempts;
    std::vector<CellSet> sets = find_sets(variant, folding, start, known, options.samples);
    out.codes_.clear();
    out.remoteness_.clear();
    out.reached_.clear();
    out.index_ = std::make_shared<const DenseIndex>(variant, folding, sets);
    const DenseIndex& index = *out.index_;
    for (const Block& block : index.blocks()) {
      if (index.size(block) > 0xFFFFFFFFU)
        return absl::UnimplementedError("more boards on one set of cells than can be numbered");
    }
    if (!index.find(start)) return absl::UnimplementedError("the start has pieces that no move puts on the board");
    const std::uint64_t need = base_memory() + one_pass_bytes(index, variant, options);
    if (need > options.memory_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("memory: ", variant.description().name, " on ", variant.board().name(), ": ", index.boards(),
                       " boards, ", index.layers(), " of each with what else is noted, take ", memory_text(need),
                       ", and ", memory_text(options.memory_bytes),
                       " are given\n  give more with --memory, or take a smaller board with --board"));
    }
    OnePassSolver solver(out, options);
    absl::StatusOr<std::vector<CellSet>> missing = std::vector<CellSet>();
    if (options.counts || !options.whole_board) missing = solver.find_reached();
    if (missing.ok() && missing->empty()) missing = solver.find_values();
    if (!missing.ok()) return missing.status();
    if (missing->empty()) return out;
    known = std::move(sets);
    known.insert(known.end(), missing->begin(), missing->end());
    if (out.costs_.attempts >= kAttempts) {
      known.clear();
      for (CellSet set = 0; set <= variant.board().all(); ++set) known.push_back(set);
    }
  }
}

}  // namespace plenum
