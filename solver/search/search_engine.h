// SPDX-License-Identifier: Apache-2.0
// The inside of Search: how a null-window question is answered by many walks through the tree at once.
//
// A walk goes down and up the tree depth first, as alpha-beta does, but stops wherever it needs positions expanded. A worker, one a
// thread, carries a number of walks: it lets each go on until it stops, expands what all of them ask for in one batch, and
// hands out the results. So programs of rules run over full vectors although each walk asks for a handful of positions.
//
//     Engine   what all share: the table, the marks, the question
//     Worker   a thread: batches, what refuted what (history), its walks
//     Walk     a stack of frames, a node each
//
// Walks know of one another by the table and by marks on positions that somebody is searching: those are put off.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/search/search.h"
#include "tables/index/folded_keys.h"
#include "tables/index/transposition_table.h"
#include "variants/rules/pattern_play.h"
#include "variants/rules/score_bounds.h"
#include "variants/rules/threats.h"
#include "variants/rules/winning_moves.h"

namespace plenum::searching {

inline bool is_open(Interval bounds, std::int64_t than) { return bounds.least <= than && bounds.greatest > than; }
inline bool known(Interval bounds) { return bounds.least >= bounds.greatest; }
inline Interval reversed(Interval bounds) { return {-bounds.greatest, -bounds.least}; }
inline Interval meet(Interval a, Interval b) { return {std::max(a.least, b.least), std::min(a.greatest, b.greatest)}; }

// Moves by what they do, whatever the position; different ones may share a number.
inline constexpr std::size_t kMoveIds = 4096;
inline std::uint32_t move_id(const Part& part) {
  return (part.rule * 1009U + part.choice * 577U + part.from * 64U + part.to) % kMoveIds;
}

// Which positions are being searched at the moment, so that others turn to something else first. A hint, not a lock: a mark may be lost to
// another one that falls on the same place. All calls from any thread. Source: Kerrigan's simplification of ABDADA.
class InProgressMarks {
 public:
  bool marked(std::uint64_t hash) const { return hash != 0 && place(hash).load(std::memory_order_relaxed) == hash; }
  void mark(std::uint64_t hash) { place(hash).store(hash, std::memory_order_relaxed); }
  void unmark(std::uint64_t hash) {
    std::atomic<std::uint64_t>& at = place(hash);
    if (at.load(std::memory_order_relaxed) == hash) at.store(0, std::memory_order_relaxed);
  }
  void clear() {
    for (auto& at : places_) at.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kPlaces = 1 << 14;
  const std::atomic<std::uint64_t>& place(std::uint64_t hash) const { return places_[hash % kPlaces]; }
  std::atomic<std::uint64_t>& place(std::uint64_t hash) { return places_[hash % kPlaces]; }
  std::array<std::atomic<std::uint64_t>, kPlaces> places_ = {};
};

// A move with the position it leads to.
template <std::size_t kWords>
struct Child {
  Key<kWords> key = {};      // as it stands
  Key<kWords> mixed = {};    // folded, as the table takes it
  Interval bounds;           // of the move, for the player who makes it
  std::int64_t promise = 0;  // the score if the game ended there, likewise; or what threats there are
  std::int64_t order = 0;
  std::uint32_t move = 0;
  Cell forced = kNoCell;  // in the position: the only cell to play on, if that is proven
};

template <std::size_t kWords>
struct Engine;

template <std::size_t kWords>
class Worker;

template <std::size_t kWords>
class Walk {
 public:
  using Kid = Child<kWords>;

  Walk(Engine<kWords>& engine, Worker<kWords>& worker) : engine_(engine), worker_(worker) {}

  // From now on: whether `root`, whose moves are given, is worth more than `than`.
  void begin(const Kid& root, const std::vector<Kid>& moves, std::int64_t than);
  // Goes on until it asks for something, waits, or is done.
  void go_on();
  // The children whose replies it asks for; none if it waits.
  const std::vector<const Kid*>& asked() const { return asked_; }
  bool active() const { return depth_ > 0; }
  // The answer, once it is not active any more.
  Interval answer() const { return answer_; }

  // The replies to the next of the children asked for.
  void take(const Kid* replies, std::size_t count);

 private:
  enum class State { enter, group, expanded, next };
  struct Pending {
    std::int64_t weight = 0;  // weight_of its replies
    std::uint32_t child = 0;  // in `kids`
    std::size_t from = 0;     // its replies in `brood`
    std::size_t to = 0;
  };
  struct Frame {
    State state = State::enter;
    Kid self;
    std::int64_t than = 0;
    bool cut = false;                  // whether it is expected to be worth more
    bool fresh = false;                // the table has just been asked about its moves
    std::span<Kid> kids;               // all its moves: of the brood of the frame before it
    std::vector<std::uint32_t> open;   // those that may decide, best first
    std::size_t next = 0;              // of `open`: not yet expanded from here on
    std::vector<std::uint32_t> group;  // those being expanded
    std::vector<Kid> brood;
    std::vector<std::size_t> begin;  // by place in `group`
    std::vector<Pending> pending;    // to be searched, best last
    std::uint64_t nodes = 0;         // the walk's when it was entered
    int waited = 0;
  };

  Frame& top() { return *frames_[depth_ - 1]; }
  void push(const Kid& self, std::int64_t than, bool cut);
  void finish(Interval bounds);
  void enter(Frame& frame);
  void sort_open(Frame& frame);
  void drop_symmetric(Frame& frame);
  bool choose_group(Frame& frame);
  std::int64_t weight_of(std::span<const Kid> replies, std::int64_t than) const;
  bool after_expanding(Frame& frame);
  bool search_next(Frame& frame);
  void leave_answered();

  Engine<kWords>& engine_;
  Worker<kWords>& worker_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::size_t depth_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t nodes_ = 0;
  std::vector<Kid> moves_;  // of the root
  std::vector<const Kid*> asked_;
  Interval answer_;
};

template <std::size_t kWords>
class Worker {
 public:
  using Kid = Child<kWords>;

  explicit Worker(Engine<kWords>& engine);

  // Helps to answer the engine's question until somebody has.
  void work();
  // The moves of one position; false: an error.
  bool moves_of(const Position& position, Kid& root, std::vector<Kid>& moves);

  const absl::Status& status() const { return status_; }
  // Gives the question up, without taking memory.
  void fail_for_memory() {
    no_memory_ = true;
    engine_.over = true;
  }
  bool no_memory() const { return no_memory_; }

 private:
  friend class Walk<kWords>;
  using History = std::array<std::uint32_t, kMoveIds>;

  History& history(std::size_t ply);
  void credit(std::size_t ply, const Kid& answer);
  void note(const Kid& kid, Interval bounds, std::uint64_t nodes);
  std::uint64_t& average(std::size_t ply);  // nodes of a search at that ply, 16 times over

  std::size_t walking() const;
  void tell();
  bool serve();
  bool run_batch();
  void keep_forced();
  void read_successors(std::size_t lanes);
  bool judge_stuck(const Kid& kid, Interval& bounds);

  Engine<kWords>& engine_;
  Rules::Scratch scratch_;
  FoldedKeys::Scratch folding_;
  Workspace work_;
  PositionBatch batch_;
  std::vector<Walk<kWords>*> lanes_;  // whose
  std::vector<Cell> forced_;          // by lane: where alone to play
  std::vector<Key<kWords>> folded_;
  std::vector<Key<kWords>> plain_;
  std::vector<std::int64_t> promise_;
  std::vector<Interval> score_bounds_;
  std::vector<CellSet> winning_;  // cells; empty where the rules prove none
  PatternPlay::Scratch playing_;
  std::vector<PatternPlay::Verdict> verdicts_;  // likewise; then `winning_` is empty
  std::vector<Kid> successors_;                 // sorted by lane
  std::vector<std::size_t> begin_;              // by lane
  std::vector<std::size_t> place_;
  std::vector<std::unique_ptr<History>> history_;
  std::vector<std::uint64_t> average_;
  std::vector<std::unique_ptr<Walk<kWords>>> walks_;
  std::vector<Walk<kWords>*> asking_;
  std::uint64_t nodes_ = 0;
  std::uint64_t made_ = 0;   // successors
  std::uint64_t asked_ = 0;  // times that a walk asked
  std::uint64_t taken_ = 0;  // places of the table
  std::uint64_t began_ = 0;  // nodes_ when the question was taken up
  std::uint64_t told_nodes_ = 0;
  std::uint64_t told_made_ = 0;
  std::uint64_t told_taken_ = 0;
  std::size_t walking_ = 0;  // walks that have set out
  absl::Status status_;
  bool no_memory_ = false;
};

template <std::size_t kWords>
struct Engine {
  Engine(const Variant& of, const SearchOptions& options)
      : variant(of),
        score_bounds(of.rules()),
        threats(of.rules()),
        winning_moves(of.rules()),
        pattern_play(of.rules()),
        keys(of),
        table(keys.packing().bits(), score_bounds.everywhere(), options.memory_bytes) {}

  const Variant& variant;
  ScoreBounds score_bounds;
  Threats threats;
  WinningMoves winning_moves;
  PatternPlay pattern_play;  // takes the place of the two before, where it says anything
  FoldedKeys keys;
  TranspositionTable<kWords> table;
  // Whether the score of a position that has not ended tells something; else threats do, if there are any.
  bool scores_order = false;
  InProgressMarks busy;
  int most_walks = 1;

  // The question, and its answer.
  Child<kWords> root;
  std::vector<Child<kWords>> moves;
  std::int64_t than = 0;
  std::atomic<bool> over{false};  // answered, stopped or failed
  std::atomic<bool> answered{false};
  Interval answer;  // written by the one who sets `answered`

  std::atomic<std::uint64_t> nodes{0};
  std::atomic<std::uint64_t> successors{0};
  std::atomic<std::uint64_t> taken{0};  // places of the table
  std::atomic<bool> grow{false};

  // What the workers do when all have met: the table grows, while nobody else touches it.
  struct Grow {
    Engine* engine = nullptr;
    void operator()() noexcept {
      if (!engine->grow.exchange(false)) return;
      engine->table.grow([](std::uint64_t buckets, const auto& body) { body(std::uint64_t{0}, buckets); });
    }
  };
  std::unique_ptr<std::barrier<Grow>> meeting;
};

}  // namespace plenum::searching
