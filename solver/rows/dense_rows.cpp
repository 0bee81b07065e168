// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/dense_rows.h"

#include <algorithm>
#include <array>
#include <limits>

#include <absl/strings/str_cat.h>
#include <tbb/task_arena.h>

#include "solver/dense/parted_bytes.h"
#include "solver/rows/row_stages.h"
#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// What solving fills in.
struct Found {
  DenseValues values;
  BoardBytes reached;
};

std::shared_ptr<const DenseBytes> bytes_of_rows(const std::shared_ptr<const Found>& found, const DenseIndex& index,
                                                Ranks& ranks) {
  const std::array<const BoardBytes*, 4> layers = {&found->values.codes, &found->values.facts, &found->values.plies,
                                                   &found->reached};
  if (!ranks.several()) {
    ByDenseLayer<HeldBytes::Parts> held;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      for (const BigBytes& bytes : *layers[i]) held[i].emplace_back(bytes.data(), bytes.size());
    }
    return std::make_shared<const HeldBytes>(std::move(held), found);
  }
  const std::vector<Share> own = own_boards(index, 0, index.cells() + 1, ranks);
  ByDenseLayer<PartedBytes::Parts> parted;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const BigBytes& bytes : *layers[i]) {
      PartedBytes::Part& part = parted[i].emplace_back(PartedBytes::Part{bytes.size(), {}});
      for (const Share& range : own)
        part.own.push_back({range.begin, {bytes.data() + range.begin, range.end - range.begin}});
    }
  }
  return std::make_shared<const PartedBytes>(ranks, std::move(parted), found);
}

// The three bytes of a position.
struct Known {
  ValueByte code = kUnresolved;
  std::uint8_t facts = kRowNothingKnown;
  std::uint8_t plies = kUnknownPlies;
  bool ended = false;
};

Known of_end(MoverValue margin) {
  Known out;
  out.code = code_of_margin(margin.margin.units);
  out.facts = row_facts_of_end(out.code);
  out.plies = 0;
  out.ended = true;
  return out;
}

// What is known of a position before the last move, from what is known after each: a first time over these for the code and facts,
// and then a second time for the plies.
class Before {
 public:
  void take(const Known& after) {
    least_ = std::min(least_, after.code);
    all_ &= after.code;
    facts_ &= after.facts;
  }
  void take_plies(const Known& after) {
    const ValueByte code = code_from_successors(least_, all_);
    if (is_level(code) || after.code != negated(code)) return;
    fewest_ = std::min(fewest_, after.plies);
    most_ = std::max(most_, after.plies);
  }
  Known known() const {
    Known out;
    out.code = code_from_successors(least_, all_);
    out.facts = row_facts(facts_, out.code);
    out.plies = row_plies(out.code, fewest_, most_);
    return out;
  }

 private:
  ValueByte least_ = kNoSuccessor;
  std::uint8_t all_ = kNoSuccessor;
  std::uint8_t facts_ = kNoSuccessor;
  std::uint8_t fewest_ = kUnknownPlies;
  std::uint8_t most_ = 0;
};

// Of a position without a pass made.
absl::StatusOr<Known> read_known(const RowGame& rows, const DenseBytes& bytes, const Position& position) {
  const DenseIndex::Place place = rows.index().place(position);
  Known out;
  const auto read = [&](DenseLayer layer, std::uint8_t& to) {
    if (!bytes.has(layer)) return absl::OkStatus();
    const absl::StatusOr<std::uint8_t> byte = bytes.at(layer, place.layer % rows.states(), place.board);
    if (byte.ok()) to = *byte;
    return byte.status();
  };
  RETURN_IF_ERROR(read(DenseLayer::codes, out.code));
  RETURN_IF_ERROR(read(DenseLayer::facts, out.facts));
  RETURN_IF_ERROR(read(DenseLayer::plies, out.plies));
  return out;
}

PositionValue value_of(const Known& k, Player mover, bool has_facts, bool has_plies) {
  PositionValue out;
  out.margin = to_first(MoverValue{{units_of(k.code)}}, mover);
  out.ended = k.ended;
  const std::int64_t units = out.margin.margin.units;
  const bool tie = k.ended || mover_ends(k.code) || other_ends(k.code);
  out.outcome = units > 0 ? Outcome::first : units < 0 ? Outcome::second : tie ? Outcome::tie : Outcome::cycle;
  if (k.ended) {
    out.plies = Ply{0};
  } else if (units != 0 && has_plies && k.plies != kUnknownPlies) {
    out.plies = Ply{k.plies};
  }
  const bool by_first = mover == Player::first;
  if (is_level(k.code)) {
    out.first_ends = by_first ? mover_ends(k.code) : other_ends(k.code);
    out.second_ends = by_first ? other_ends(k.code) : mover_ends(k.code);
  }
  if (k.ended || !has_facts) return out;
  out.forced_cycle = out.outcome == Outcome::cycle && (k.facts & kRowNoLevelEnd) != 0;
  const bool mover_endless = (k.facts & kRowOtherCannotForceEnd) != 0;
  const bool other_endless = (k.facts & kRowMoverForcesEnd) == 0;
  out.endless_first = by_first ? mover_endless : other_endless;
  out.endless_second = by_first ? other_endless : mover_endless;
  return out;
}

}  // namespace

// After a pass nothing is stored; it follows from the replies, before which a pass has been made only where that ends the game.
absl::Status DenseRowGame::read_values(std::span<const Position> positions, const Judged& judged,
                                       std::span<std::optional<PositionValue>> out) const {
  const PositionBatch& replies = judged.replies();
  std::vector<std::pair<std::size_t, Known>> after;  // with whose reply it is
  std::vector<Before> before(positions.size());
  Position reply;
  for (std::size_t r = 0; r < replies.size; ++r) {
    const std::size_t parent = judged.parent(r);
    if (positions[parent].passes == 0) continue;
    if (!judged.reply_ended(r) && replies.passes[r] != 0) return absl::InternalError("play goes on after two passes");
    replies.read(r, reply);
    ASSIGN_OR_RETURN(const Known known,
                     judged.reply_ended(r) ? of_end(judged.reply_margin(r)) : read_known(*rows_, bytes(), reply));
    after.emplace_back(parent, known);
    before[parent].take(known);
  }
  for (const auto& [parent, known] : after) before[parent].take_plies(known);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    RETURN_IF_ERROR(judged.status(i));
    ASSIGN_OR_RETURN(const Known known, judged.ended(i)            ? of_end(judged.margin(i))
                                        : positions[i].passes == 0 ? read_known(*rows_, bytes(), positions[i])
                                                                   : before[i].known());
    out[i] = value_of(known, positions[i].mover, bytes().has(DenseLayer::facts), bytes().has(DenseLayer::plies));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> DenseRowGame::reachable(const Position& position) const {
  const DenseIndex::Place place = rows_->index().place(position);
  ASSIGN_OR_RETURN(const std::uint8_t bits,
                   bytes().at(DenseLayer::reached, place.layer % rows_->states(), place.board));
  return (bits & reached_bit(static_cast<int>(place.layer / rows_->states()), position.mover == Player::second)) != 0;
}

namespace {

// Of a position in one state, in the stage that holds most beside the layers: bytes after a pass, of the best codes and of kept folds.
std::uint64_t most_stage_bytes(const RowGame& game, const RowOptions& options, bool cycles) {
  const std::uint64_t passed = game.has_passes() ? 1 : 0;
  const auto folds = [&](DenseLayer layer) {
    return options.keep_added && cycles ? AddedFolds::bytes(layer) : std::uint64_t{0};
  };
  std::uint64_t most = passed + folds(DenseLayer::codes);
  if (options.facts) most = std::max(most, 2 * passed + folds(DenseLayer::facts));
  if (options.plies) most = std::max(most, 2 * passed + 1 + folds(DenseLayer::plies));
  return most;
}

}  // namespace

absl::StatusOr<RowOptions> row_options(const RowGame& game, bool remoteness, std::uint64_t memory_bytes, int ranks) {
  RowOptions out;
  out.facts = out.plies = remoteness;
  ASSIGN_OR_RETURN(const DensePrediction needed, predict_rows(game, out, ranks));
  out.keep_added = needed.bytes <= memory_bytes;
  return out;
}

absl::StatusOr<DensePrediction> predict_rows(const RowGame& game, const RowOptions& options, int ranks) {
  const DenseIndex& index = game.index();
  const std::uint64_t states = game.states();
  const std::uint64_t layers = 2 + (options.facts ? 1 : 0) + (options.plies ? 1 : 0);  // codes and what is reached
  // Measured with AVX-512 on boards of 12 to 19 cells. Without it mapping takes several times as long, but the choice of a method, which
  // rests on this, is the same on every machine.
  constexpr double kMapNs = 0.1;      // a position and move of its block, by rows
  constexpr double kMapSetUpNs = 30;  // a block and move
  constexpr double kBuildNs = 15;     // a position, twice: for solving and counting
  constexpr double kEndsNs = 30;      // likewise, where the rules say of each whether the game has ended
  constexpr double kReachRounds = 5;  // evaluations that sending on what is reached is worth
  // Of a position whose moves stay in its tier, with what it takes to follow changes back.
  constexpr double kEvaluations = 11;
  // Of several ranks: for the best codes, for counting codes and facts, and what is reached a tier is told again; and how many bytes are told
  // of a position and stage as it changes.
  constexpr double kLooks = 4;
  constexpr double kTold = 3;
  const double build_ns = kBuildNs + (game.rules().ends_without_passes() ? kEndsNs : 0);
  const double stages = 1 + (options.facts ? 1 : 0) + (options.plies ? 0.9 : 0);
  RowGame::Worker worker(game);
  DensePrediction out;
  out.boards = index.boards() * states;
  out.table_bytes = out.boards * layers;
  std::uint64_t most = 0;
  std::uint64_t most_read = 0;  // of others, at a time
  double ns = 0;
  double told = 0;
  for (int stones = 0; stones <= index.cells(); ++stones) {
    const BlockIndex begin = index.first_block(stones);
    const std::uint64_t blocks = index.first_block(stones + 1) - begin;
    if (blocks == 0) continue;
    RowBlock sample;
    const auto number = static_cast<BlockIndex>(begin + blocks / 2);
    RETURN_IF_ERROR(game.build(number, worker, sample));
    constexpr std::uint64_t kReaders = 400;  // of a block: who reads it, and what holds the lists
    constexpr std::uint64_t kListedBytes =
        1;  // of a position: what is listed as changed, with which rows are asked for
    // Which moves keep the best code, where that takes the place of where they are legal in one state only.
    const std::uint64_t kept = options.plies ? (states - 1) * sample.moves.legal.capacity() * sizeof(std::uint64_t) : 0;
    const bool cycles = std::any_of(sample.target.begin(), sample.target.end(),
                                    [&](BlockIndex target) { return index.blocks()[target].stones == stones; });
    const std::uint64_t besides =
        states * sample.moves.positions * (most_stage_bytes(game, options, cycles) + kListedBytes) + kept;
    most = std::max(most, blocks * (sample.bytes() + kReaders + besides));
    const std::uint64_t here = index.begin(stones + 1) - index.begin(stones);
    const std::uint64_t above = index.begin(stones + 2) - index.begin(stones + 1);
    most_read = std::max(most_read, (here + above) * states);
    told += static_cast<double>(states) * (static_cast<double>(above) * (stages + kLooks) +
                                           static_cast<double>(here) * (cycles ? kLooks + stages * kTold : 0));
    const double evaluations = cycles ? kEvaluations : 1;
    const double size = static_cast<double>(sample.moves.positions);
    const double mapped = static_cast<double>(sample.moves.moves.size() * states) * (kMapNs * size + kMapSetUpNs);
    ns += static_cast<double>(blocks) *
          (mapped * (evaluations * stages + (cycles ? kReachRounds : 2)) + 2 * build_ns * size);
  }
  out.cpu_seconds = ns * 1e-9;
  // Each thread has rows of its own, the longest of the full board; some are staged besides.
  constexpr std::uint64_t kRows = 20;
  constexpr std::uint64_t kStagedBytes = 16'000'000;
  const std::uint64_t longest = std::uint64_t{1} << index.cells();
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  const std::uint64_t workers =
      threads * (RowMoveFinder::scratch_bytes(game.rules(), longest) + kRows * states * longest) +
      4 * states * longest + kStagedBytes;
  const auto n = static_cast<std::uint64_t>(ranks);
  // What is read of others is held, and on its way.
  const std::uint64_t others =
      n == 1 ? 0 : most_read / n * (n - 1) + std::min<std::uint64_t>(most_read, 2 * kRowExchangeBytes);
  out.bytes = (out.table_bytes + most + most / 20) / n + others + workers + base_memory();
  out.sent_bytes = told / static_cast<double>(n) * static_cast<double>(n - 1);
  return out;
}

absl::StatusOr<std::shared_ptr<const DenseGame>> solve_by_rows(std::shared_ptr<const RowGame> rows,
                                                               const Position& start, const DenseOptions& options) {
  const Variant& variant = rows->variant();
  ASSIGN_OR_RETURN(RowOptions wanted,
                   row_options(*rows, options.remoteness, options.memory_bytes, options.ranks->size()));
  wanted.ranks = options.ranks;
  ASSIGN_OR_RETURN(const DensePrediction needed, predict_rows(*rows, wanted, options.ranks->size()));
  if (options.ranks->any(needed.bytes > options.memory_bytes)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: ", variant.description().name, " on ", variant.board().name(), " needs ", memory_text(needed.bytes),
        " (a byte for each of ", needed.boards, " boards, several times, and the moves of a tier); ",
        memory_text(options.memory_bytes), " may be used\n  give more with --memory",
        options.remoteness ? ", leave out remoteness with --no-remoteness," : "",
        " or take a smaller board with --board"));
  }
  const auto found = std::make_shared<Found>();
  const auto report = [&](const char* what) {
    return [&options, what](const RowProgress& p) {
      return !options.progress || options.progress({what, p.boards, p.of, p.stones});
    };
  };
  RETURN_IF_ERROR(solve_rows(*rows, wanted, options.checkpoint, found->values, report("solving")).status());
  ASSIGN_OR_RETURN(const RowCounts counts, count_rows(*rows, start, found->values, options.checkpoint, found->reached,
                                                      report("counting"), *options.ranks));

  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant);
  data.start = start;
  data.statistics = counts.reachable;
  data.whole_board = counts.all;
  data.stored = rows->index().boards() * rows->states();
  data.facts_known = options.remoteness;
  const std::shared_ptr<const DenseBytes> bytes = bytes_of_rows(found, rows->index(), *options.ranks);
  const DenseRowGame unopened(rows, bytes, data);
  RETURN_IF_ERROR(read_start([&](const Position& p) { return unopened.value(p); }, data));
  return std::make_shared<const DenseRowGame>(std::move(rows), bytes, std::move(data));
}

absl::StatusOr<std::shared_ptr<const DenseGame>> open_rows(std::shared_ptr<const RowGame> rows,
                                                           std::shared_ptr<const TableReader> table) {
  const Variant& variant = rows->variant();
  const std::vector<std::uint64_t> each(rows->states(), rows->index().boards());
  ASSIGN_OR_RETURN(std::shared_ptr<const DenseBytes> bytes,
                   table_bytes(std::move(table), DenseShape{each, each, each, each}));
  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant);
  data.start = variant.rules().start();
  data.stored = rows->index().boards() * rows->states();
  data.facts_known = bytes->has(DenseLayer::facts);
  return std::make_shared<const DenseRowGame>(std::move(rows), std::move(bytes), std::move(data));
}

}  // namespace plenum
