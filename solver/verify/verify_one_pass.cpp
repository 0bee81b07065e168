// SPDX-License-Identifier: Apache-2.0
// verify of games that were solved in one pass: what is reachable, again from the start, and every value against its replies.
//
// Nothing here is shared with the solver but the rules and the numbering of positions (DenseIndex); replies are placed one by one.
#include <algorithm>
#include <atomic>
#include <memory>

#include <absl/strings/str_cat.h>

#include "solver/dense/judged.h"
#include "solver/one_pass/one_pass.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "solver/verify/verify_stages.h"
#include "solver/verify/verify_tally.h"

namespace plenum {
namespace {

constexpr BoardIndex kOnePassPiece = 1024;                // boards of a piece of work
constexpr BoardIndex kOnePassSlice = 64 * kOnePassPiece;  // between two looks at whether to go on

// Of a position's being reached: as it stands, with the players exchanged; and that it has been sent on so.
constexpr unsigned kBits = 3;
constexpr unsigned kSent = 2;  // places to the left

std::string words_of_reached(std::uint8_t bits, bool exchanges) {
  if (bits == 0) return "not reached";
  if (!exchanges) return "reached";
  return absl::StrCat("reached with ", bits == 3 ? "either player" : bits == 1 ? "first" : "second", " to move");
}

class OnePassCheck : public MismatchLog {
 public:
  OnePassCheck(const Variant& variant, const DenseIndex& index, const TableReader& table, const VerifyOptions& options)
      : variant_(variant),
        index_(index),
        table_(table),
        options_(options),
        exchanges_(index.folding().exchange != kIdentity),
        shape_(one_pass_shape(index, variant.rule_set())),
        workers_([this] { return std::make_unique<Worker>(variant_); }) {
    for (int stones = 0; stones <= index.cells(); ++stones) tier_end_.push_back(first_board(stones + 1));
    for (std::uint32_t layer = 0; layer < index.layers(); ++layer) {
      Position p;
      index.read_layer(layer, p);
      passes_.push_back(p.passes);
    }
  }

  absl::StatusOr<Verification> run() {
    absl::Status done = read();
    if (done.ok()) done = find_reached();
    if (done.ok()) done = compare_reached();
    for (std::uint32_t layer = 0; layer < index_.layers() && done.ok(); ++layer) {
      done = for_boards("values", layer, 0, index_.boards(), -1,
                        [&](Worker& w, BoardIndex from, BoardIndex to) { return check(layer, from, to, w); });
    }
    if (!done.ok()) return done;
    Verification out;
    out.one_pass = true;
    out.boards = index_.boards();
    out.positions = index_.boards() * index_.layers();
    out.remoteness = has_plies_;
    out.expanded = expanded_;
    for (const std::uint8_t bits : reached_) out.reached += static_cast<std::uint64_t>((bits & 1) + (bits >> 1 & 1));
    out.wrong = wrong();
    for (const Finding& finding : first()) out.first.push_back(in_words(finding));
    out.reachable = reachable_.statistics();
    if (index_.folding().all) out.whole_board = whole_.statistics();
    return out;
  }

 private:
  // What the replies to a position come to, for its mover.
  struct Outlook {
    bool none = false;  // some reply has no value
    bool some = false;
    std::int64_t best = 0;
    int fewest = 0;  // plies of those worth that
    int most = 0;
    void take(ValueByte code, int plies) {
      const std::int64_t units = -units_of(code);
      none = none || code == kNoValue;
      if (!some || units > best) {
        best = units;
        fewest = most = plies;
      } else if (units == best) {
        fewest = std::min(fewest, plies);
        most = std::max(most, plies);
      }
      some = true;
    }
    std::uint8_t plies() const {
      return best == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + (best > 0 ? fewest : most));
    }
  };
  struct Expected {
    ValueByte code = kNoValue;
    std::uint8_t plies = 0;
    bool ended = false;
  };
  struct Worker {
    explicit Worker(const Variant& v) : judged(v.rules()) {}
    Judged judged;
    std::vector<BoardIndex> board;    // by position
    std::vector<const Block*> block;  // of that board
    std::vector<Expected> expected;
    VerifyTally reachable;
    VerifyTally whole;
  };
  using Body = std::function<absl::Status(Worker& worker, BoardIndex from, BoardIndex to)>;

  std::size_t at(std::uint32_t layer, BoardIndex board) const { return layer * index_.boards() + board; }
  bool kept(std::uint32_t layer) const { return shape_[0][layer] > 0; }
  static ValueByte end_code(MoverValue value) {
    const std::int64_t units = value.margin.units;
    return units > kMostUnits || units < -kMostUnits ? kNoValue : code_of_margin(units);
  }
  BoardIndex first_board(int stones) const {
    const BlockIndex block = index_.first_block(stones);
    return block < index_.blocks().size() ? index_.blocks()[block].base : index_.boards();
  }

  absl::Status read() {
    // Checks names and lengths.
    absl::Status whole = open_one_pass(variant_, {&table_, [](const TableReader*) {}}).status();
    if (!whole.ok()) return whole;
    reached_.assign(index_.boards() * index_.layers(), 0);
    codes_.assign(reached_.size(), 0);
    std::vector<std::uint32_t> layers;
    for (std::uint32_t layer = 0; layer < index_.layers(); ++layer) {
      if (kept(layer)) layers.push_back(layer);
    }
    const auto to = [&](std::vector<std::uint8_t>& bytes) {
      return [&](std::uint64_t place, std::uint8_t byte) {
        bytes[at(layers[place / index_.boards()], place % index_.boards())] = byte;
      };
    };
    absl::Status codes = read_layer(table_, *table_.find_layer("codes"), to(codes_));
    const auto plies = table_.find_layer("plies");
    has_plies_ = plies.has_value();
    if (!codes.ok() || !plies) return codes;
    plies_.assign(reached_.size(), 0);
    return read_layer(table_, *plies, to(plies_));
  }

  absl::Status for_boards(const char* what, std::uint32_t layer, BoardIndex begin, BoardIndex end, int stones,
                          const Body& body) {
    std::mutex lock;
    absl::Status first_error = absl::OkStatus();
    for (BoardIndex slice = begin; slice < end; slice += kOnePassSlice) {
      const int now = stones >= 0 ? stones : index_.block_at(slice).stones;
      const std::uint64_t done = stones >= 0 ? begin * index_.layers() + layer * (end - begin) + slice - begin
                                             : layer * index_.boards() + slice;
      if (options_.progress && !options_.progress({what, done, index_.boards() * index_.layers(), now}))
        return absl::CancelledError("interrupted");
      const BoardIndex until = std::min(end, slice + kOnePassSlice);
      for_each_index((until - slice + kOnePassPiece - 1) / kOnePassPiece, [&](std::size_t k) {
        const BoardIndex from = slice + k * kOnePassPiece;
        const auto worker = workers_.borrow();
        const absl::Status piece = body(*worker, from, std::min(until, from + kOnePassPiece));
        if (piece.ok()) return;
        const std::lock_guard<std::mutex> guard(lock);
        first_error = piece;
      });
      if (!first_error.ok()) return first_error;
    }
    return absl::OkStatus();
  }

  // What is reachable. A position is reached with all its images, as the start is the same under all symmetries that fold.
  absl::Status find_reached() {
    const Position start = variant_.rules().start();
    mark(*index_.find(start), exchanges_ && start.mover == Player::second ? 2 : 1);
    for (int stones = 0; stones <= index_.cells(); ++stones) {
      const BoardIndex begin = first_board(stones);
      const BoardIndex end = first_board(stones + 1);
      changed_ = true;
      while (changed_.exchange(false)) {
        for (std::uint32_t layer = 0; layer < index_.layers(); ++layer) {
          const absl::Status done =
              for_boards("reached", layer, begin, end, stones,
                         [&](Worker& w, BoardIndex from, BoardIndex to) { return send(layer, from, to, w); });
          if (!done.ok()) return done;
        }
      }
    }
    return absl::OkStatus();
  }

  void mark(DenseIndex::Place place, std::uint8_t bits) {
    const auto enter = [&](DenseIndex::Place to) {
      return (bits & ~fetch_or<true>(reached_[at(to.layer, to.board)], bits)) != 0;
    };
    if (!enter(place)) return;
    changed_.store(true, std::memory_order_relaxed);
    if (index_.block_at(place.board).stabilizer == 1) return;
    const Position p = index_.position(place);
    for (const GroupElement g : index_.folding().plain) {
      const auto image = index_.find(index_.symmetries().apply(g, p));
      if (image) enter(*image);
    }
  }

  absl::Status send(std::uint32_t layer, BoardIndex from, BoardIndex to, Worker& w) {
    std::vector<std::uint8_t> by;
    const auto flush = [&]() -> absl::Status {
      w.judged.look(Judged::Wanted::all_replies);
      for (std::size_t i = 0; i < w.judged.size(); ++i) {
        if (!w.judged.ended(i) && !w.judged.status(i).ok()) return w.judged.status(i);
      }
      const PositionBatch& replies = w.judged.replies();
      Position reply;
      for (std::size_t r = 0; r < replies.size; ++r) {
        replies.read(r, reply);
        const auto place = index_.find(reply);
        if (!place) return absl::UnimplementedError("a move leads to a set of cells that is not numbered");
        const unsigned bits = by[w.judged.parent(r)];
        mark(*place, static_cast<std::uint8_t>(exchanges_ ? (bits >> 1 | bits << 1) & kBits : bits));
      }
      expanded_ += w.judged.size();
      w.judged.clear();
      by.clear();
      return absl::OkStatus();
    };
    w.judged.clear();
    for (BoardIndex board = from; board < to; ++board) {
      std::uint8_t& byte = reached_[at(layer, board)];
      const unsigned now = std::atomic_ref<std::uint8_t>(byte).load(std::memory_order_relaxed);
      const unsigned fresh = now & kBits & ~(now >> kSent);
      if (fresh == 0) continue;
      fetch_or<true>(byte, static_cast<std::uint8_t>(fresh << kSent));
      w.judged.ask(index_.position({layer, board}));
      by.push_back(static_cast<std::uint8_t>(fresh));
      if (!w.judged.full()) continue;
      if (absl::Status done = flush(); !done.ok()) return done;
    }
    return w.judged.size() > 0 ? flush() : absl::OkStatus();
  }

  absl::Status compare_reached() {
    for (std::uint8_t& byte : reached_) byte &= kBits;
    const std::uint64_t each = shape_[static_cast<std::size_t>(DenseLayer::reached)][0];
    const unsigned bits = exchanges_ ? 2 : 1;
    const unsigned boards = 8 / bits;  // of a byte
    return read_layer(table_, *table_.find_layer("reached"), [&](std::uint64_t i, std::uint8_t byte) {
      const auto layer = static_cast<std::uint32_t>(i / each);
      for (unsigned k = 0; k < boards; ++k) {
        const BoardIndex board = i % each * boards + k;
        const auto found = static_cast<std::uint8_t>(byte >> (k * bits) & ((1U << bits) - 1));
        const std::uint8_t wanted = board < index_.boards() ? reached_[at(layer, board)] : 0;
        if (found != wanted) note({VerifyKind::reached, layer, std::min(board, index_.boards() - 1), found, wanted, 0});
      }
    });
  }

  // All positions of some boards: what they should be, from what the table says of their replies.
  absl::Status check(std::uint32_t layer, BoardIndex from, BoardIndex to, Worker& w) {
    for (BoardIndex begin = from; begin < to; begin += Judged::kMost) {
      const BoardIndex end = std::min<BoardIndex>(to, begin + Judged::kMost);
      w.judged.clear();
      w.board.clear();
      w.block.clear();
      Position p;
      index_.read_layer(layer, p);
      const Block* block = &index_.block_at(begin);
      for (BoardIndex board = begin; board < end; ++board) {
        if (board == block->base + index_.size(*block)) ++block;
        p.planes = {};
        index_.read_numeral(block->set, board - block->base, p.planes.data());
        w.judged.ask(p);
        w.board.push_back(board);
        w.block.push_back(block);
      }
      absl::Status done = expect(layer, w);
      if (!done.ok()) return done;
      expanded_ += w.judged.size();
      for (std::size_t i = 0; i < w.judged.size(); ++i) compare(layer, i, w);
    }
    const std::lock_guard<std::mutex> guard(lock_);
    reachable_.add(w.reachable);
    whole_.add(w.whole);
    w.reachable = w.whole = {};
    return absl::OkStatus();
  }

  // Where the rules make no sense there is no value, which may be where nothing is reachable.
  absl::Status expect(std::uint32_t layer, Worker& w) const {
    Judged& judged = w.judged;
    judged.look(Judged::Wanted::all_replies);
    const PositionBatch& replies = judged.replies();
    std::vector<Outlook> outlook(judged.size());
    Position reply;
    for (std::size_t r = 0; r < replies.size; ++r) {
      replies.read(r, reply);
      const auto place = index_.find(reply);
      if (!place) return absl::UnimplementedError("a move leads to a set of cells that is not numbered");
      if (!is_later(*place, layer, w.block[judged.parent(r)]->stones))
        return absl::UnimplementedError("a move leads to no later tier");
      ValueByte code = kNoValue;
      int plies = 0;
      if (judged.reply_ended(r)) {
        code = end_code(judged.reply_margin(r));
      } else {
        code = codes_[at(place->layer, place->board)];
        if (has_plies_) plies = plies_[at(place->layer, place->board)];
      }
      outlook[judged.parent(r)].take(code, plies);
    }
    w.expected.assign(judged.size(), {});
    for (std::size_t i = 0; i < judged.size(); ++i) {
      Expected& e = w.expected[i];
      e.ended = judged.ended(i);
      if (!judged.status(i).ok()) continue;
      if (e.ended) {
        e.code = end_code(judged.margin(i));
      } else if (!outlook[i].none) {
        e.code = end_code(MoverValue{Margin{outlook[i].best}});
        e.plies = outlook[i].plies();
      }
    }
    return absl::OkStatus();
  }

  // More stones, or as many and more passes in a row: so that no play comes back, and values follow from the last tier on.
  bool is_later(DenseIndex::Place reply, std::uint32_t layer, int stones) const {
    if (reply.board >= tier_end_[static_cast<std::size_t>(stones)]) return true;
    return index_.block_at(reply.board).stones == stones && passes_[reply.layer] > passes_[layer];
  }

  void compare(std::uint32_t layer, std::size_t i, Worker& w) {
    const Expected& expected = w.expected[i];
    const BoardIndex board = w.board[i];
    const Block& block = *w.block[i];
    const std::uint8_t reached = reached_[at(layer, board)];
    ValueByte code = expected.code;
    if (kept(layer)) {
      code = codes_[at(layer, board)];
      if (code != expected.code) note({VerifyKind::value, layer, board, code, expected.code, 0});
      if (has_plies_ && code == expected.code) {
        const std::uint8_t plies = plies_[at(layer, board)];
        if (plies != expected.plies) note({VerifyKind::remoteness, layer, board, plies, expected.plies, 0});
      }
    } else if (!expected.ended) {
      note({VerifyKind::value, layer, board, 0, expected.code, 0});
    }
    if (code == kNoValue) {
      if (reached != 0) note({VerifyKind::proven, layer, board, code, 0, 0});
      return;
    }
    const std::uint8_t mover = w.judged.asked().mover_is_first[i] != 0 ? 1 : 2;
    const bool alone = index_.folding().all && block.stabilizer == 1;
    const auto is_counted = [&](bool among_reached) {
      return alone || is_first(layer, board, w.judged.asked().at(i), among_reached);
    };
    if (reached != 0) {
      w.reachable.enter(code, expected.ended, exchanges_ ? reached : mover, block.sets, w.judged.moves(i), false);
      if (is_counted(true)) ++w.reachable.canonical;
    }
    if (!index_.folding().all) return;
    w.whole.enter(code, expected.ended, exchanges_ ? 3 : mover, block.sets, w.judged.moves(i), false);
    if (is_counted(false)) ++w.whole.canonical;
  }

  // Whether no image of it (that is reached) comes before it: then it is the one of its class that is counted.
  bool is_first(std::uint32_t layer, BoardIndex board, const Position& position, bool reached) const {
    for (std::size_t g = 0; g < index_.symmetries().size(); ++g) {
      const auto image = index_.find(index_.symmetries().apply(static_cast<GroupElement>(g), position));
      if (!image || std::pair(image->layer, image->board) >= std::pair(layer, board)) continue;
      if (!reached || reached_[at(image->layer, image->board)] != 0) return false;
    }
    return true;
  }

  Mismatch in_words(const Finding& f) const {
    Mismatch out;
    out.kind = f.kind;
    out.position = variant_.rules().write(index_.position({f.state, f.board}));
    const auto words = [&](std::uint8_t byte) {
      if (f.kind == VerifyKind::remoteness) return ply_words(byte);
      if (f.kind == VerifyKind::reached) return words_of_reached(byte, exchanges_);
      return byte == kNoValue ? std::string("no value") : code_words(variant_, byte);
    };
    out.found = words(f.found);
    out.expected = f.kind == VerifyKind::proven ? "a value, as it is reachable" : words(f.expected);
    return out;
  }

  const Variant& variant_;
  const DenseIndex& index_;
  const TableReader& table_;
  const VerifyOptions& options_;
  bool exchanges_;
  DenseShape shape_;
  std::vector<BoardIndex> tier_end_;  // by stones
  std::vector<int> passes_;           // by layer
  bool has_plies_ = false;
  std::vector<std::uint8_t> codes_;  // [layer][board], as the table has them
  std::vector<std::uint8_t> plies_;
  std::vector<std::uint8_t> reached_;  // as verify finds them
  ObjectPool<Worker> workers_;
  std::atomic<bool> changed_{false};
  std::atomic<std::uint64_t> expanded_{0};
  std::mutex lock_;  // for what follows
  VerifyTally reachable_;
  VerifyTally whole_;
};

}  // namespace

absl::StatusOr<Verification> verify_one_pass(const Variant& variant, const TableReader& table,
                                             const VerifyOptions& options) {
  const absl::StatusOr<std::shared_ptr<const DenseIndex>> index = one_pass_index(variant, table);
  if (!index.ok()) return index.status();
  constexpr std::uint64_t kWorkers = 32'000'000;
  const std::uint64_t needed =
      3 * (*index)->boards() * (*index)->layers() + (*index)->bytes() + kWorkers + base_memory();
  if (needed > options.memory_bytes)
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: verifying ", variant.description().name, " on ", variant.board().name(), " needs ",
        memory_text(needed), "; ", memory_text(options.memory_bytes), " may be used\n  give more with --memory"));
  return std::make_unique<OnePassCheck>(variant, **index, table, options)->run();
}

}  // namespace plenum
