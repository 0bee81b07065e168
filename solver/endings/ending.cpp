// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/ending.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <set>

#include <absl/strings/str_cat.h>

#include "solver/endings/ending_prediction.h"
#include "solver/graph/solve.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kOutcomes = std::size_t{1} << 15;  // codes, and plies above them
constexpr std::size_t kExpandedAtOnce = 1024;            // positions whose moves are made in one go
constexpr const char* kCrowd = "more equal men share a cell than are told apart";
constexpr std::uint32_t kTrimmed = 1 << 18;  // positions of a slice: with more of them memory is given back at once

}  // namespace

// Positions whose moves lead to one another or to what is known, solved as one tier. What is known comes after them in the graph,
// one position for each different outcome.
class BoundaryGraph {
 public:
  explicit BoundaryGraph(std::size_t positions) : inner_(positions) {
    graph_.level = {Margin{0}, Margin{1}};
    graph_.end_rank.assign(positions, kNotEnded);
    graph_.first_edge.assign(positions + 1, 0);
  }

  // A move's target: a position in here, or an outcome.
  static std::uint32_t outcome(KnownEnding known) {
    return kBeyond | known.code | static_cast<std::uint32_t>(known.plies) << 7;
  }
  std::vector<EdgeIndex>& first_edge() { return graph_.first_edge; }
  std::vector<PositionIndex>& targets() { return graph_.edge; }
  void end(std::size_t position, MarginRank rank) { graph_.end_rank[position] = rank; }

  // Stopped, nothing is known.
  void solve(Stop* stop = nullptr) {
    std::vector<std::uint32_t> number(kOutcomes, kUnmet);
    std::vector<std::uint32_t> met;
    for (std::size_t i = 0; i < graph_.edge.size(); ++i) {
      if (stop != nullptr && i % kBetweenAsks == 0 && stop->ask()) return;
      PositionIndex& target = graph_.edge[i];
      if ((target & kBeyond) == 0) continue;
      const std::uint32_t what = target & ~kBeyond;
      if (number[what] == kUnmet) {
        number[what] = static_cast<std::uint32_t>(inner_ + met.size());
        met.push_back(what);
      }
      target = number[what];
    }
    const std::size_t all = inner_ + met.size();
    graph_.tier_begin = {0, static_cast<PositionIndex>(inner_), static_cast<PositionIndex>(all)};
    graph_.first_edge.resize(all + 1, graph_.first_edge.back());
    graph_.end_rank.resize(all, kNotEnded);
    solution_.value.resize(all);
    solution_.remoteness.resize(all);
    solution_.facts.resize(all);
    for (std::size_t k = 0; k < met.size(); ++k) {
      const KnownEnding known{static_cast<std::uint8_t>(met[k] & 127), static_cast<std::uint8_t>(met[k] >> 7)};
      solution_.value[inner_ + k] = known.value();
      solution_.remoteness[inner_ + k] = {known.plies};
      solution_.facts[inner_ + k] = known.facts();
    }
    const Tier tier(graph_, 0, stop);
    solve_values(graph_, tier, solution_, stop);
    solve_facts(graph_, tier, solution_, stop);
  }

  // Nothing where it takes more plies than a byte holds.
  std::optional<KnownEnding> known(std::size_t position) const {
    const std::uint32_t plies = solution_.remoteness[position].count;
    if (plies > kMostEndingPlies) return std::nullopt;
    return KnownEnding::of(solution_.value[position], solution_.facts[position], static_cast<std::uint8_t>(plies));
  }

 private:
  static constexpr std::uint32_t kBeyond = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kUnmet = ~std::uint32_t{0};
  std::size_t inner_;
  PositionGraph graph_;
  Solution solution_;
};

class EndingSolver {
 public:
  EndingSolver(const Variant& variant, const EndingOptions& options)
      : options_(options), out_(std::make_shared<EndingTables>()) {
    out_->variant_ = std::make_shared<const Variant>(variant);
    out_->set_ = variant.rules().pieces().get();
  }

  absl::StatusOr<std::shared_ptr<const EndingTables>> run() {
    ASSIGN_OR_RETURN(const Material material, material_of(*out_->variant_));
    RETURN_IF_ERROR(check_memory(material));
    const PieceSet& set = *out_->set_;
    out_->exchangeable_ = players_exchangeable(set);
    out_->material_ = material;
    std::vector<Material> all = materials_from(set, material, out_->exchangeable_);
    std::reverse(all.begin(), all.end());
    for (const Material& one : all) {
      auto table = std::make_unique<EndingTables::Table>(set, one);
      total_ += table->index.size();
      out_->tables_.emplace(one, std::move(table));
    }
    for (const Material& one : all) {
      EndingTables::Table& table = *out_->tables_.at(one);
      const std::string name = to_text(set, one);
      if (options_.find) {
        if (std::optional<EndingLayers> known = options_.find(name, table.index.size())) {
          table.layers = *std::move(known);
          solved_ += table.index.size();
          ++out_->found_;
          continue;
        }
      }
      RETURN_IF_ERROR(solve(table, name));
      if (options_.keep) options_.keep(name, table.layers);
    }
    out_->edges_ = edges_;
    return std::move(out_);
  }

 private:
  absl::Status check_memory(const Material& material) const {
    ASSIGN_OR_RETURN(const EndingPrediction needed, predict_ending(*out_->variant_));
    if (needed.bytes <= options_.memory_bytes) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: the positions of ", to_text(*out_->set_, material), " and of those that it leads to take about ",
        memory_text(needed.bytes), "; ", memory_text(options_.memory_bytes),
        " may be used\n  give more with --memory, or take a smaller board or fewer men"));
  }

  absl::Status solve(EndingTables::Table& table, const std::string& name) {
    const EndingIndex& index = table.index;
    table.layers.codes.assign(index.size(), KnownEnding::kNoValue);
    table.layers.plies.assign(index.size(), 0);
    Stop stop([&] { return !options_.progress || options_.progress({name, solved_.load(), total_}); });
    std::map<int, std::vector<std::uint32_t>, std::greater<>> by_progress;
    for (std::uint32_t s = 0; s < index.slices(); ++s) by_progress[index.progress(s)].push_back(s);
    for (const auto& entry : by_progress) {
      const std::vector<std::uint32_t>& slices = entry.second;
      std::vector<absl::Status> status(slices.size());
      for_each_index(slices.size(), [&](std::size_t i) {
        if (stop.ask()) return;
        // A thread that waits for others in one slice begins no other one: no more slices are in memory than threads.
        tbb::this_task_arena::isolate([&] { status[i] = solve_slice(table, slices[i], stop); });
        if (status[i].ok() && !stop.stopped()) solved_ += index.size(slices[i]);
      });
      if (stop.ask()) return absl::CancelledError("interrupted");
      for (const absl::Status& one : status) RETURN_IF_ERROR(one);
    }
    return absl::OkStatus();
  }

  // The moves of some positions of a slice.
  struct Moves {
    std::vector<std::uint32_t> count;
    std::vector<PositionIndex> targets;
    std::vector<std::pair<std::uint32_t, MarginRank>> ended;  // and those that have no value, as if level
    absl::Status status;
  };

  absl::Status expand(const EndingTables::Table& table, std::uint32_t slice, std::uint32_t from, std::uint32_t to,
                      std::vector<std::uint8_t>& has_value, Moves& out) const {
    const PieceSet& set = *out_->set_;
    std::vector<PieceMove> moves;
    Position position;
    Position next;
    const int men = table.index.material().count();
    for (std::uint32_t local = from; local < to; ++local) {
      const EndingIndex::Place at{slice, local};
      out.count.push_back(0);
      const bool fits = table.index.position(at, position);
      const PieceBoard board(set, position);
      const bool shared = std::popcount(board.occupied()) < men;
      if (!fits || (shared && !set.lawful(position)) || board.other_in_check() ||
          !table.index.canonical(at, position)) {
        out.ended.emplace_back(local, 0);
        continue;
      }
      has_value[local] = 1;
      board.moves(moves);
      if (moves.empty()) {
        const bool lost = set.stalemate_loses || board.in_check();
        out.ended.emplace_back(local, lost ? -1 : 0);
        continue;
      }
      const std::size_t first = out.targets.size();
      for (const PieceMove& move : moves) {
        if (!board.after(move, next)) return absl::ResourceExhaustedError(kCrowd);
        if (stays_in_slice(set, move)) {
          out.targets.push_back(table.index.place(next, false).local);
          continue;
        }
        ASSIGN_OR_RETURN(const KnownEnding known, out_->known(next));
        out.targets.push_back(BoundaryGraph::outcome(known));
      }
      // What lies beyond counts once however many moves lead there.
      const auto begin = out.targets.begin() + static_cast<std::ptrdiff_t>(first);
      const auto inner_end = std::partition(begin, out.targets.end(), [](PositionIndex t) { return t >> 31 == 0; });
      std::sort(inner_end, out.targets.end());
      out.targets.erase(std::unique(inner_end, out.targets.end()), out.targets.end());
      out.count.back() = static_cast<std::uint32_t>(out.targets.size() - first);
    }
    return absl::OkStatus();
  }

  // Stopped, it enters nothing.
  absl::Status solve_slice(EndingTables::Table& table, std::uint32_t slice, Stop& stop) {
    const std::uint32_t size = table.index.size(slice);
    BoundaryGraph tier(size);
    std::vector<std::uint8_t> has_value(size, 0);
    {
      std::vector<Moves> parts((size + kExpandedAtOnce - 1) / kExpandedAtOnce);
      for_each_index(parts.size(), [&](std::size_t i) {
        if (stop.ask()) return;
        const std::size_t to = std::min<std::size_t>(size, (i + 1) * kExpandedAtOnce);
        parts[i].status = expand(table, slice, static_cast<std::uint32_t>(i * kExpandedAtOnce),
                                 static_cast<std::uint32_t>(to), has_value, parts[i]);
        parts[i].targets.shrink_to_fit();  // there are so many of them that what they might grow by counts
        parts[i].ended.shrink_to_fit();
      });
      if (stop.stopped()) return absl::OkStatus();
      std::size_t at = 0;
      std::size_t edges = 0;
      for (const Moves& part : parts) {
        RETURN_IF_ERROR(part.status);
        for (const std::uint32_t n : part.count) tier.first_edge()[++at] = (edges += n);
      }
      tier.targets().resize(edges);
      edges_ += edges;
      for_each_index(parts.size(), [&](std::size_t i) {
        std::copy(parts[i].targets.begin(), parts[i].targets.end(),
                  tier.targets().begin() + static_cast<std::ptrdiff_t>(tier.first_edge()[i * kExpandedAtOnce]));
        for (const auto& [local, rank] : parts[i].ended) tier.end(local, rank);
        parts[i] = Moves();
      });
    }
    // The moves have been copied from many small pieces; what the system does not get back now is held beside all that follows.
    if (size > kTrimmed) release_free_memory();
    tier.solve(&stop);
    if (stop.stopped()) return absl::OkStatus();
    const std::uint64_t base = table.index.base(slice);
    std::atomic<bool> too_long = false;
    for_ranges(0, size, &stop, [&](auto, std::size_t from, std::size_t to) {
      for (std::size_t local = from; local < to; ++local) {
        if (has_value[local] == 0) continue;
        const std::optional<KnownEnding> known = tier.known(local);
        if (!known) {
          too_long = true;
          return;
        }
        table.layers.codes[base + local] = known->code;
        table.layers.plies[base + local] = known->plies;
      }
    });
    if (!too_long) return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat("a win takes more than ", kMostEndingPlies, " plies in ",
                                                 to_text(*out_->set_, table.index.material())));
  }

  EndingOptions options_;
  std::shared_ptr<EndingTables> out_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> solved_ = 0;
  std::atomic<std::uint64_t> edges_ = 0;
};

bool stays_in_slice(const PieceSet& set, const PieceMove& move) {
  return move.manner != Manner::capture && move.manner != Manner::en_passant && set.kinds[move.kind].promotions.empty();
}

absl::StatusOr<Material> material_of(const Variant& variant) {
  const auto& pieces = variant.rules().pieces();
  if (pieces == nullptr || !pieces->material)
    return absl::InvalidArgumentError("endings are of games of pieces with a material, as in --set material=KRvK");
  Material out;
  for (std::size_t who = 0; who < 2; ++who) {
    for (const int n : (*pieces->material)[who]) out.men[who].push_back(static_cast<std::uint8_t>(n));
  }
  return out;
}

bool players_exchangeable(const PieceSet& set) {
  std::vector<Cell> turned(static_cast<std::size_t>(set.width * set.height));
  for (std::size_t c = 0; c < turned.size(); ++c) turned[c] = static_cast<Cell>(turned.size() - 1 - c);
  return set.symmetric(turned, true);
}

std::vector<Material> materials_from(const PieceSet& set, const Material& material, bool exchangeable) {
  const auto oriented = [&](const Material& m) { return exchangeable ? std::max(m, m.exchanged()) : m; };
  std::vector<Material> out = {oriented(material)};
  std::set<Material> seen(out.begin(), out.end());
  const auto add = [&](const Material& m) {
    if (seen.insert(oriented(m)).second) out.push_back(oriented(m));
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t who = 0; who < 2; ++who) {
      for (std::size_t k = 0; k < set.kinds.size(); ++k) {
        if (k == set.royal || out[i].men[who][k] == 0) continue;
        Material less = out[i];
        --less.men[who][k];
        add(less);
        for (const std::size_t to : set.kinds[k].promotions) {
          Material more = less;
          ++more.men[who][to];
          add(more);
        }
      }
    }
  }
  // Captures before, then promotions: fewer men first from the end, then fewer pawns.
  const auto pawns = [&](const Material& m) {
    int n = 0;
    for (std::size_t k = 0; k < set.kinds.size(); ++k) {
      if (!set.kinds[k].promotions.empty()) n += m.men[0][k] + m.men[1][k];
    }
    return n;
  };
  std::stable_sort(out.begin() + 1, out.end(), [&](const Material& a, const Material& b) {
    return std::pair(a.count(), pawns(a)) > std::pair(b.count(), pawns(b));
  });
  return out;
}

EndingTables::Found EndingTables::find(const Material& material) const {
  if (const auto found = tables_.find(material); found != tables_.end()) return {found->second.get(), false};
  if (!exchangeable_) return {};
  const auto found = tables_.find(material.exchanged());
  return found == tables_.end() ? Found() : Found{found->second.get(), true};
}

absl::StatusOr<KnownEnding> EndingTables::known(const Position& position) const {
  if (may_pass(position)) return worked_out(position);
  const Found found = find(plenum::material_of(*set_, position));
  if (found.table == nullptr || found.table->layers.codes.empty())
    return absl::NotFoundError("its material is not among those solved");
  const KnownEnding out = found.table->layers.at(found.number(position));
  if (!out.has_value()) return absl::NotFoundError("it is not legal");
  return out;
}

std::optional<std::uint64_t> EndingTables::number(const Position& position) const {
  if (may_pass(position)) return std::nullopt;
  const Found found = find(plenum::material_of(*set_, position));
  if (found.table != find(material_).table) return std::nullopt;
  return found.number(position);
}

absl::StatusOr<KnownEnding> EndingTables::worked_out(const Position& position) const {
  const PieceBoard board(*set_, position);
  std::vector<PieceMove> moves;
  board.moves(moves);
  BoundaryGraph one(1);
  Position next;
  for (const PieceMove& move : moves) {
    if (!board.after(move, next)) return absl::ResourceExhaustedError(kCrowd);
    ASSIGN_OR_RETURN(const KnownEnding after, known(next));
    one.targets().push_back(BoundaryGraph::outcome(after));
  }
  one.first_edge()[1] = moves.size();
  one.solve();
  const std::optional<KnownEnding> out = one.known(0);
  if (!out) return absl::UnimplementedError(absl::StrCat("a win takes more than ", kMostEndingPlies, " plies"));
  return *out;
}

PositionValue EndingTables::value_of(KnownEnding known, Player mover, bool ended) const {
  const Ply plies{known.value() == 0 ? 0U : known.plies};
  return position_value({Margin{known.value()}}, plies, known.facts(), ended, mover);
}

absl::StatusOr<PositionValue> EndingTables::value(const Position& position) const {
  ASSIGN_OR_RETURN(const KnownEnding out, known(position));
  return value_of(out, position.mover, !PieceBoard(*set_, position).has_move());
}

std::vector<EndingTables::Size> EndingTables::sizes() const {
  std::vector<Size> out;
  for (const auto& [material, table] : tables_) {
    const auto with = std::count_if(table->layers.codes.begin(), table->layers.codes.end(),
                                    [](std::uint8_t code) { return KnownEnding{code}.has_value(); });
    out.push_back({to_text(*set_, material), table->index.size(), static_cast<std::uint64_t>(with)});
  }
  return out;
}

std::uint64_t EndingTables::bytes() const {
  std::uint64_t out = 0;
  for (const auto& [material, table] : tables_) out += table->layers.codes.size() + table->layers.plies.size();
  return out;
}

absl::StatusOr<std::shared_ptr<const EndingTables>> solve_ending(const Variant& variant, const EndingOptions& options) {
  return EndingSolver(variant, options).run();
}

}  // namespace plenum
