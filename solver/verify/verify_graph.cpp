// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify_graph.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "solver/support/stop.h"
#include "tables/for_each_index.h"

namespace plenum {
namespace {

constexpr std::size_t kAtATime = std::size_t{1} << 14;  // positions expanded between two merges

// A move, to the entry of its canonical position q: the successor as it is is symmetry^-1 q.
struct GraphMove {
  std::uint32_t to = 0;
  GroupElement symmetry = kIdentity;
};

// A position made by the rules alone.
struct Expanded {
  bool ended = false;
  MoverValue margin;  // where ended
  std::vector<SymmetryGroup::Canonical> successors;
  absl::Status status;
};

Expanded expanded(const Variant& variant, const Position& p) {
  Expanded out;
  const absl::StatusOr<EndState> end = end_state(variant.rules(), p);
  if (!end.ok()) {
    out.status = end.status();
    return out;
  }
  out.ended = end->ended;
  if (!out.ended) {
    const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), p);
    if (!moves.ok()) {
      out.status = moves.status();
      return out;
    }
    for (const Successor& s : *moves) out.successors.push_back(variant.symmetries().canonical(s.position));
    out.ended = moves->empty();
  }
  if (out.ended) out.margin = end->margin;
  return out;
}

class GraphVerifier {
 public:
  GraphVerifier(const Variant& variant, const GraphTable& table, const VerifyOptions& options)
      : variant_(variant), table_(table), options_(options), n_(table.size()), group_(variant.symmetries().size()) {}

  absl::StatusOr<Verification> run(const Position& start) {
    out_.boards = n_;
    out_.positions = n_;
    out_.remoteness = out_.facts = true;
    absl::Status done = find_positions(start);
    if (!done.ok()) return done;
    find_images(start);
    list_predecessors();
    const std::vector<std::uint8_t> any = attractor([](MoverValue) { return true; }, [](MoverValue) { return true; });
    const std::vector<std::uint8_t> level =
        attractor([](MoverValue m) { return m.margin.units >= 0; }, [](MoverValue m) { return m.margin.units <= 0; });
    const std::vector<bool> reachable_end = level_ends();
    for (std::size_t i = 0; i < n_; ++i) {
      if (found_[i] == 0) {
        wrong(VerifyKind::reached, i, "an entry", "none: no play leads there");
        continue;
      }
      check_value(i);
      check_facts(i, any[i], level[i], reachable_end[i]);
      check_images(i);
      count(i);
    }
    std::stable_sort(out_.first.begin(), out_.first.end(),
                     [](const Mismatch& a, const Mismatch& b) { return a.kind < b.kind; });
    return std::move(out_);
  }

 private:
  static constexpr std::uint8_t kMover = 1;
  static constexpr std::uint8_t kOther = 2;

  void wrong(VerifyKind kind, std::size_t i, const std::string& found, const std::string& expected) {
    out_.note({kind, variant_.rules().write(table_.position(i)), found, expected});
  }

  bool ended(std::size_t i) const { return found_[i] == 2; }
  std::size_t moves(std::size_t i) const { return first_move_[order_of_[i] + 1] - first_move_[order_of_[i]]; }
  const GraphMove* begin(std::size_t i) const { return moves_.data() + first_move_[order_of_[i]]; }
  const GraphMove* end(std::size_t i) const { return moves_.data() + first_move_[order_of_[i] + 1]; }
  MoverValue value_after(const GraphMove& m) const { return -table_.margin(m.to); }

  // Breadth first over canonical positions, each expanded once.
  absl::Status find_positions(const Position& start) {
    found_.assign(n_, 0);
    margin_.resize(n_);
    order_of_.assign(n_, 0);
    first_move_ = {0};
    const std::optional<std::size_t> begin = table_.find(variant_.symmetries().canonical(start).position);
    if (!begin) {
      out_.note({VerifyKind::reached, variant_.rules().write(start), "no entry", "one"});
      return absl::OkStatus();
    }
    found_[*begin] = 1;
    order_ = {static_cast<std::uint32_t>(*begin)};
    Stop stop([&] { return !options_.progress || options_.progress({"positions", order_.size(), n_, 0}); });
    for (std::size_t done = 0; done < order_.size();) {
      if (stop.ask()) return absl::CancelledError("interrupted");
      const std::size_t end = std::min(order_.size(), done + kAtATime);
      std::vector<Expanded> made(end - done);
      for_each_index(made.size(),
                     [&](std::size_t k) { made[k] = expanded(variant_, table_.position(order_[done + k])); });
      for (std::size_t k = 0; k < made.size(); ++k) {
        if (!made[k].status.ok()) return made[k].status;
        enter(order_[done + k], made[k]);
      }
      done = end;
      const std::uint64_t held = base_memory() + 48 * n_ + sizeof(GraphMove) * 2 * moves_.capacity();
      if (held > options_.memory_bytes)
        return absl::ResourceExhaustedError(absl::StrCat(
            "memory: verifying ", variant_.description().name, " on ", variant_.board().name(), " needs more than ",
            memory_text(held), "; ", memory_text(options_.memory_bytes), " may be used\n  give more with --memory"));
    }
    out_.expanded = order_.size();
    return absl::OkStatus();
  }

  void enter(std::uint32_t i, const Expanded& made) {
    order_of_[i] = static_cast<std::uint32_t>(first_move_.size() - 1);
    if (made.ended) {
      found_[i] = 2;
      margin_[i] = made.margin;
    }
    for (const SymmetryGroup::Canonical& next : made.successors) {
      if (made.ended) break;
      const std::optional<std::size_t> to = table_.find(next.position);
      if (!to) {
        out_.note({VerifyKind::reached, variant_.rules().write(next.position), "no entry", "one"});
        continue;
      }
      moves_.push_back({static_cast<std::uint32_t>(*to), next.element});
      if (found_[*to] != 0) continue;
      found_[*to] = 1;
      order_.push_back(static_cast<std::uint32_t>(*to));
    }
    first_move_.push_back(moves_.size());
  }

  // Which images g p are reachable: a bit for each g.
  void find_images(const Position& start) {
    images_.assign(n_ * group_, false);
    if (order_.empty()) return;
    const Group& group = variant_.symmetries().group();
    std::vector<std::uint32_t> queue;
    std::vector<bool> queued(n_, false);
    const auto add = [&](std::uint32_t i, GroupElement g) {
      if (images_[i * group_ + g]) return;
      for (const GroupElement x : stabilizer(i)) images_[i * group_ + group.multiply(g, x)] = true;
      if (queued[i]) return;
      queued[i] = true;
      queue.push_back(i);
    };
    add(order_[0], group.inverse(variant_.symmetries().canonical(start).element));
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const std::uint32_t i = queue[k];
      queued[i] = false;
      if (ended(i)) continue;
      for (std::size_t g = 0; g < group_; ++g) {
        if (!images_[i * group_ + g]) continue;
        for (const GraphMove* m = begin(i); m != end(i); ++m)
          add(m->to, group.multiply(static_cast<GroupElement>(g), group.inverse(m->symmetry)));
      }
    }
  }
  std::vector<GroupElement> stabilizer(std::size_t i) const {
    std::vector<GroupElement> out = variant_.symmetries().stabilizer(table_.position(i));
    if (std::find(out.begin(), out.end(), kIdentity) == out.end()) out.push_back(kIdentity);
    return out;
  }

  void list_predecessors() {
    first_before_.assign(n_ + 1, 0);
    for (const GraphMove& m : moves_) ++first_before_[m.to + 1];
    for (std::size_t i = 0; i < n_; ++i) first_before_[i + 1] += first_before_[i];
    before_.resize(moves_.size());
    std::vector<std::uint64_t> at(first_before_.begin(), first_before_.end() - 1);
    for (const std::uint32_t i : order_) {
      for (const GraphMove* m = begin(i); m != end(i); ++m) before_[at[m->to]++] = i;
    }
  }

  // Who can force an end of their kind: bits kMover, kOther. A turn is the mover's; after it the roles change.
  template <typename ForMover, typename ForOther>
  std::vector<std::uint8_t> attractor(const ForMover& for_mover, const ForOther& for_other) const {
    std::vector<std::uint8_t> out(n_, 0);
    std::vector<std::uint32_t> open(n_, 0);  // moves after which the opponent of the one who forces is not yet forced
    std::vector<std::pair<std::uint32_t, std::uint8_t>> queue;
    const auto add = [&](std::uint32_t i, std::uint8_t who) {
      if ((out[i] & who) != 0) return;
      out[i] |= who;
      queue.emplace_back(i, who);
    };
    for (const std::uint32_t i : order_) {
      open[i] = static_cast<std::uint32_t>(moves(i));
      if (!ended(i)) continue;
      if (for_mover(margin_[i])) add(i, kMover);
      if (for_other(margin_[i])) add(i, kOther);
    }
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const auto [j, who] = queue[k];
      for (std::uint64_t e = first_before_[j]; e < first_before_[j + 1]; ++e) {
        const std::uint32_t i = before_[e];
        if (who == kOther) add(i, kMover);  // by this move
        if (who == kMover && --open[i] == 0) add(i, kOther);
      }
    }
    return out;
  }

  // Positions worth 0 from which an end at 0 can be reached while every turn keeps that.
  std::vector<bool> level_ends() const {
    std::vector<bool> out(n_, false);
    std::vector<std::uint32_t> queue;
    for (const std::uint32_t i : order_) {
      if (!ended(i) || margin_[i].margin.units != 0) continue;
      out[i] = true;
      queue.push_back(i);
    }
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (std::uint64_t e = first_before_[queue[k]]; e < first_before_[queue[k] + 1]; ++e) {
        const std::uint32_t i = before_[e];
        if (out[i] || table_.margin(i).margin.units != 0) continue;
        out[i] = true;
        queue.push_back(i);
      }
    }
    return out;
  }

  void check_value(std::size_t i) {
    MoverValue best = margin_[i];
    std::uint32_t plies = 0;
    if (!ended(i) && moves(i) == 0) return;  // what it leads to has no entries, which is a mismatch already
    if (!ended(i)) {
      best = value_after(*begin(i));
      for (const GraphMove* m = begin(i); m != end(i); ++m) best = std::max(best, value_after(*m));
      bool first = true;
      for (const GraphMove* m = begin(i); m != end(i); ++m) {
        if (value_after(*m) != best || best.margin.units == 0) continue;
        const std::uint32_t by_this = table_.plies(m->to).count + 1;
        plies = first ? by_this : best.margin.units > 0 ? std::min(plies, by_this) : std::max(plies, by_this);
        first = false;
      }
    }
    const auto words = [](MoverValue v, bool over) {
      return absl::StrCat(over ? "ended, " : "", v.margin.units, " for the player to move");
    };
    if (table_.ended(i) != ended(i) || table_.margin(i) != best)
      wrong(VerifyKind::value, i, words(table_.margin(i), table_.ended(i)), words(best, ended(i)));
    if (table_.plies(i).count != plies)
      wrong(VerifyKind::remoteness, i, absl::StrCat(table_.plies(i).count), absl::StrCat(plies));
  }

  void check_facts(std::size_t i, std::uint8_t any, std::uint8_t level, bool end_reachable) {
    Facts facts = 0;
    if ((level & kMover) != 0) facts |= kMoverEnds;
    if ((level & kOther) != 0) facts |= kOtherEnds;
    if (end_reachable) facts |= kEndReachable;
    if ((any & kMover) != 0) facts |= kMoverForcesEnd;
    if ((any & kOther) != 0) facts |= kOtherForcesEnd;
    out_.claims += table_.facts(i) != 0 ? 1 : 0;
    if (table_.facts(i) != facts)
      wrong(VerifyKind::proven, i, absl::StrCat("facts ", int{table_.facts(i)}), absl::StrCat(int{facts}));
  }

  void check_images(std::size_t i) {
    for (std::size_t g = 0; g < group_; ++g) {
      const bool found = images_[i * group_ + g];
      if (table_.reached(i, static_cast<GroupElement>(g)) == found) continue;
      wrong(VerifyKind::reached, i, absl::StrCat("image ", g, found ? " is not" : " is"),
            found ? "reached" : "not reached");
    }
  }

  void count(std::size_t i) {
    const std::vector<Symmetry>& elements = variant_.symmetries().elements();
    std::array<std::uint64_t, 2> images = {0, 0};  // as it stands; with the players exchanged
    for (std::size_t g = 0; g < group_; ++g) {
      if (images_[i * group_ + g]) ++images[elements[g].exchange ? 1 : 0];
    }
    const std::uint64_t alike = stabilizer(i).size();
    Statistics& s = out_.reachable;
    ++s.canonical;
    for (const bool exchanged : {false, true}) {
      const std::uint64_t n = images[exchanged ? 1 : 0] / alike;
      if (n == 0) continue;
      const Player stored = table_.position(i).mover;
      const Player mover = exchanged ? other(stored) : stored;
      const PositionValue value = table_.value(i, mover);
      s.reachable += n;
      out_.reached += n;
      if (ended(i)) {
        s.ended += n;
        (value.outcome == Outcome::first    ? s.ended_first
         : value.outcome == Outcome::second ? s.ended_second
                                            : s.ended_tie) += n;
        continue;
      }
      (value.outcome == Outcome::first    ? s.first
       : value.outcome == Outcome::second ? s.second
       : value.outcome == Outcome::tie    ? s.tie
                                          : s.cycle) += n;
      s.forced_cycle += value.forced_cycle ? n : 0;
      s.margins[value.margin] += n;
      s.moves += n * moves(i);
      s.most_moves = std::max<std::uint64_t>(s.most_moves, moves(i));
    }
  }

  const Variant& variant_;
  const GraphTable& table_;
  const VerifyOptions& options_;
  std::size_t n_;
  std::size_t group_;
  Verification out_;
  std::vector<std::uint8_t> found_;      // 0: not; 1: it goes on; 2: it has ended
  std::vector<MoverValue> margin_;       // of what has ended
  std::vector<std::uint32_t> order_;     // entries, as they were found
  std::vector<std::uint32_t> order_of_;  // the place of an entry in it
  std::vector<std::uint64_t> first_move_;
  std::vector<GraphMove> moves_;
  std::vector<bool> images_;
  std::vector<std::uint64_t> first_before_;
  std::vector<std::uint32_t> before_;
};

}  // namespace

absl::StatusOr<Verification> verify_graph(const Variant& variant, const Position& start, const GraphTable& table,
                                          const VerifyOptions& options) {
  return GraphVerifier(variant, table, options).run(start);
}

}  // namespace plenum
