// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify_graph.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "solver/support/stop.h"
#include "solver/verify/verify_tools.h"
#include "tables/for_each_index.h"
#include "variants/text/status_macros.h"

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
};

absl::StatusOr<Expanded> expanded(const Variant& variant, const Position& p) {
  ASSIGN_OR_RETURN(const EndState end, end_state(variant.rules(), p));
  Expanded out{end.ended, end.margin, {}};
  if (out.ended) return out;
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant.rules(), p));
  for (const Successor& s : moves) out.successors.push_back(variant.symmetries().canonical(s.position));
  out.ended = moves.empty();
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
    RETURN_IF_ERROR(find_positions(start));
    find_images(start);
    list_predecessors();
    prove_facts();
    for (std::size_t i = 0; i < n_; ++i) {
      if (found_[i] == 0) {
        wrong(VerifyKind::reached, i, "an entry", "none: no play leads there");
        continue;
      }
      check_value(i);
      check_facts(i);
      check_images(i);
      count(i);
    }
    std::stable_sort(out_.first.begin(), out_.first.end(),
                     [](const Mismatch& a, const Mismatch& b) { return a.kind < b.kind; });
    return std::move(out_);
  }

 private:
  void wrong(VerifyKind kind, std::size_t i, const std::string& found, const std::string& expected) {
    out_.note({kind, variant_.rules().write(table_.position(i)), found, expected});
  }

  bool ended(std::size_t i) const { return found_[i] == 2; }
  std::size_t moves(std::size_t i) const { return first_move_[order_of_[i] + 1] - first_move_[order_of_[i]]; }
  const GraphMove* begin(std::size_t i) const { return moves_.data() + first_move_[order_of_[i]]; }
  const GraphMove* end(std::size_t i) const { return moves_.data() + first_move_[order_of_[i] + 1]; }

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
      std::vector<absl::StatusOr<Expanded>> made(end - done);
      for_each_index(made.size(),
                     [&](std::size_t k) { made[k] = expanded(variant_, table_.position(order_[done + k])); });
      for (std::size_t k = 0; k < made.size(); ++k) {
        ASSIGN_OR_RETURN(const Expanded one, std::move(made[k]));
        enter(order_[done + k], one);
      }
      done = end;
      const std::uint64_t held = base_memory() + 48 * n_ + sizeof(GraphMove) * 2 * moves_.capacity();
      RETURN_IF_ERROR(allow_verifying(variant_, "needs more than", held, options_.memory_bytes));
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
    std::deque<std::uint32_t> queue;
    std::vector<bool> queued(n_, false);
    const auto add = [&](std::uint32_t i, GroupElement g) {
      if (images_[i * group_ + g]) return;
      for (const GroupElement x : stabilizer(i)) images_[i * group_ + group.multiply(g, x)] = true;
      if (!queued[i]) queue.push_back(i);
      queued[i] = true;
    };
    add(order_[0], group.inverse(variant_.symmetries().canonical(start).element));
    for (; !queue.empty(); queue.pop_front()) {
      const std::uint32_t i = queue.front();
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

  // What can be brought about, from the ends backwards. Where no value is proven nothing is taken for granted.
  void prove_facts() {
    proven_.assign(n_, 0);
    // Moves after which the opponent cannot yet force an end at no loss, and at any price.
    std::vector<std::array<std::uint32_t, 2>> open(n_);
    std::deque<std::pair<std::uint32_t, Facts>> gained;
    const auto gain = [&](std::uint32_t i, unsigned facts) {
      const auto fresh = static_cast<Facts>(facts & ~unsigned{proven_[i]});
      if (fresh == 0) return;
      proven_[i] |= fresh;
      gained.emplace_back(i, fresh);
    };
    for (const std::uint32_t i : order_) {
      open[i].fill(static_cast<std::uint32_t>(moves(i)));
      const std::int64_t margin = margin_[i].margin.units;
      if (ended(i)) gain(i, facts_of_end(margin > 0 ? 1 : margin < 0 ? -1 : 0));
    }
    for (; !gained.empty(); gained.pop_front()) {
      const auto [reply, facts] = gained.front();
      for (std::uint64_t e = first_before_[reply]; e < first_before_[reply + 1]; ++e) {
        const std::uint32_t i = before_[e];
        unsigned out = table_.margin(i).margin.units == 0 ? facts & unsigned{kEndReachable} : 0U;
        if ((facts & kOtherEnds) != 0) out |= kMoverEnds;
        if ((facts & kOtherForcesEnd) != 0) out |= kMoverForcesEnd;
        if ((facts & kMoverEnds) != 0 && --open[i][0] == 0) out |= kOtherEnds;
        if ((facts & kMoverForcesEnd) != 0 && --open[i][1] == 0) out |= kOtherForcesEnd;
        gain(i, out);
      }
    }
  }

  void check_value(std::size_t i) {
    MoverValue best = margin_[i];
    std::uint32_t plies = 0;
    if (!ended(i) && moves(i) == 0) return;  // what it leads to has no entries, which is a mismatch already
    if (!ended(i)) {
      BestReply reply;
      for (const GraphMove* m = begin(i); m != end(i); ++m)
        reply.take(-table_.margin(m->to).margin.units, table_.plies(m->to).count);
      best = MoverValue{{reply.value}};
      plies = reply.plies();
    }
    const auto words = [](MoverValue v, bool over) {
      return absl::StrCat(over ? "ended, " : "", v.margin.units, " for the player to move");
    };
    if (table_.ended(i) != ended(i) || table_.margin(i) != best)
      wrong(VerifyKind::value, i, words(table_.margin(i), table_.ended(i)), words(best, ended(i)));
    if (table_.plies(i).count != plies)
      wrong(VerifyKind::remoteness, i, absl::StrCat(table_.plies(i).count), absl::StrCat(plies));
  }

  void check_facts(std::size_t i) {
    out_.claims += table_.facts(i) != 0 ? 1 : 0;
    if (table_.facts(i) != proven_[i])
      wrong(VerifyKind::proven, i, absl::StrCat("facts ", int{table_.facts(i)}), absl::StrCat(int{proven_[i]}));
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
      s.add(value.outcome, value.margin, ended(i), n);
      out_.reached += n;
      if (ended(i)) continue;
      s.forced_cycle += value.forced_cycle ? n : 0;
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
  std::vector<Facts> proven_;
};

}  // namespace

absl::StatusOr<Verification> verify_graph(const Variant& variant, const Position& start, const GraphTable& table,
                                          const VerifyOptions& options) {
  return GraphVerifier(variant, table, options).run(start);
}

}  // namespace plenum
