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
#include "solver/verify/verify_tools.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Of a position's being reached: as it stands, with the players exchanged; and that it has been sent on so.
constexpr unsigned kBits = 3;
constexpr unsigned kSent = 2;  // places to the left

std::string words_of_reached(std::uint8_t bits, bool exchanges) {
  if (bits == 0) return "not reached";
  if (!exchanges) return "reached";
  return absl::StrCat("reached with ", bits == 3 ? "either player" : bits == 1 ? "first" : "second", " to move");
}

class OnePassCheck : public DenseVerifier {
 public:
  OnePassCheck(const Variant& variant, const DenseIndex& index, const TableReader& table, const VerifyOptions& options)
      : DenseVerifier(variant, index, index.layers(), options),
        table_(table),
        exchanges_(index.folding().exchange != kIdentity),
        shape_(one_pass_shape(index, variant.rule_set())),
        workers_([this] { return std::make_unique<Worker>(variant_); }) {
    for (std::uint32_t layer = 0; layer < layers_; ++layer) {
      Position p;
      index.read_layer(layer, p);
      passes_.push_back(p.passes);
    }
  }

  absl::StatusOr<Verification> run() {
    RETURN_IF_ERROR(read());
    RETURN_IF_ERROR(find_reached());
    RETURN_IF_ERROR(compare_reached());
    for (std::uint32_t layer = 0; layer < layers_; ++layer) {
      const std::uint64_t done = layer * index_.boards();
      RETURN_IF_ERROR(for_boards("values", 0, index_.boards(), done,
                                 [&](Worker& w, BoardIndex from, BoardIndex to) { return check(layer, from, to, w); }));
    }
    Verification out = verification([&](const Finding& f, std::uint8_t byte) {
      if (f.kind == VerifyKind::remoteness) return ply_words(byte);
      if (f.kind == VerifyKind::reached) return words_of_reached(byte, exchanges_);
      if (byte == kNoValue) return std::string("no value");
      return f.kind == VerifyKind::proven ? "a value, as it is reachable" : code_words(variant_, byte);
    });
    out.one_pass = true;
    out.remoteness = !plies_.empty();
    for (const std::uint8_t bits : reached_) out.reached += static_cast<std::uint64_t>((bits & 1) + (bits >> 1 & 1));
    out.reachable = reachable_.statistics();
    if (index_.folding().all) out.whole_board = whole_.statistics();
    return out;
  }

 private:
  struct Expected {
    ValueByte code = kNoValue;
    std::uint8_t plies = 0;
    bool ended = false;
    bool some_without = false;  // some reply has no value
  };
  struct Worker {
    explicit Worker(const Variant& v) : judged(v.rules()) {}
    Judged judged;
    std::vector<BoardIndex> board;    // by position
    std::vector<const Block*> block;  // of that board
    std::vector<Expected> expected;
    CodeTally reachable;
    CodeTally whole;
  };
  using Body = std::function<absl::Status(Worker& worker, BoardIndex from, BoardIndex to)>;

  std::size_t at(std::uint32_t layer, BoardIndex board) const { return layer * index_.boards() + board; }
  bool kept(std::uint32_t layer) const { return shape_[0][layer] > 0; }
  static ValueByte end_code(MoverValue value) {
    const std::int64_t units = value.margin.units;
    return units > kMostUnits || units < -kMostUnits ? kNoValue : code_of_margin(units);
  }

  absl::Status read() {
    RETURN_IF_ERROR(open_one_pass(variant_, variant_.rules().start(), {&table_, [](const TableReader*) {}})
                        .status());  // names and lengths
    reached_.assign(index_.boards() * layers_, 0);
    codes_.assign(reached_.size(), 0);
    std::vector<std::uint32_t> layers;
    for (std::uint32_t layer = 0; layer < layers_; ++layer) {
      if (kept(layer)) layers.push_back(layer);
    }
    const auto to = [&](std::vector<std::uint8_t>& bytes) {
      return [&](std::uint64_t place, std::uint8_t byte) {
        bytes[at(layers[place / index_.boards()], place % index_.boards())] = byte;
      };
    };
    RETURN_IF_ERROR(read_layer(table_, *find_layer(table_, DenseLayer::codes), to(codes_)));
    const auto plies = find_layer(table_, DenseLayer::plies);
    if (!plies) return absl::OkStatus();
    plies_.assign(reached_.size(), 0);
    return read_layer(table_, *plies, to(plies_));
  }

  absl::Status for_boards(const char* what, BoardIndex begin, BoardIndex end, std::uint64_t done, const Body& body) {
    return DenseVerifier::for_boards(what, begin, end, done, index_.boards() * layers_,
                                     [&](BoardIndex from, BoardIndex to) {
                                       const auto worker = workers_.borrow();
                                       return body(*worker, from, to);
                                     });
  }

  // What is reachable. A position is reached with all its images, as the start is the same under all symmetries that fold.
  absl::Status find_reached() {
    const Position start = variant_.rules().start();
    mark(*index_.find(start), exchanges_ && start.mover == Player::second ? 2 : 1);
    for (int stones = 0; stones <= index_.cells(); ++stones) {
      const BoardIndex begin = index_.begin(stones);
      const BoardIndex end = index_.begin(stones + 1);
      changed_ = true;
      while (changed_.exchange(false)) {
        for (std::uint32_t layer = 0; layer < layers_; ++layer) {
          const std::uint64_t done = begin * layers_ + layer * (end - begin);
          RETURN_IF_ERROR(for_boards("reached", begin, end, done, [&](Worker& w, BoardIndex from, BoardIndex to) {
            return send(layer, from, to, w);
          }));
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
        mark(*place, static_cast<std::uint8_t>(exchanges_ ? exchanged_movers(bits) : bits));
      }
      count_expanded(w.judged.size());
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
      RETURN_IF_ERROR(flush());
    }
    return w.judged.size() > 0 ? flush() : absl::OkStatus();
  }

  absl::Status compare_reached() {
    for (std::uint8_t& byte : reached_) byte &= kBits;
    const std::uint64_t each = shape_[static_cast<std::size_t>(DenseLayer::reached)][0];
    const unsigned bits = exchanges_ ? 2 : 1;
    const unsigned boards = 8 / bits;  // of a byte
    return read_layer(table_, *find_layer(table_, DenseLayer::reached), [&](std::uint64_t i, std::uint8_t byte) {
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
      RETURN_IF_ERROR(expect(layer, w));
      count_expanded(w.judged.size());
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
    std::vector<BestReply> best(judged.size());
    w.expected.assign(judged.size(), {});
    Position reply;
    for (std::size_t r = 0; r < replies.size; ++r) {
      replies.read(r, reply);
      const std::size_t parent = judged.parent(r);
      const auto place = index_.find(reply);
      if (!place) return absl::UnimplementedError("a move leads to a set of cells that is not numbered");
      if (!is_later(*place, layer, w.block[parent]->stones))
        return absl::UnimplementedError("a move leads to no later tier");
      const bool over = judged.reply_ended(r);
      const ValueByte code = over ? end_code(judged.reply_margin(r)) : codes_[at(place->layer, place->board)];
      if (code == kNoValue) w.expected[parent].some_without = true;
      best[parent].take(-units_of(code), over || plies_.empty() ? 0 : plies_[at(place->layer, place->board)]);
    }
    for (std::size_t i = 0; i < judged.size(); ++i) {
      Expected& e = w.expected[i];
      e.ended = judged.ended(i);
      if (!judged.status(i).ok()) continue;
      if (e.ended) {
        e.code = end_code(judged.margin(i));
      } else if (!e.some_without) {
        e.code = end_code(MoverValue{Margin{best[i].value}});
        e.plies = static_cast<std::uint8_t>(best[i].plies());
      }
    }
    return absl::OkStatus();
  }

  // More stones, or as many and more passes in a row: so that no play comes back, and values follow from the last tier on.
  bool is_later(DenseIndex::Place reply, std::uint32_t layer, int stones) const {
    if (reply.board >= index_.begin(stones + 1)) return true;
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
      if (!plies_.empty() && code == expected.code) {
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
    const unsigned mover = w.judged.asked().mover_is_first[i] != 0 ? 1 : 2;
    const bool alone = index_.folding().all && block.stabilizer == 1;
    const auto enter = [&](CodeTally& to, unsigned movers, bool among_reached) {
      const bool counted = alone || is_first(layer, board, w.judged.asked().at(i), among_reached);
      to.add(exchanges_ ? movers : mover, block.sets, code, expected.ended, w.judged.moves(i), counted);
    };
    if (reached != 0) enter(w.reachable, reached, true);
    if (index_.folding().all) enter(w.whole, 3, false);
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

  const TableReader& table_;
  bool exchanges_;
  DenseShape shape_;
  std::vector<int> passes_;          // by layer
  std::vector<std::uint8_t> codes_;  // [layer][board], as the table has them
  std::vector<std::uint8_t> plies_;
  std::vector<std::uint8_t> reached_;  // as verify finds them
  ObjectPool<Worker> workers_;
  std::atomic<bool> changed_{false};
  std::mutex lock_;  // for what follows
  CodeTally reachable_;
  CodeTally whole_;
};

}  // namespace

absl::StatusOr<Verification> verify_one_pass(const Variant& variant, const TableReader& table,
                                             const VerifyOptions& options) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const DenseIndex> index,
                   one_pass_index(variant, variant.rules().start(), table));
  constexpr std::uint64_t kWorkers = 32'000'000;
  const std::uint64_t needed = 3 * index->boards() * index->layers() + index->bytes() + kWorkers + base_memory();
  RETURN_IF_ERROR(allow_verifying(variant, "needs", needed, options.memory_bytes));
  return std::make_unique<OnePassCheck>(variant, *index, table, options)->run();
}

}  // namespace plenum
