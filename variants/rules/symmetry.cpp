// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/symmetry.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include <absl/container/flat_hash_map.h>
#include <nauty/nauty.h>

#include "variants/rules/rules.h"

namespace plenum {
namespace {

using Permutation = std::vector<Cell>;

// nauty hands generators to a plain function, so they pass through here, one search at a time.
std::mutex nauty_mutex;
std::vector<Permutation>* nauty_generators = nullptr;

void keep_generator(int /*count*/, int* perm, int* /*orbits*/, int /*numorbits*/, int /*stabvertex*/, int n) {
  Permutation out(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = static_cast<Cell>(perm[i]);
  nauty_generators->push_back(std::move(out));
}

// Generators of the automorphisms that fix the first `fixed` cells.
std::vector<Permutation> generators(const Board& board, int fixed) {
  const std::lock_guard<std::mutex> lock(nauty_mutex);
  std::vector<Permutation> out;
  nauty_generators = &out;
  const int n = board.size();
  const int m = SETWORDSNEEDED(n);
  std::vector<graph> g(static_cast<std::size_t>(m) * static_cast<std::size_t>(n), 0);
  for (int c = 0; c < n; ++c) {
    for (CellSet rest = board.adjacent()[static_cast<std::size_t>(c)]; rest != 0; rest &= rest - 1) {
      ADDONEARC(g.data(), c, std::countr_zero(rest), m);
    }
  }
  std::vector<int> lab(static_cast<std::size_t>(n));
  std::vector<int> ptn(static_cast<std::size_t>(n), 1);
  std::vector<int> orbits(static_cast<std::size_t>(n));
  std::iota(lab.begin(), lab.end(), 0);
  for (int c = 0; c < fixed; ++c) ptn[static_cast<std::size_t>(c)] = 0;
  ptn[static_cast<std::size_t>(n - 1)] = 0;
  DEFAULTOPTIONS_GRAPH(options);
  options.defaultptn = FALSE;
  options.userautomproc = keep_generator;
  statsblk stats;
  densenauty(g.data(), lab.data(), ptn.data(), orbits.data(), &options, &stats, m, n, nullptr);
  nauty_generators = nullptr;
  // nauty keeps its work space for the next search of this thread; a thread that ends would leave it behind.
  naugraph_freedyn();
  nautil_freedyn();
  nauty_freedyn();
  return out;
}

Permutation identity(int n) {
  Permutation out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), Cell{0});
  return out;
}

Permutation compose(const Permutation& a, const Permutation& b) {  // a after b
  Permutation out(a.size());
  for (std::size_t c = 0; c < a.size(); ++c) out[c] = a[b[c]];
  return out;
}

// All products, or nothing if there are more than `limit`.
std::vector<Permutation> closure(const std::vector<Permutation>& gens, int n, std::size_t limit) {
  std::vector<Permutation> out = {identity(n)};
  std::set<Permutation> seen = {out[0]};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const Permutation& g : gens) {
      Permutation next = compose(g, out[i]);
      if (!seen.insert(next).second) continue;
      if (out.size() == limit) return {};
      out.push_back(std::move(next));
    }
  }
  std::sort(out.begin() + 1, out.end());
  return out;
}

// All moves, then all further parts.
const MoveRule& rule_at(const RuleSet& rules, std::size_t i) {
  return i < rules.moves.size() ? rules.moves[i] : rules.parts[i - rules.moves.size()];
}

// What must be the same for the rules to be the same: the roots of every move, moves as a set; of every further part;
// the ends and the goal.
std::vector<std::vector<NodeId>> signatures(const RuleSet& rules) {
  std::vector<std::vector<NodeId>> out;
  for (std::size_t i = 0; i < rules.moves.size() + rules.parts.size(); ++i) {
    const MoveRule& move = rule_at(rules, i);
    std::vector<NodeId> roots;
    for (const NodeId id : {move.when, move.from, move.to, move.lift}) {
      if (id >= 0) roots.push_back(id);
    }
    roots.insert(roots.end(), move.reach.begin(), move.reach.end());
    if (move.has_effect) {
      roots.push_back(move.invalid);
      roots.push_back(move.legal);
      roots.insert(roots.end(), move.planes_after.begin(), move.planes_after.end());
      for (std::size_t s = 0; s < rules.slots.size(); ++s) {
        if (rules.slots[s].live) roots.push_back(move.state_after[s]);
      }
    }
    out.push_back(std::move(roots));
  }
  out.push_back({rules.ended, rules.margin});
  if (rules.tiebreak >= 0) out.back().push_back(rules.tiebreak);
  if (rules.goal >= 0) out.back().push_back(rules.goal);
  return out;
}

// The parts of a move that are not nodes, rewritten like them.
using Extra = std::vector<std::int64_t>;
Extra extra(RuleGraph& graph, const MoveRule& move, const Permutation& permutation, bool exchange) {
  std::vector<PlaneChoice> put = move.put;
  if (exchange) {
    for (PlaneChoice& p : put) std::swap(p.if_first, p.if_second);
  }
  std::sort(put.begin(), put.end());
  Extra out = {static_cast<std::int64_t>(move.kind),
               move.limited ? 1 : 0,
               static_cast<std::int64_t>(move.reach.size()),
               move.has_effect ? 1 : 0,
               move.from >= 0 ? 1 : 0,
               move.lift >= 0 ? 1 : 0,
               move.optional ? 1 : 0,
               move.required ? 1 : 0,
               move.any_order ? 1 : 0};
  out.insert(out.end(), move.next.begin(), move.next.end());
  out.push_back(-1);
  out.insert(out.end(), move.chosen.begin(), move.chosen.end());
  for (const PlaneChoice& p : put) out.push_back(p.if_first * 64 + p.if_second);
  const auto mapped = [&](RelationId id) {
    const Relation old = graph.relation(id);
    Relation now(old.size());
    for (std::size_t c = 0; c < old.size(); ++c) now[permutation[c]] = permute(old[c], permutation);
    return graph.intern(now);
  };
  for (const std::size_t who : {0U, 1U}) {
    const std::size_t from = exchange ? 1 - who : who;
    if (move.step[from] >= 0) out.push_back(mapped(move.step[from]));
    Extra ways;
    for (const RelationId id : move.slide[from]) ways.push_back(mapped(id));
    std::sort(ways.begin(), ways.end());
    out.push_back(static_cast<std::int64_t>(ways.size()));
    out.insert(out.end(), ways.begin(), ways.end());
  }
  if (move.shaped) {
    std::vector<CellSet> shapes;
    for (const CellSet shape : move.placements) shapes.push_back(permute(shape, permutation));
    std::sort(shapes.begin(), shapes.end());
    out.push_back(graph.intern(shapes));
  }
  return out;
}

using Signature = std::pair<Extra, std::vector<NodeId>>;

class Prover {
 public:
  explicit Prover(const RuleSet& rules) : rules_(rules), graph_(rules.graph), roots_(signatures(rules)) {
    // Also rebuilt, so that both sides went through the same normalisation.
    original_ = rewritten(identity(rules.board.size()), false);
  }

  bool symmetric(const Permutation& permutation, bool exchange) {
    return rewritten(permutation, exchange) == original_;
  }

 private:
  std::vector<Signature> rewritten(const Permutation& permutation, bool exchange) {
    std::vector<NodeId> flat;
    for (const auto& roots : roots_) flat.insert(flat.end(), roots.begin(), roots.end());
    const std::vector<NodeId> mapped = graph_.remap(flat, permutation, exchange);
    std::vector<Signature> out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      const auto begin = mapped.begin() + static_cast<std::ptrdiff_t>(at);
      at += roots_[i].size();
      Extra more;
      if (i + 1 < roots_.size()) more = extra(graph_, rule_at(rules_, i), permutation, exchange);
      out.emplace_back(std::move(more), std::vector<NodeId>(begin, mapped.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(rules_.moves.size()));  // moves as a set
    return out;
  }

  const RuleSet& rules_;
  RuleGraph graph_;  // a copy to build in
  std::vector<std::vector<NodeId>> roots_;
  std::vector<Signature> original_;
};

}  // namespace

Automorphisms automorphisms(const Board& board, std::size_t limit) {
  Automorphisms out;
  for (int fixed = 0;; ++fixed) {
    out.permutations = closure(generators(board, fixed), board.size(), limit);
    if (!out.permutations.empty()) return out;
    out.complete = false;
  }
}

SymmetryGroup SymmetryGroup::trivial(const Rules& rules) {
  return SymmetryGroup(rules.set(), {{identity(rules.board().size()), false}}, true);
}

SymmetryGroup SymmetryGroup::find(const Rules& rules) {
  const Automorphisms candidates = automorphisms(rules.board(), kMaxGroup / 2);
  Prover prover(rules.set());
  std::vector<Symmetry> found;
  for (const bool exchange : {false, true}) {
    for (const Permutation& p : candidates.permutations) {
      if (rules.may_be_symmetric(p, exchange) && prover.symmetric(p, exchange)) found.push_back({p, exchange});
    }
  }
  return SymmetryGroup(rules.set(), std::move(found), candidates.complete);
}

SymmetryGroup::SymmetryGroup(const RuleSet& rules, std::vector<Symmetry> elements, bool board_complete)
    : layout_(rules.layout),
      cells_(rules.board.size()),
      elements_(std::move(elements)),
      board_complete_(board_complete) {
  absl::flat_hash_map<std::pair<Permutation, bool>, GroupElement> number;
  std::vector<bool> exchanges;
  for (std::size_t g = 0; g < elements_.size(); ++g) {
    number[{elements_[g].permutation, elements_[g].exchange}] = static_cast<GroupElement>(g);
    exchanges.push_back(elements_[g].exchange);
    if (!elements_[g].exchange) {
      plain_.push_back(static_cast<GroupElement>(g));
    } else if (exchange_ == kIdentity) {
      exchange_ = static_cast<GroupElement>(g);  // the plain exchange if it is one, since the identity is listed first
      exchange_is_plain_ = elements_[g].permutation == elements_[0].permutation;
    }
    auto& bytes = lookup_.emplace_back((static_cast<std::size_t>(cells_) + 7) / 8);
    for (std::size_t b = 0; b < bytes.size(); ++b) {
      for (CellSet v = 0; v < 256; ++v)
        bytes[b][v] = permute((v << (8 * b)) & rules.board.all(), elements_[g].permutation);
    }
  }
  std::vector<GroupElement> product;
  product.reserve(elements_.size() * elements_.size());
  for (const Symmetry& a : elements_) {
    for (const Symmetry& b : elements_)
      product.push_back(number.at({compose(a.permutation, b.permutation), a.exchange != b.exchange}));
  }
  group_ = Group(elements_.size(), std::move(product), std::move(exchanges));
  stabilizers_ = {{kIdentity}};
  if (cells_ <= kTableCells && plain_.size() > 1) build_table();
}

void SymmetryGroup::build_table() {
  const std::size_t sets = std::size_t{1} << cells_;
  to_least_.assign(sets, 0);
  least_stabilizer_.assign(sets, 0);
  std::vector<bool> seen(sets, false);
  std::map<std::vector<GroupElement>, std::uint16_t> known = {{stabilizers_[0], 0}};
  for (std::size_t set = 0; set < sets; ++set) {
    if (seen[set]) continue;  // sets come in rising order, so the first of an orbit is its least
    std::vector<GroupElement> stabilizer;
    for (const GroupElement g : plain_) {
      const CellSet image = apply(g, static_cast<CellSet>(set));
      if (image == set) stabilizer.push_back(g);
      if (!seen[image]) {
        seen[image] = true;
        to_least_[image] = group_.inverse(g);
      }
    }
    const auto [found, fresh] = known.emplace(stabilizer, static_cast<std::uint16_t>(stabilizers_.size()));
    if (fresh) stabilizers_.push_back(stabilizer);
    least_stabilizer_[set] = found->second;
  }
}

std::vector<std::vector<Cell>> SymmetryGroup::permutations(const std::vector<GroupElement>& of) const {
  std::vector<std::vector<Cell>> out;
  out.reserve(of.size());
  for (const GroupElement g : of) out.push_back(elements_[g].permutation);
  return out;
}

Position SymmetryGroup::apply(GroupElement g, const Position& p) const {
  Position out = p;
  for (int k = 0; k < layout_.count(); ++k)
    out.planes[static_cast<std::size_t>(k)] = apply(g, p.planes[static_cast<std::size_t>(k)]);
  // Seen from the mover, exchanging the players changes nothing but who that is.
  if (elements_[g].exchange) out.mover = other(p.mover);
  return out;
}

GroupElement SymmetryGroup::canonicalize(Position& p) const {
  const auto planes = static_cast<std::size_t>(layout_.count());
  GroupElement element = kIdentity;
  if (p.mover == Player::second && exchange_ != kIdentity) {
    element = exchange_;
    p.mover = Player::first;
    if (!exchange_is_plain_) {
      for (std::size_t k = 0; k < planes; ++k) p.planes[k] = apply(exchange_, p.planes[k]);
    }
  }
  if (plain_.size() == 1) return element;
  CellSet occupied = 0;
  for (std::size_t k = 0; k < planes; ++k) occupied |= p.planes[k];
  const std::vector<GroupElement>* candidates = &plain_;
  if (!to_least_.empty()) {
    const GroupElement g = to_least_[occupied];
    if (g != kIdentity) {
      occupied = 0;
      for (std::size_t k = 0; k < planes; ++k) {
        p.planes[k] = apply(g, p.planes[k]);
        occupied |= p.planes[k];
      }
      element = group_.multiply(g, element);
    }
    const std::uint16_t stabilizer = least_stabilizer_[occupied];
    if (stabilizer == 0) return element;
    candidates = &stabilizers_[stabilizer];
  }
  std::array<CellSet, kMaxPlanes> base;
  std::copy_n(p.planes.begin(), planes, base.begin());
  const CellSet base_occupied = occupied;
  GroupElement best = kIdentity;
  for (const GroupElement g : *candidates) {
    if (g == kIdentity) continue;
    int order = 0;
    if (to_least_.empty()) {
      const CellSet image = apply(g, base_occupied);
      order = image < occupied ? -1 : image > occupied ? 1 : 0;
    }
    for (std::size_t k = 0; k < planes && order == 0; ++k) {
      const CellSet image = apply(g, base[k]);
      order = image < p.planes[k] ? -1 : image > p.planes[k] ? 1 : 0;
    }
    if (order >= 0) continue;
    best = g;
    occupied = apply(g, base_occupied);
    for (std::size_t k = 0; k < planes; ++k) p.planes[k] = apply(g, base[k]);
  }
  return group_.multiply(best, element);
}

std::vector<GroupElement> SymmetryGroup::stabilizer(const Position& p) const {
  const auto planes = static_cast<std::size_t>(layout_.count());
  CellSet occupied = 0;
  for (std::size_t k = 0; k < planes; ++k) occupied |= p.planes[k];
  // A canonical position has a least occupied set, whose stabilizer holds the position's.
  const bool tabled = !to_least_.empty() && to_least_[occupied] == kIdentity;
  std::vector<GroupElement> out;
  for (const GroupElement g : tabled ? stabilizers_[least_stabilizer_[occupied]] : plain_) {
    bool same = true;
    for (std::size_t k = 0; k < planes && same; ++k) same = apply(g, p.planes[k]) == p.planes[k];
    if (same) out.push_back(g);
  }
  return out;
}

}  // namespace plenum
