// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass.h"

#include <algorithm>
#include <atomic>

#include <absl/strings/str_cat.h>

#include "solver/dense/parted_bytes.h"
#include "solver/one_pass/one_pass_kept.h"
#include "solver/one_pass/one_pass_samples.h"
#include "solver/one_pass/one_pass_sets.h"
#include "solver/one_pass/one_pass_solver.h"
#include "solver/one_pass/one_pass_window.h"
#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr double kMostLayers = 65'536;
constexpr std::uint64_t kOnePassFixedBytes = 16'000'000;  // threads, programs, places once found
constexpr ValueByte kNotFound = 0;                        // what the arrays begin with
constexpr int kAttempts = 4;                              // before all sets are listed

int passes_of(const DenseIndex& index, std::uint32_t layer) {
  Position p;
  index.read_layer(layer, p);
  return p.passes;
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

std::uint64_t one_pass_bytes(const DenseIndex& index, const Variant& variant, const OnePassOptions& options,
                             BoardIndex others, int ranks) {
  std::uint64_t kept = 0;
  for (std::uint32_t layer = 0; layer < index.layers(); ++layer)
    kept += ended_by_passes(variant.rule_set(), passes_of(index, layer)) ? 0 : 1;
  const std::uint64_t bits = index.folding().exchange != kIdentity ? 2 : 1;
  const std::uint64_t a_board = kept * (options.remoteness ? 2 : 1);
  // Of several ranks: what is there of others, and some on its way.
  constexpr std::uint64_t kExchanged = std::uint64_t{1} << 24;
  const std::uint64_t there = others * a_board + std::min(others * a_board, kExchanged);
  // Whether the game goes by rows is tried before, which takes an index of all sets.
  const std::uint64_t all_sets =
      DenseIndex::bytes(index.cells(), (std::size_t{1} << index.cells()) / index.folding().plain.size());
  return (index.boards() * a_board +
          (options.counts || !options.whole_board ? (index.boards() * bits / 8 + 1) * index.layers() : 0)) /
             static_cast<std::uint64_t>(ranks) +
         there + index.bytes() + all_sets + kOnePassFixedBytes;
}

std::uint8_t OnePassWork::reached(DenseIndex::Place place) const {
  const BoardIndex at = place.board * bytes.bits;
  // Others may be at work on neighbours in the same byte.
  auto& byte = const_cast<std::uint8_t&>(bytes.reached[place.layer][at / 8]);
  const std::uint8_t now = std::atomic_ref<std::uint8_t>(byte).load(std::memory_order_relaxed);
  return static_cast<std::uint8_t>(now >> (at % 8) & ((1U << bytes.bits) - 1));
}

absl::StatusOr<bool> OnePassGame::reachable(const Position& position) const {
  const auto place = index_->find(position);
  if (!place) return false;
  const bool exchanges = index_->folding().exchange != kIdentity;
  const BoardIndex at = place->board * (exchanges ? 2 : 1) + (exchanges && position.mover == Player::second ? 1 : 0);
  ASSIGN_OR_RETURN(const std::uint8_t byte, bytes().at(DenseLayer::reached, place->layer, at / 8));
  return (byte >> (at % 8) & 1) != 0;
}

// Whether a position has ended is not kept.
absl::Status OnePassGame::read_values(std::span<const Position> positions, const Judged& judged,
                                      std::span<std::optional<PositionValue>> out) const {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto place = index_->find(positions[i]);
    if (!place || !judged.status(i).ok()) continue;
    const bool ended = judged.ended(i);
    ASSIGN_OR_RETURN(const ValueByte code, ended ? end_code(judged.margin(i).margin.units)
                                                 : bytes().at(DenseLayer::codes, place->layer, place->board));
    if (code == kNoValue || code == kNotFound) continue;
    out[i] = acyclic_value(MoverValue{{units_of(code)}}, positions[i].mover);
    out[i]->ended = ended;
    if (ended) {
      out[i]->plies = Ply{0};
    } else if (bytes().has(DenseLayer::plies) && !is_level(code)) {
      ASSIGN_OR_RETURN(const std::uint8_t plies, bytes().at(DenseLayer::plies, place->layer, place->board));
      out[i]->plies = Ply{plies};
    }
  }
  return absl::OkStatus();
}

DenseShape one_pass_shape(const DenseIndex& index, const RuleSet& rules) {
  const BoardIndex bits = index.folding().exchange != kIdentity ? 2 : 1;
  std::vector<std::uint64_t> bytes;
  for (std::uint32_t layer = 0; layer < index.layers(); ++layer)
    bytes.push_back(ended_by_passes(rules, passes_of(index, layer)) ? 0 : index.boards());
  return {bytes,
          {},
          bytes,
          std::vector<std::uint64_t>(index.layers(), (index.boards() * bits + 7) / 8),
          {4 * index.blocks().size()}};
}

namespace {

std::shared_ptr<const DenseBytes> bytes_of_pass(const std::shared_ptr<const OnePassWork>& work, Ranks& ranks) {
  const OnePassBytes& bytes = work->bytes;
  if (!ranks.several()) {
    const auto parts = [](const std::vector<BigBytes>& layers) {
      HeldBytes::Parts out;
      for (const BigBytes& layer : layers) out.emplace_back(layer.data(), layer.size());
      return out;
    };
    return std::make_shared<const HeldBytes>(
        ByDenseLayer<HeldBytes::Parts>{parts(bytes.codes), {}, parts(bytes.plies), parts(bytes.reached), {work->sets}},
        work);
  }
  const Stripes boards = board_stripes(*work->index, ranks.rank(), ranks.size());
  const auto parts = [](const std::vector<BigBytes>& layers, const Stripes& stripes) {
    PartedBytes::Parts out;
    for (const BigBytes& layer : layers) {
      PartedBytes::Part& part = out.emplace_back(PartedBytes::Part{layer.size(), {}});
      add_own(stripes, layer, 0, layer.size(), 0, part.own);
    }
    return out;
  };
  PartedBytes::Part sets{work->sets.size(), {}};
  if (ranks.root()) sets.own.push_back({0, work->sets});
  return std::make_shared<const PartedBytes>(
      ranks,
      ByDenseLayer<PartedBytes::Parts>{parts(bytes.codes, boards),
                                       {},
                                       parts(bytes.plies, boards),
                                       parts(bytes.reached, boards.scaled(bytes.bits, 8)),
                                       {sets}},
      work);
}

absl::StatusOr<std::shared_ptr<const OnePassGame>> finished(const std::shared_ptr<OnePassWork>& work, Ranks& ranks) {
  const DenseIndex& index = *work->index;
  work->sets = bytes_of_sets(index);
  const std::shared_ptr<const DenseBytes> bytes = bytes_of_pass(work, ranks);
  GameResult::Data data;
  data.variant = work->variant;
  data.start = work->start;
  data.statistics = work->statistics;
  data.whole_board = work->whole_board;
  data.stored = work->costs.evaluated;
  const OnePassGame unopened(work->index, bytes, data);
  RETURN_IF_ERROR(read_start([&](const Position& p) { return unopened.value(p); }, data));
  return std::make_shared<const OnePassGame>(work->index, bytes, std::move(data), work->costs);
}

// Collective, in bytes: of the rank that lacks most; of the root where none does.
struct MemoryNeed {
  std::uint64_t need = 0;
  std::uint64_t allowed = 0;
  std::uint64_t lack() const { return need - std::min(need, allowed); }
};
MemoryNeed scarcest_memory(const OnePassWork& work, const OnePassOptions& options) {
  Ranks& ranks = *options.ranks;
  const Stripes boards = board_stripes(*work.index, ranks.rank(), ranks.size());
  const BoardIndex others = window_cost(*work.index, boards, work.ahead).most;
  const std::vector<std::uint64_t> need =
      ranks.gather(base_memory() + one_pass_bytes(*work.index, *work.variant, options, others, ranks.size()));
  const std::vector<std::uint64_t> allowed = ranks.gather(options.memory_bytes);
  MemoryNeed out = {need[0], allowed[0]};
  for (std::size_t r = 1; r < need.size(); ++r) {
    if (const MemoryNeed other = {need[r], allowed[r]}; other.lack() > out.lack()) out = other;
  }
  return out;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const OnePassGame>> solve_one_pass(const Variant& variant, const Position& start,
                                                                  const OnePassOptions& options) {
  if (const auto obstacle = one_pass_obstacle(variant))
    return absl::UnimplementedError(
        absl::StrCat("this game cannot be solved in one pass over all boards: ", *obstacle));
  const auto work = std::make_shared<OnePassWork>();
  work->variant = std::make_shared<const Variant>(variant);
  work->start = start;
  const Folding folding = Folding::keeping(variant, start);
  std::vector<CellSet> known;
  std::optional<std::vector<CellSet>> kept = OnePassPieces::load_sets(options, variant.board().size());
  for (;;) {
    ++work->costs.attempts;
    std::vector<CellSet> sets = kept ? std::move(*kept) : find_sets(variant, folding, start, known, options.samples);
    kept.reset();
    work->bytes = {};
    work->index = std::make_shared<const DenseIndex>(variant, folding, sets);
    const DenseIndex& index = *work->index;
    for (const Block& block : index.blocks()) {
      if (index.size(block) > 0xFFFFFFFFU)
        return absl::UnimplementedError("more boards on one set of cells than can be numbered");
    }
    if (!index.find(start)) return absl::UnimplementedError("the start has pieces that no move puts on the board");
    work->ahead = options.ranks->several() ? sample_ahead(variant, index) : BlocksAhead();
    if (const MemoryNeed memory = scarcest_memory(*work, options); memory.lack() > 0) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "memory: ", variant.description().name, " on ", variant.board().name(), ", ", index.boards(), " boards, ",
          index.layers(), " of each by flags, passes and who is to move, needs ", memory_text(memory.need), "; ",
          memory_text(memory.allowed), " may be used\n  give more with --memory",
          options.remoteness ? ", leave out remoteness with --no-remoteness," : "",
          " or take a smaller board with --board"));
    }
    RETURN_IF_ERROR(OnePassPieces(options, index).save_sets());
    OnePassSolver solver(*work, options);
    std::vector<CellSet> missing;
    if (options.counts || !options.whole_board) {
      ASSIGN_OR_RETURN(missing, solver.find_reached());
    }
    if (missing.empty()) {
      ASSIGN_OR_RETURN(missing, solver.find_values());
    }
    if (missing.empty()) return finished(work, *options.ranks);
    known = std::move(sets);
    known.insert(known.end(), missing.begin(), missing.end());
    if (work->costs.attempts >= kAttempts) {
      known.clear();
      for (CellSet set = 0; set <= variant.board().all(); ++set) known.push_back(set);
    }
  }
}

absl::StatusOr<std::shared_ptr<const DenseIndex>> one_pass_index(const Variant& variant, const Position& start,
                                                                 const TableReader& table) {
  const absl::Status wrong = damaged_table(table.path(), "the sets of cells in it are not those of its game");
  if (const auto obstacle = one_pass_obstacle(variant)) return wrong;
  const std::optional<std::vector<CellSet>> sets = read_sets(table, variant.board().size());
  if (!sets) return wrong;
  auto out = std::make_shared<const DenseIndex>(variant, Folding::keeping(variant, start), *sets);
  const bool same = std::equal(sets->begin(), sets->end(), out->blocks().begin(), out->blocks().end(),
                               [](CellSet set, const Block& block) { return set == block.set; });
  if (!same || !out->find(start)) return wrong;
  return out;
}

absl::StatusOr<std::shared_ptr<const OnePassGame>> open_one_pass(const Variant& variant, const Position& start,
                                                                 std::shared_ptr<const TableReader> table) {
  ASSIGN_OR_RETURN(std::shared_ptr<const DenseIndex> index, one_pass_index(variant, start, *table));
  ASSIGN_OR_RETURN(std::shared_ptr<const DenseBytes> bytes,
                   table_bytes(std::move(table), one_pass_shape(*index, variant.rule_set())));
  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant);
  data.start = start;
  data.stored = index->boards() * index->layers();
  return std::make_shared<const OnePassGame>(std::move(index), std::move(bytes), std::move(data));
}

}  // namespace plenum
