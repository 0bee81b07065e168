// SPDX-License-Identifier: Apache-2.0
// The pass from the last tier to the first: values and remoteness.
#include <algorithm>

#include "solver/one_pass/one_pass_solver.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr BoardIndex kChunk = 8192;  // boards that a thread takes
constexpr std::size_t kChunksPerReport = 128;

}  // namespace

OnePassSolver::Worker::Worker(const OnePassWork& work)
    : scratch(work.variant->rules()),
      parents(work.variant->rules().batch()),
      places(*work.index),
      board(kLanes),
      sets(kLanes),
      bits(kLanes),
      counted(kLanes),
      best(kLanes),
      worst(kLanes),
      moves(kLanes) {
  parents.grow(kLanes);
}

OnePassSolver::OnePassSolver(OnePassWork& work, const OnePassOptions& options)
    : work_(work),
      options_(options),
      ranks_(*options.ranks),
      rules_(work.variant->rules()),
      index_(*work.index),
      boards_(board_stripes(*work.index, options.ranks->rank(), options.ranks->size())),
      exchanges_(index_.folding().exchange != kIdentity),
      reaching_(options.counts || !options.whole_board),
      pieces_(options, *work.index),
      workers_([this] { return std::make_unique<Worker>(work_); }),
      values_there_(index_, boards_, 8),
      reached_there_(index_, boards_, exchanges_ ? 2 : 1),
      met_(ranks_.several() ? index_.blocks().size() : 0) {
  for (std::size_t c = 0; c < itself_.size(); ++c) itself_[c] = static_cast<ValueByte>(c);
  for (std::uint32_t layer = 0; layer < index_.layers(); ++layer) {
    Position p;
    index_.read_layer(layer, p);
    layers_.push_back(layer);
    passes_.push_back(p.passes);
    second_moves_.push_back(p.mover == Player::second);
  }
  std::stable_sort(layers_.begin(), layers_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return passes_[a] < passes_[b]; });
  for (std::size_t from = 0, to = 0; from < layers_.size(); from = to) {
    while (to < layers_.size() && passes_[layers_[to]] == passes_[layers_[from]]) ++to;
    levels_.push_back(Level(layers_).subspan(from, to - from));
  }
  ahead_ = work_.ahead;
  ahead_.images = ahead_.images || levels_.size() > 1;
}

// Asked of the root.
bool OnePassSolver::report(const char* what, int stones) const {
  return !ranks_.root() || !options_.progress ||
         options_.progress({what, done_, index_.boards() * index_.layers(), stones});
}

// Collective: an error of any rank, or that it is to be stopped.
absl::Status OnePassSolver::agree(const absl::Status& own, const char* what, int stones) const {
  constexpr std::uint64_t kError = std::uint64_t{1} << 32;
  const std::uint64_t all = ranks_.sum(!own.ok() ? kError : report(what, stones) ? 0 : 1);
  if (all >= kError) return ranks_.agree(own);
  return all != 0 ? absl::CancelledError("interrupted") : absl::OkStatus();
}

absl::Status OnePassSolver::for_chunks(const char* what, int stones, Share boards, const Chunk& chunk) {
  ++round_;
  std::vector<Share> chunks;
  boards_.for_own(boards.begin, boards.end, [&](BoardIndex begin, BoardIndex to) {
    for (; begin < to; begin += kChunk) chunks.push_back({begin, std::min(to, begin + kChunk)});
  });
  // All report equally often.
  std::size_t most = 0;
  for (const std::uint64_t one : ranks_.gather(std::uint64_t{chunks.size()})) most = std::max<std::size_t>(most, one);
  const std::size_t reports = (most + kChunksPerReport - 1) / kChunksPerReport;
  const std::uint64_t done = done_;
  for (std::size_t r = 0; r < reports; ++r) {
    const auto from = chunks.begin() + static_cast<std::ptrdiff_t>(chunks.size() * r / reports);
    const auto until = chunks.begin() + static_cast<std::ptrdiff_t>(chunks.size() * (r + 1) / reports);
    std::vector<absl::Status> status(static_cast<std::size_t>(until - from));
    for_each_index(status.size(), [&](std::size_t i) {
      const auto worker = workers_.borrow();
      if (worker->round != round_ && ranks_.several()) worker->places.forget();
      worker->round = round_;
      const Share& own = from[static_cast<std::ptrdiff_t>(i)];
      status[i] = chunk(own.begin, own.end, *worker);
      collect(*worker);
    });
    absl::Status first;
    for (const absl::Status& one : status) first.Update(one);
    if (fell_) first.Update(absl::InternalError("a move leads to no later tier"));
    done_ = done + (boards.end - boards.begin) * (r + 1) / reports;
    RETURN_IF_ERROR(agree(first, what, stones));
  }
  return absl::OkStatus();
}

absl::Status OnePassSolver::for_tier(const char* what, int stones, const TierWork& work, OnePassCounts& all) {
  const BoardIndex begin = index_.begin(stones);
  const BoardIndex end = index_.begin(stones + 1);
  if (begin == end) return absl::OkStatus();
  if (work.load(stones, begin, end)) {
    done_ += (end - begin) * layers_.size();
    RETURN_IF_ERROR(agree(absl::OkStatus(), what, stones));
  } else {
    RETURN_IF_ERROR(work.find(stones));
    add_up_tier();
    if (!ranks_.any(!missing_.empty())) {
      RETURN_IF_ERROR(work.save(stones, begin, end));
    }
  }
  all.add(tier_);
  return absl::OkStatus();
}

// Sums and sets, so that the order does not matter.
void OnePassSolver::collect(Worker& w) {
  std::vector<CellSet>& missing = w.places.missing();
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const std::lock_guard<std::mutex> lock(mutex_);
  tier_.add(w.counts);
  missing_.insert(missing_.end(), missing.begin(), missing.end());
  fell_ = fell_ || w.fell;
  for (const BlockIndex block : w.places.met()) {
    if (!met_.empty()) met_[block] = 1;
  }
  w.places.met().clear();
  missing.clear();
  w.counts = {};
}

void OnePassSolver::begin(std::uint32_t layer, Worker& w) const {
  if (w.layer == layer) return;
  w.layer = layer;
  Position p;
  index_.read_layer(layer, p);
  for (std::size_t i = 0; i < kLanes; ++i) w.parents.set(i, p);
}

void OnePassSolver::take(std::size_t slot, const BoardCursor& cursor, Worker& w) const {
  for (std::size_t p = 0; p < w.parents.planes.size(); ++p) w.parents.planes[p][slot] = cursor.planes()[p];
  w.board[slot] = cursor.board();
}

// Parent `from` becomes parent `to`; all have one state.
void OnePassSolver::keep(std::size_t from, std::size_t to, Worker& w) const {
  if (from == to) return;
  for (auto& plane : w.parents.planes) plane[to] = plane[from];
  w.board[to] = w.board[from];
  w.sets[to] = w.sets[from];
  w.bits[to] = w.bits[from];
  w.counted[to] = w.counted[from];
}

const std::vector<BoardImage>& OnePassSolver::images(const Block& block, Worker& w) const {
  if (w.images_of == &block) return w.images;
  w.images_of = &block;
  w.images.clear();
  for (const GroupElement g : index_.folding().plain) {
    if (g != kIdentity && index_.symmetries().apply(g, block.set) == block.set) w.images.emplace_back(index_, block, g);
  }
  return w.images;
}

void OnePassSolver::tally(std::size_t parent, ValueByte code, bool ended, Worker& w) const {
  const auto add = [&](unsigned bits, CodeTally& to) {
    const unsigned movers = second_moves_[w.layer] ? exchanged_movers(bits) : bits;
    to.add(movers, w.sets[parent], code, ended, ended ? 0 : w.moves[parent], w.counted[parent] != 0);
  };
  if (w.bits[parent] != 0) add(w.bits[parent], w.counts.reached);
  if (options_.counts && options_.whole_board) add(exchanges_ ? 3 : 1, w.counts.whole);
}

// Collective.
std::vector<CellSet> OnePassSolver::take_missing() {
  std::vector<CellSet> all;
  for (const Parcel& parcel : ranks_.gather(
           std::span(reinterpret_cast<const std::uint8_t*>(missing_.data()), missing_.size() * sizeof(CellSet)))) {
    const std::vector<CellSet> some = ParcelReader(parcel).get_all<CellSet>(parcel.size() / sizeof(CellSet));
    all.insert(all.end(), some.begin(), some.end());
  }
  missing_ = std::move(all);
  std::sort(missing_.begin(), missing_.end());
  missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
  return std::move(missing_);
}

absl::StatusOr<std::vector<CellSet>> OnePassSolver::find_values() {
  constexpr const char* kWhat = "solving";
  done_ = 0;
  OnePassCounts all;
  OnePassBytes& bytes = work_.bytes;
  bytes.codes.resize(index_.layers());
  if (options_.remoteness) bytes.plies.resize(index_.layers());
  for (const std::uint32_t layer : layers_) {
    if (ended_by_passes(rules_.set(), passes_[layer])) continue;
    bytes.codes[layer] = BigBytes(index_.boards(), pages_for(ranks_));
    if (options_.remoteness) bytes.plies[layer] = BigBytes(index_.boards(), pages_for(ranks_));
  }
  const TierWork work = {
      [&](int stones, BoardIndex from, BoardIndex end) { return pieces_.load_values(stones, from, end, bytes, tier_); },
      [&](int stones) { return value_tier(kWhat, stones); },
      [&](int stones, BoardIndex from, BoardIndex end) {
        return pieces_.save_values(stones, from, end, bytes, tier_);
      }};
  for (int stones = index_.cells(); stones >= 0; --stones) {
    RETURN_IF_ERROR(for_tier(kWhat, stones, work, all));
  }
  work_.costs.evaluated = all.positions;
  work_.costs.successors = all.successors;
  if (ranks_.any(!missing_.empty())) return take_missing();
  if (all.worthless != 0) return absl::InternalError("a reachable position has no value");
  if (options_.counts) work_.statistics = all.reached.statistics();
  if (options_.counts && options_.whole_board && index_.folding().all) work_.whole_board = all.whole.statistics();
  return missing_;
}

absl::Status OnePassSolver::value_tier(const char* what, int stones) {
  tier_ = {};
  // What a pass leads to has been found.
  for (std::size_t k = levels_.size(); k-- > 0;) {
    for (const Share& round : board_rounds(index_, boards_, stones))
      RETURN_IF_ERROR(value_round(what, stones, round, levels_[k]));
    values_there_.drop(stones, value_layers());
  }
  return absl::OkStatus();
}

absl::Status OnePassSolver::value_round(const char* what, int stones, Share round, Level level) {
  const OnePassCounts before = tier_;
  const std::uint64_t done = done_;
  for (;;) {
    open_windows(round, level);
    for (const std::uint32_t layer : level) {
      const auto chunk = [&, part = Part{layer, stones}](BoardIndex from, BoardIndex to, Worker& w) {
        return value_chunk(part, from, to, w);
      };
      RETURN_IF_ERROR(for_chunks(what, stones, round, chunk));
    }
    ASSIGN_OR_RETURN(const bool again, misread(stones));
    if (!again) return absl::OkStatus();
    tier_ = before;
    done_ = done;
  }
}

absl::Status OnePassSolver::value_chunk(Part part, BoardIndex from, BoardIndex to, Worker& w) {
  if (!options_.counts && work_.bytes.codes[part.layer].empty()) return absl::OkStatus();
  begin(part.layer, w);
  BoardCursor cursor(index_);
  cursor.seek(from);
  while (cursor.board() < to) {
    std::size_t n = 0;
    for (; n < kLanes && cursor.board() < to; cursor.next()) {
      w.bits[n] = reaching_ ? work_.reached({part.layer, cursor.board()}) : 0;
      if (w.bits[n] == 0 && !options_.whole_board) continue;
      take(n, cursor, w);
      w.sets[n] = cursor.block().sets;
      // Without all symmetries it is costly to tell, and asked for what is reachable alone.
      const bool tells = options_.counts && (w.bits[n] != 0 || index_.folding().all);
      w.counted[n] = tells && counted(cursor, part.layer, w) ? 1 : 0;
      ++n;
    }
    if (n == 0) continue;
    w.parents.size = n;
    w.counts.positions += n;
    rules_.judge(w.parents, w.scratch, w.ended, w.margin);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (w.ended[i] != 0) {
        enter(part, i, end_code(w.margin[i]), 0, true, w);
      } else {
        keep(i, kept++, w);
      }
    }
    w.parents.size = kept;
    if (kept > 0) evaluate(part, w);
  }
  return absl::OkStatus();
}

void OnePassSolver::enter(Part part, std::size_t parent, ValueByte code, std::uint8_t plies, bool ended, Worker& w) {
  const BoardIndex board = w.board[parent];
  if (!work_.bytes.codes[part.layer].empty()) {
    work_.bytes.codes[part.layer][board] = code;
    if (options_.remoteness) work_.bytes.plies[part.layer][board] = plies;
  }
  if (code != kNoValue) {
    if (options_.counts) tally(parent, code, ended, w);
  } else if (w.bits[parent] != 0) {
    w.counts.worthless = 1;
  }
}

// Where the value of each successor is read.
void OnePassSolver::find_sources(Part part, Worker& w) {
  const PositionBatch& s = w.scratch.successors;
  w.places.find(s);
  if (w.source.size() < s.size) {
    w.source.resize(s.capacity());
    w.source_plies.resize(s.capacity());
  }
  const bool plies = options_.remoteness;
  for (std::size_t i = 0; i < s.size; ++i) {
    const BoardIndex board = w.places.board(i);
    const int stones = w.places.stones(i);
    if (stones <= part.stones && (stones < part.stones || s.passes[i] <= passes_[part.layer])) w.fell = true;
    if (w.scratch.ended[i] != 0 || board == kNoBoard) {
      w.source[i] = &itself_[w.scratch.ended[i] != 0 ? end_code(w.scratch.margin[i]) : kNoValue];
      w.source_plies[i] = itself_.data();
      continue;
    }
    const std::uint32_t layer = w.places.layer(i);
    w.source[i] = work_.bytes.codes[layer].data() + board;
    __builtin_prefetch(w.source[i]);
    if (!plies) continue;
    w.source_plies[i] = work_.bytes.plies[layer].data() + board;
    __builtin_prefetch(w.source_plies[i]);
  }
}

// The best of each parent's successors for it. Who wins wants the least remoteness, who loses the greatest.
template <bool kPlies>
void OnePassSolver::gather(Worker& w) const {
  const std::size_t n = w.scratch.successors.size;
  const std::uint32_t* const parent = w.scratch.parent.data();
  std::uint32_t* const best = w.best.data();
  ValueByte* const worst = w.worst.data();
  std::uint32_t* const moves = w.moves.data();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t p = parent[i];
    const ValueByte code = *w.source[i];
    std::uint32_t key = 256U * code;
    if constexpr (kPlies) {
      const std::uint32_t plies = *w.source_plies[i];
      key += code < kLevelEnd ? plies : 255 - plies;
    }
    best[p] = std::min(best[p], key);
    worst[p] = std::max(worst[p], code);
    ++moves[p];
  }
}

void OnePassSolver::evaluate(Part part, Worker& w) {
  const std::size_t parents = w.parents.size;
  if (!rules_.expand(w.parents, w.scratch).ok()) {
    evaluate_one_by_one(part, w);
    return;
  }
  w.counts.successors += w.scratch.successors.size;
  std::fill_n(w.best.begin(), parents, ~std::uint32_t{0});
  std::fill_n(w.worst.begin(), parents, ValueByte{0});
  std::fill_n(w.moves.begin(), parents, 0U);
  find_sources(part, w);
  if (options_.remoteness) {
    gather<true>(w);
  } else {
    gather<false>(w);
  }
  const Stuck stuck = rules_.set().stuck;
  bool scored = false;
  for (std::size_t i = 0; i < parents; ++i) {
    if (w.moves[i] == 0) {
      if (stuck == Stuck::unstated || stuck == Stuck::pass) {
        enter(part, i, kNoValue, 0, true, w);
        continue;
      }
      if (!scored) score_stuck(rules_, w.parents, w.scratch, w.margin);
      scored = true;
      enter(part, i, end_code(w.margin[i]), 0, true, w);
    } else if (w.worst[i] == kNoValue) {
      enter(part, i, kNoValue, 0, false, w);
    } else {
      const auto least = static_cast<ValueByte>(w.best[i] >> 8);
      const ValueByte code = code_from_successors(least, 1);
      const std::uint32_t rest = w.best[i] & 0xFF;
      const std::uint32_t plies =
          !options_.remoteness || is_level(code) ? 0 : 1 + (least < kLevelEnd ? rest : 255 - rest);
      enter(part, i, code, static_cast<std::uint8_t>(plies), false, w);
    }
  }
}

// One of the parents has a move that goes wrong: which?
void OnePassSolver::evaluate_one_by_one(Part part, Worker& w) {
  const std::size_t parents = w.parents.size;
  if (parents == 1) {
    enter(part, 0, kNoValue, 0, false, w);
    return;
  }
  // Each in turn is brought to the front.
  w.parents.size = 1;
  for (std::size_t i = 0; i < parents; ++i) {
    keep(i, 0, w);
    evaluate(part, w);
  }
}

}  // namespace plenum
