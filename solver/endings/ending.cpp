// SPDX-License-Identifier: Apache-2.0
#include "solver/endings/ending.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <set>

#include <absl/strings/str_cat.h>
#include <tbb/task_arena.h>

#include "solver/endings/ending_prediction.h"
#include "solver/endings/slice_solver.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr const char* kCrowd = "more equal men share a cell than are told apart";

// Whether equal men of a material may come to share a cell in greater numbers than a position can say.
bool may_be_too_many(const PieceSet& set, const Material& material) {
  if (!set.crowds()) return false;
  for (std::size_t k = 0; k < set.kinds.size(); ++k) {
    const int told = 1 << set.kinds[k].more_planes.size();
    const int men = std::max(material.men[0][k], material.men[1][k]);
    if ((set.most_on_cell == 0 ? men : std::min(men, set.most_on_cell)) > told) return true;
  }
  return false;
}

}  // namespace

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
      if (one_by_one_) hold_only({one});
      if (find(table, name)) {
        solved_ += table.index.size();
        ++out_->found_;
      } else {
        if (one_by_one_) RETURN_IF_ERROR(hold_what_follows(one));
        RETURN_IF_ERROR(solve(table, name));
        if (options_.keep) options_.keep(name, table.layers);
      }
      table.with_value =
          static_cast<std::uint64_t>(std::count_if(table.layers.codes.begin(), table.layers.codes.end(),
                                                   [](std::uint8_t code) { return KnownEnding{code}.has_value(); }));
    }
    if (one_by_one_) RETURN_IF_ERROR(hold_what_follows(all.back()));
    out_->edges_ = edges_;
    return std::move(out_);
  }

 private:
  absl::Status check_memory(const Material& material) {
    ASSIGN_OR_RETURN(const EndingPrediction needed, predict_ending(*out_->variant_));
    if (needed.bytes <= options_.memory_bytes) return absl::OkStatus();
    one_by_one_ = options_.find && options_.keep;
    const std::uint64_t bytes = one_by_one_ ? needed.least_bytes : needed.bytes;
    if (bytes <= options_.memory_bytes) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: the positions of ", to_text(*out_->set_, material), " and of those that it leads to take about ",
        memory_text(bytes), "; ", memory_text(options_.memory_bytes),
        " may be used\n  give more with --memory, or take a smaller board or fewer men"));
  }

  bool find(EndingTables::Table& table, const std::string& name) const {
    if (!options_.find) return false;
    std::optional<EndingLayers> known = options_.find(name, table.index.size());
    if (!known) return false;
    table.layers = *std::move(known);
    return true;
  }

  // Gives up all tables but these.
  void hold_only(const std::vector<Material>& held) {
    for (auto& [material, table] : out_->tables_) {
      if (std::find(held.begin(), held.end(), material) == held.end()) table->layers = {};
    }
    release_free_memory();
  }

  // Of all tables holds that of a material, and those that its moves lead to.
  absl::Status hold_what_follows(const Material& material) {
    std::vector<Material> held = materials_after(*out_->set_, material, out_->exchangeable_);
    held.push_back(material);
    hold_only(held);
    held.pop_back();
    for (const Material& one : held) {
      EndingTables::Table& table = *out_->tables_.at(one);
      const std::string name = to_text(*out_->set_, one);
      if (!table.layers.codes.empty() || find(table, name)) continue;
      return absl::ResourceExhaustedError(
          absl::StrCat("memory: the table of ", name, " has been given up, and is not found where it was kept"));
    }
    return absl::OkStatus();
  }

  absl::Status solve(EndingTables::Table& table, const std::string& name) {
    const EndingIndex& index = table.index;
    if (may_be_too_many(*out_->set_, index.material())) return absl::ResourceExhaustedError(kCrowd);
    table.layers.codes.assign(index.size(), KnownEnding::kNoValue);
    table.layers.plies.assign(index.size(), 0);
    const EndingMen men(*out_->set_, index);
    ObjectPool<OutwardMoves> outward([&] { return std::make_unique<OutwardMoves>(*out_, men); });
    Stop stop([&] { return !options_.progress || options_.progress({name, solved_.load(), total_}); });
    std::map<int, std::vector<std::uint32_t>, std::greater<>> by_progress;
    for (std::uint32_t s = 0; s < index.slices(); ++s) by_progress[index.progress(s)].push_back(s);
    for (const auto& entry : by_progress) {
      const std::vector<std::uint32_t>& slices = entry.second;
      std::vector<absl::Status> status(slices.size());
      for_each_index(slices.size(), [&](std::size_t i) {
        if (stop.ask()) return;
        // A thread that waits for others in one slice begins no other one: no more slices are in memory than threads.
        tbb::this_task_arena::isolate([&] { status[i] = solve_slice(table, {men, slices[i]}, outward, stop); });
        if (status[i].ok() && !stop.stopped()) solved_ += index.size(slices[i]);
      });
      if (stop.ask()) return absl::CancelledError("interrupted");
      for (const absl::Status& one : status) RETURN_IF_ERROR(one);
    }
    return absl::OkStatus();
  }

  // Stopped, it enters nothing that is used.
  absl::Status solve_slice(EndingTables::Table& table, const SliceRows& rows, ObjectPool<OutwardMoves>& outward,
                           Stop& stop) {
    SliceSolver solver(rows, outward, &stop);
    RETURN_IF_ERROR(solver.solve());
    if (stop.stopped()) return absl::OkStatus();
    edges_ += solver.moves();
    solver.write(table.layers);
    return absl::OkStatus();
  }

  EndingOptions options_;
  bool one_by_one_ = false;  // tables are given up that are not needed
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

namespace {

Material oriented(const Material& m, bool exchangeable) { return exchangeable ? std::max(m, m.exchanged()) : m; }

// Calls with what becomes of a material by a capture, and by one man's becoming something else.
template <typename Visit>
void each_change(const PieceSet& set, const Material& material, const Visit& visit) {
  for (std::size_t who = 0; who < 2; ++who) {
    for (std::size_t k = 0; k < set.kinds.size(); ++k) {
      if (k == set.royal || material.men[who][k] == 0) continue;
      Material less = material;
      --less.men[who][k];
      visit(less);
      for (const std::size_t to : set.kinds[k].promotions) {
        Material more = less;
        ++more.men[who][to];
        visit(more);
      }
    }
  }
}

}  // namespace

std::vector<Material> materials_from(const PieceSet& set, const Material& material, bool exchangeable) {
  std::vector<Material> out = {oriented(material, exchangeable)};
  std::set<Material> seen(out.begin(), out.end());
  const auto add = [&](const Material& m) {
    if (seen.insert(oriented(m, exchangeable)).second) out.push_back(oriented(m, exchangeable));
  };
  for (std::size_t i = 0; i < out.size(); ++i) each_change(set, Material(out[i]), add);
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

std::vector<Material> materials_after(const PieceSet& set, const Material& material, bool exchangeable) {
  if (set.capture == CrowdCapture::all) {  // as many as stand together
    std::vector<Material> all = materials_from(set, material, exchangeable);
    all.erase(all.begin());
    return all;
  }
  std::set<Material> out;
  each_change(set, material, [&](const Material& one) {
    out.insert(oriented(one, exchangeable));
    if (one.count() == material.count()) return;
    each_change(set, one, [&](const Material& two) {  // a pawn that takes and is a pawn no more
      if (two.count() == one.count()) out.insert(oriented(two, exchangeable));
    });
  });
  return {out.begin(), out.end()};
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
  if (found.table == nullptr) return absl::NotFoundError("its material is not among those solved");
  if (found.table->layers.codes.empty())
    return absl::UnimplementedError("the table of its material was given up for want of memory");
  const KnownEnding out = found.table->layers.at(found.number(position));
  if (!out.has_value()) return absl::NotFoundError("it is not legal");
  return out;
}

std::optional<std::uint64_t> EndingTables::number(const Position& position) const {
  if (may_pass(position)) return std::nullopt;
  const Found found = find(plenum::material_of(*set_, position));
  if (found.table == nullptr || found.table != find(material_).table) return std::nullopt;
  return found.number(position);
}

absl::StatusOr<KnownEnding> EndingTables::worked_out(const Position& position) const {
  const PieceBoard board(*set_, position);
  std::vector<PieceMove> moves;
  board.moves(moves);
  std::vector<KnownEnding> replies;
  Position next;
  for (const PieceMove& move : moves) {
    if (!board.after(move, next)) return absl::ResourceExhaustedError(kCrowd);
    ASSIGN_OR_RETURN(const KnownEnding after, known(next));
    replies.push_back(after);
  }
  MarginRank value = -1;
  for (const KnownEnding& r : replies) value = std::max(value, -r.value());
  int plies = 0;
  int by_one = value > 0 ? kMoverEnds | kMoverForcesEnd : 0;
  int by_all = kOtherEnds | kOtherForcesEnd;
  for (const KnownEnding& r : replies) {
    if (-r.value() == value && value != 0) {
      const int there = r.plies + 1;
      plies = plies == 0 ? there : value > 0 ? std::min(plies, there) : std::max(plies, there);
    }
    const Facts facts = r.facts();
    if ((facts & kOtherEnds) != 0) by_one |= kMoverEnds;
    if ((facts & kOtherForcesEnd) != 0) by_one |= kMoverForcesEnd;
    if (value == 0) by_one |= facts & kEndReachable;
    if ((facts & kMoverEnds) == 0) by_all &= ~kOtherEnds;
    if ((facts & kMoverForcesEnd) == 0) by_all &= ~kOtherForcesEnd;
  }
  if (static_cast<std::uint32_t>(plies) > kMostEndingPlies)
    return absl::UnimplementedError(absl::StrCat("a win takes more than ", kMostEndingPlies, " plies"));
  return KnownEnding::of(value, static_cast<Facts>(by_one | by_all), static_cast<std::uint8_t>(plies));
}

PositionValue EndingTables::value_of(KnownEnding known, const Position& position) const {
  return value_of(known, position.mover, [&] { return !PieceBoard(*set_, position).has_move(); });
}

absl::StatusOr<PositionValue> EndingTables::value(const Position& position) const {
  ASSIGN_OR_RETURN(const KnownEnding out, known(position));
  return value_of(out, position);
}

std::vector<EndingTables::Size> EndingTables::sizes() const {
  std::vector<Size> out;
  for (const auto& [material, table] : tables_)
    out.push_back({to_text(*set_, material), table->index.size(), table->with_value});
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
