// SPDX-License-Identifier: Apache-2.0
#include "tests/random_graphs.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

namespace plenum::random_graphs {
namespace {

constexpr unsigned kMargins[] = {0, 1, 2, 3, 5, 30};

// A number in [0, limit) whatever rapidcheck's current size.
rc::Gen<unsigned> below(unsigned limit) { return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0u, limit)); }

PositionIndex tier_begin(const Draft& draft, std::size_t tier) {
  return static_cast<PositionIndex>(tier * draft.positions.size() / draft.tiers);
}

// The target of a raw edge of p, or nothing.
bool target(const Draft& draft, PositionIndex p, PositionIndex begin, PositionIndex end, unsigned raw,
            PositionIndex& q) {
  const auto size = static_cast<PositionIndex>(draft.positions.size());
  if (draft.inner_share > 8) begin = p + 1;
  const bool inner = raw % 8 < draft.inner_share || end == size;
  const PositionIndex from = inner ? begin : end;
  const PositionIndex to = inner && draft.inner_share <= 8 ? end : size;
  if (from >= to) return false;
  q = from + raw / 8 % (to - from);
  return true;
}

bool drawn_as_ended(const Draft& draft, const DraftPosition& p) { return p.kind % 256 < draft.ended_share; }

MarginRank rank_of(const Draft& draft, const DraftPosition& p) {
  return static_cast<MarginRank>(p.margin % (2 * draft.levels + 1)) - static_cast<MarginRank>(draft.levels);
}

void start_graph(const Draft& draft, PositionGraph& graph) {
  graph.level.clear();
  for (unsigned i = 0; i <= draft.levels; ++i) graph.level.push_back({kMargins[i]});
  for (std::size_t t = 0; t <= draft.tiers; ++t) graph.tier_begin.push_back(tier_begin(draft, t));
  graph.first_edge = {0};
}

void finish_position(const Draft& draft, const DraftPosition& p, PositionGraph& graph) {
  const bool ended = graph.edge.size() == graph.first_edge.back();
  graph.end_rank.push_back(ended ? rank_of(draft, p) : kNotEnded);
  graph.first_edge.push_back(graph.edge.size());
}

using Permutation = std::vector<unsigned>;

// The group that permutations generate; the last generator exchanges the players if `exchanging`.
Group generate(const std::vector<Permutation>& generators, bool exchanging) {
  using Element = std::pair<Permutation, bool>;
  const auto compose = [](const Element& a, const Element& b) {
    Element ab = {Permutation(a.first.size()), a.second != b.second};
    for (std::size_t i = 0; i < a.first.size(); ++i) ab.first[i] = a.first[b.first[i]];
    return ab;
  };
  Permutation identity(generators.front().size());
  for (unsigned i = 0; i < identity.size(); ++i) identity[i] = i;
  std::vector<Element> elements = {{identity, false}};
  std::map<Element, GroupElement> number = {{elements.front(), kIdentity}};
  for (std::size_t k = 0; k < elements.size(); ++k) {
    for (std::size_t g = 0; g < generators.size(); ++g) {
      const Element x = compose(elements[k], {generators[g], exchanging && g + 1 == generators.size()});
      if (number.emplace(x, static_cast<GroupElement>(elements.size())).second) elements.push_back(x);
    }
  }
  std::vector<GroupElement> product;
  std::vector<bool> exchanges;
  for (const Element& a : elements) {
    exchanges.push_back(a.second);
    for (const Element& b : elements) product.push_back(number.at(compose(a, b)));
  }
  return Group(elements.size(), product, exchanges);
}

Permutation rotation(unsigned n) {
  Permutation p(n);
  for (unsigned i = 0; i < n; ++i) p[i] = (i + 1) % n;
  return p;
}

Group small_group(unsigned number) {
  const Permutation flip4 = {3, 2, 1, 0};
  const Permutation flip6 = {5, 4, 3, 2, 1, 0};
  const Permutation still4 = {0, 1, 2, 3};
  const Permutation still6 = {0, 1, 2, 3, 4, 5};
  switch (number) {
    case 0:
      return Group();
    case 1:
      return generate({{0}}, true);  // exchange alone
    case 2:
      return generate({{1, 0}}, false);
    case 3:
      return generate({rotation(4)}, true);  // a quarter turn exchanges
    case 4:
      return generate({{1, 0}, {0, 1}}, true);
    case 5:
      return generate({rotation(3), {1, 0, 2}}, false);
    case 6:
      return generate({rotation(4), flip4}, false);  // the square
    case 7:
      return generate({rotation(4), flip4, still4}, true);  // and exchange
    case 8:
      return generate({rotation(6), flip6, still6}, true);  // the hexagon and exchange
    case 9:
      return generate({rotation(3), {1, 0, 2}}, true);  // odd permutations exchange
    default:
      return generate({rotation(70)}, false);  // more elements than a word has bits
  }
}

std::vector<GroupElement> subgroup(const Group& group, const std::vector<GroupElement>& generators) {
  std::vector<GroupElement> elements = {kIdentity};
  for (std::size_t k = 0; k < elements.size(); ++k) {
    for (const GroupElement g : generators) {
      const GroupElement x = group.multiply(elements[k], g);
      if (std::find(elements.begin(), elements.end(), x) == elements.end()) elements.push_back(x);
    }
  }
  return elements;
}

// Half of the kinds fix nothing, others up to two random elements that leave the mover the mover.
std::vector<GroupElement> stabilizer(const Group& group, unsigned kind) {
  std::vector<GroupElement> keeping;
  for (std::size_t g = 0; g < group.size(); ++g) {
    if (!group.exchanges(static_cast<GroupElement>(g))) keeping.push_back(static_cast<GroupElement>(g));
  }
  std::vector<GroupElement> generators;
  if (kind % 4 >= 2) generators.push_back(keeping[kind / 4 % keeping.size()]);
  if (kind % 4 == 3) generators.push_back(keeping[kind / 64 % keeping.size()]);
  return subgroup(group, generators);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Draft& draft) {
  out << draft.tiers << " tiers, " << draft.levels << " levels, inner " << draft.inner_share << "/8, ended "
      << draft.ended_share << "/256\n";
  for (const DraftPosition& p : draft.positions) {
    out << "  kind " << p.kind << " margin " << p.margin << " edges";
    for (const unsigned e : p.edges) out << ' ' << e;
    out << '\n';
  }
  return out;
}

rc::Gen<Draft> drafts() {
  const auto position = rc::gen::build<DraftPosition>(
      rc::gen::set(&DraftPosition::kind, below(1024)), rc::gen::set(&DraftPosition::margin, below(64)),
      rc::gen::set(&DraftPosition::edges, rc::gen::resize(6, rc::gen::container<std::vector<unsigned>>(below(8192)))));
  return rc::gen::build<Draft>(
      rc::gen::set(&Draft::tiers, rc::gen::map(below(4), [](unsigned n) { return n + 1; })),
      rc::gen::set(&Draft::levels, rc::gen::map(below(5), [](unsigned n) { return n + 1; })),
      rc::gen::set(&Draft::inner_share, rc::gen::map(below(10), [](unsigned n) { return n < 3 ? 3 * n : n; })),
      rc::gen::set(&Draft::ended_share, below(64)),
      rc::gen::set(&Draft::positions, rc::gen::nonEmpty(rc::gen::container<std::vector<DraftPosition>>(position))));
}

Draft large_draft(std::mt19937_64& random, std::size_t positions, unsigned inner_share) {
  Draft draft{3, 5, inner_share, 16, {}};
  const auto number = [&] { return static_cast<unsigned>(random() >> 33); };
  for (std::size_t i = 0; i < positions; ++i) {
    DraftPosition p{number(), number(), {}};
    for (unsigned edges = 1 + number() % 5; edges > 0; --edges) p.edges.push_back(number());
    draft.positions.push_back(p);
  }
  return draft;
}

PositionGraph build(const Draft& draft) {
  PositionGraph graph;
  start_graph(draft, graph);
  for (std::size_t t = 0; t < draft.tiers; ++t) {
    for (PositionIndex p = graph.tier_begin[t]; p < graph.tier_begin[t + 1]; ++p) {
      const DraftPosition& position = draft.positions[p];
      PositionIndex q = 0;
      for (const unsigned raw : position.edges) {
        if (drawn_as_ended(draft, position)) break;
        if (target(draft, p, graph.tier_begin[t], graph.tier_begin[t + 1], raw, q)) graph.edge.push_back(q);
      }
      finish_position(draft, position, graph);
    }
  }
  return graph;
}

unsigned group_count() { return 11; }

SymmetricGame build_symmetric(const Draft& draft, unsigned number) {
  SymmetricGame game;
  PositionGraph& graph = game.graph;
  graph.group = small_group(number);
  const Group& group = graph.group;
  start_graph(draft, graph);
  // The lifts of a stored position are the cosets g K.
  std::size_t vertices = 0;
  for (const DraftPosition& position : draft.positions) {
    graph.stabilizer.push_back(static_cast<std::uint16_t>(graph.subgroups.size()));
    graph.subgroups.push_back(stabilizer(group, position.kind));
    game.vertex.emplace_back(group.size(), 0);
    std::set<GroupElement> seen;
    for (std::size_t g = 0; g < group.size(); ++g) {
      if (seen.count(static_cast<GroupElement>(g)) != 0) continue;
      for (const GroupElement x : graph.subgroups.back()) {
        const GroupElement gx = group.multiply(static_cast<GroupElement>(g), x);
        seen.insert(gx);
        game.vertex.back()[gx] = vertices;
      }
      ++vertices;
    }
  }
  game.unreduced.resize(vertices);
  for (std::size_t t = 0; t < draft.tiers; ++t) {
    for (PositionIndex p = graph.tier_begin[t]; p < graph.tier_begin[t + 1]; ++p) {
      const DraftPosition& position = draft.positions[p];
      for (const unsigned raw : position.edges) {
        PositionIndex q = 0;
        if (drawn_as_ended(draft, position)) break;
        if (!target(draft, p, graph.tier_begin[t], graph.tier_begin[t + 1], raw, q)) continue;
        // A move to a q, and its images under what leaves p as it is.
        const auto a = static_cast<GroupElement>(raw / 7 % group.size());
        std::set<std::size_t> images;
        for (const GroupElement x : graph.stabilizer_of(p)) {
          const GroupElement b = group.multiply(x, a);
          if (!images.insert(game.vertex[q][b]).second) continue;
          const auto fixing = graph.stabilizer_of(q);
          graph.edge.push_back(q);
          graph.symmetry.push_back(group.multiply(fixing[raw / 3 % fixing.size()], group.inverse(b)));
          std::set<std::size_t> from;
          for (std::size_t g = 0; g < group.size(); ++g) {
            const auto lift = static_cast<GroupElement>(g);
            if (!from.insert(game.vertex[p][g]).second) continue;
            game.unreduced[game.vertex[p][g]].push_back(game.vertex[q][group.multiply(lift, b)]);
          }
        }
      }
      finish_position(draft, position, graph);
    }
  }
  graph.start_lift = static_cast<GroupElement>(draft.positions.front().margin % group.size());
  game.start = game.vertex[graph.start][graph.start_lift];
  return game;
}

}  // namespace plenum::random_graphs
