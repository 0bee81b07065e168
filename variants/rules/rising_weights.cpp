// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/rising_weights.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace plenum {
namespace {

__extension__ using Wide128 = __int128;

constexpr std::size_t kMostEntries = 60'000'000;  // of the simplex method: entries of the table changed
constexpr std::int64_t kGreatestWeight = 1'000'000;

// A fraction in lowest terms; where one cannot be written with 63 bits, `overflow` is set and it means nothing.
struct Fraction {
  std::int64_t top = 0;
  std::int64_t bottom = 1;
  bool is_zero() const { return top == 0; }
};

Fraction lowest(Wide128 top, Wide128 bottom, bool& overflow) {
  Wide128 a = top < 0 ? -top : top;
  Wide128 b = bottom;
  while (b != 0) {
    const Wide128 rest = a % b;
    a = b;
    b = rest;
  }
  if (a > 1) {
    top /= a;
    bottom /= a;
  }
  constexpr Wide128 kMost = std::numeric_limits<std::int64_t>::max() / 4;
  if (top > kMost || top < -kMost || bottom > kMost) overflow = true;
  return {static_cast<std::int64_t>(top), static_cast<std::int64_t>(bottom)};
}

// a - b * c
Fraction less_product(const Fraction& a, const Fraction& b, const Fraction& c, bool& overflow) {
  if (a.bottom == 1 && b.bottom == 1 && c.bottom == 1) {
    const Wide128 out = Wide128{a.top} - Wide128{b.top} * c.top;
    return lowest(out, 1, overflow);
  }
  const Fraction by = lowest(Wide128{b.top} * c.top, Wide128{b.bottom} * c.bottom, overflow);
  if (overflow) return {};
  return lowest(Wide128{a.top} * by.bottom - Wide128{by.top} * a.bottom, Wide128{a.bottom} * by.bottom, overflow);
}

Fraction quotient(const Fraction& a, const Fraction& b, bool& overflow) {
  const bool down = b.top < 0;
  return lowest(Wide128{a.top} * b.bottom * (down ? -1 : 1), Wide128{a.bottom} * b.top * (down ? -1 : 1), overflow);
}

// The simplex method for: how often to take each change, at least 0 times, so that they come to nothing together. That has the
// solution 0, so every table is feasible and all that is asked is whether there is another one.
class Circles {
 public:
  Circles(const std::vector<CountChange>& changes, std::size_t quantities)
      : changes_(changes.size()), columns_(changes.size() + quantities) {
    rows_.assign(quantities, std::vector<Fraction>(columns_));
    for (std::size_t j = 0; j < changes.size(); ++j) {
      for (const auto& [quantity, by] : changes[j]) rows_[quantity][j].top = by;
    }
    // What a row has been made from, behind the changes.
    for (std::size_t q = 0; q < quantities; ++q) rows_[q][changes_ + q].top = 1;
    in_use_.assign(changes.size(), true);
  }

  // The weights, not yet whole; nullopt if no change can be raised, or if it cannot be said.
  std::optional<std::vector<Fraction>> prices() {
    choose_basis();
    for (;;) {
      if (std::none_of(in_use_.begin(), in_use_.end(), [](bool one) { return one; })) return std::nullopt;
      set_goal();
      const std::optional<std::size_t> ray = climb();
      if (overflow_ || steps_ > kMostEntries) return std::nullopt;
      if (!ray) break;
      in_use_[*ray] = false;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r][*ray].top < 0) in_use_[basis_[r]] = false;
      }
    }
    std::vector<Fraction> out(goal_.begin() + static_cast<std::ptrdiff_t>(changes_), goal_.end());
    for (Fraction& one : out) one.top = -one.top;
    return out;
  }

 private:
  void eliminate(std::vector<Fraction>& from, const std::vector<Fraction>& row, std::size_t column) {
    const Fraction factor = from[column];
    if (factor.is_zero()) return;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!row[j].is_zero()) from[j] = less_product(from[j], factor, row[j], overflow_);
    }
    steps_ += columns_;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Fraction by = rows_[row][column];
    for (Fraction& one : rows_[row]) {
      if (!one.is_zero()) one = quotient(one, by, overflow_);
    }
    for (std::size_t r = 0; r < rows_.size() && !overflow_; ++r) {
      if (r != row) eliminate(rows_[r], rows_[row], column);
    }
    basis_[row] = column;
  }

  // A change for each row, by which the others are expressed; rows that say nothing new go.
  void choose_basis() {
    basis_.assign(rows_.size(), changes_);
    for (std::size_t r = 0; r < rows_.size() && !overflow_;) {
      std::size_t j = 0;
      while (j < changes_ && rows_[r][j].is_zero()) ++j;
      if (j < changes_) {
        pivot(r++, j);
      } else {
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(r));
        basis_.erase(basis_.begin() + static_cast<std::ptrdiff_t>(r));
      }
    }
  }

  // What one more of each change is worth: 1 if it is still to be raised.
  void set_goal() {
    goal_.assign(columns_, {});
    for (std::size_t j = 0; j < changes_; ++j) goal_[j].top = in_use_[j] ? 1 : 0;
    for (std::size_t r = 0; r < rows_.size() && !overflow_; ++r) eliminate(goal_, rows_[r], basis_[r]);
  }

  // To a table in which nothing is worth more (nullopt), or to a change that can be taken any number of times. The first change and the
  // first row that will do are taken (Bland), so that no table comes again.
  std::optional<std::size_t> climb() {
    while (!overflow_ && steps_ <= kMostEntries) {
      std::size_t j = 0;
      while (j < changes_ && goal_[j].top <= 0) ++j;
      if (j == changes_) return std::nullopt;
      std::size_t leaves = rows_.size();
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r][j].top > 0 && (leaves == rows_.size() || basis_[r] < basis_[leaves])) leaves = r;
      }
      if (leaves == rows_.size()) return j;
      pivot(leaves, j);
      if (!overflow_) eliminate(goal_, rows_[leaves], j);
    }
    return std::nullopt;
  }

  std::size_t changes_;
  std::size_t columns_;
  std::vector<std::vector<Fraction>> rows_;
  std::vector<Fraction> goal_;
  std::vector<std::size_t> basis_;  // by row
  std::vector<bool> in_use_;        // by change
  std::size_t steps_ = 0;
  bool overflow_ = false;
};

// Quantities that changes force to weigh the same, since each of them can become the other: found before, because it is cheap and
// leaves little to do for most games that can go round. Quantity `nothing` weighs 0.
class Merged {
 public:
  Merged(std::size_t quantities) : nothing_(quantities), same_(quantities + 1) {
    std::iota(same_.begin(), same_.end(), std::size_t{0});
  }

  std::size_t of(std::size_t quantity) const { return same_[quantity]; }
  std::size_t nothing() const { return same_[nothing_]; }

  CountChange apply(const CountChange& change) const {
    CountChange out;
    for (const auto& [quantity, by] : change) {
      if (of(quantity) != nothing()) add_amount(out, of(quantity), by);
    }
    return out;
  }

  // Whether it has found more.
  bool merge(const std::set<CountChange>& changes) {
    std::vector<std::vector<std::size_t>> onwards(same_.size());
    std::vector<std::vector<std::size_t>> back(same_.size());
    for (const CountChange& change : changes) {
      const bool one = change.size() == 1;
      if (!one && (change.size() != 2 || change[0].second != -change[1].second)) continue;
      std::size_t less = one ? nothing() : change[1].first;
      std::size_t more = change[0].first;
      if (change[0].second < 0) std::swap(less, more);
      onwards[less].push_back(more);
      back[more].push_back(less);
    }
    // Those that lead to each other, by two searches.
    std::vector<std::size_t> order;
    std::vector<bool> seen(same_.size(), false);
    for (std::size_t v = 0; v < same_.size(); ++v) visit(v, onwards, seen, order);
    std::vector<bool> done(same_.size(), false);
    bool found = false;
    for (std::size_t i = order.size(); i-- > 0;) {
      std::vector<std::size_t> together;
      visit(order[i], back, done, together);
      for (const std::size_t v : together) {
        found |= v != order[i];
        for (std::size_t& one : same_) {
          if (one == v) one = order[i];
        }
      }
    }
    return found;
  }

 private:
  using Edges = std::vector<std::vector<std::size_t>>;
  // All that is reached from v and not yet seen, ends first.
  static void visit(std::size_t v, const Edges& edges, std::vector<bool>& seen, std::vector<std::size_t>& out) {
    if (seen[v]) return;
    std::vector<std::pair<std::size_t, std::size_t>> path = {{v, 0}};
    seen[v] = true;
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == edges[at].size()) {
        out.push_back(at);
        path.pop_back();
      } else if (const std::size_t to = edges[at][next++]; !seen[to]) {
        seen[to] = true;
        path.emplace_back(to, 0);
      }
    }
  }

  std::size_t nothing_;
  std::vector<std::size_t> same_;  // by quantity: the one that stands for it
};

// Whole numbers in the proportions of these; nullopt if they are too great.
std::optional<std::vector<std::int64_t>> whole(const std::vector<Fraction>& fractions) {
  std::int64_t common = 1;
  std::int64_t divisor = 0;
  for (const Fraction& f : fractions) {
    if (f.is_zero()) continue;
    common = std::lcm(common, f.bottom);
    if (common > kGreatestWeight) return std::nullopt;
  }
  std::vector<std::int64_t> out;
  for (const Fraction& f : fractions) {
    if (std::abs(f.top) > kGreatestWeight) return std::nullopt;
    out.push_back(f.top * (common / f.bottom));
    divisor = std::gcd(divisor, out.back());
  }
  for (std::int64_t& one : out) {
    one /= std::max<std::int64_t>(divisor, 1);
    if (std::abs(one) > kGreatestWeight) return std::nullopt;
  }
  return out;
}

}  // namespace

std::int64_t weighed(const CountChange& change, const std::vector<std::int64_t>& weights) {
  std::int64_t out = 0;
  for (const auto& [quantity, by] : change) out += by * weights[quantity];
  return out;
}

std::optional<std::vector<std::int64_t>> rising_weights(const std::vector<CountChange>& changes,
                                                        std::size_t quantities) {
  Merged merged(quantities);
  std::set<CountChange> rest(changes.begin(), changes.end());
  for (bool more = true; more;) {
    more = merged.merge(rest);
    std::set<CountChange> left;
    for (const CountChange& change : rest) {
      CountChange now = merged.apply(change);
      if (!now.empty()) left.insert(std::move(now));
    }
    rest = std::move(left);
  }
  if (rest.empty()) return std::nullopt;
  // The quantities that are left, numbered anew.
  std::vector<std::size_t> number(quantities + 1, quantities);
  std::size_t count = 0;
  std::vector<CountChange> program;
  for (const CountChange& change : rest) {
    program.emplace_back();
    for (const auto& [quantity, by] : change) {
      if (number[quantity] == quantities) number[quantity] = count++;
      add_amount(program.back(), number[quantity], by);
    }
  }
  const auto prices = Circles(program, count).prices();
  const auto weights = prices ? whole(*prices) : std::nullopt;
  if (!weights) return std::nullopt;
  std::vector<std::int64_t> out(quantities, 0);
  for (std::size_t q = 0; q < quantities; ++q) {
    const std::size_t n = number[merged.of(q)];
    if (merged.of(q) != merged.nothing() && n < quantities) out[q] = (*weights)[n];
  }
  return out;
}

}  // namespace plenum
