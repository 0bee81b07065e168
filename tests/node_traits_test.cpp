// SPDX-License-Identifier: Apache-2.0
// Whether the table of operators (variants/graph/node_traits.h) is true: each operator on random arguments, each an input of its
// own, so that one can be changed while the others stay.
#include "variants/graph/node_traits.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "variants/graph/rule_graph.h"
#include "variants/program/program.h"

namespace plenum::node_traits_test {
namespace {

constexpr int kCells = 12;
constexpr int kSlots = 4;  // of players, each of a byte
using Random = std::mt19937_64;

std::int64_t between(Random& random, std::int64_t least, std::int64_t greatest) {
  return std::uniform_int_distribution<std::int64_t>(least, greatest)(random);
}

CellSet some_cells(Random& random) { return random() & random() & ((CellSet{1} << kCells) - 1); }

// What the inputs hold: argument i reads cells[i], or players[i].
struct Inputs {
  std::array<CellSet, kSlots> cells = {};
  std::array<std::uint8_t, kSlots> players = {};
};

Inputs some_inputs(Random& random) {
  Inputs out;
  for (CellSet& set : out.cells) set = some_cells(random);
  for (std::uint8_t& who : out.players) who = static_cast<std::uint8_t>(between(random, 0, 2));
  return out;
}

std::vector<Cell> shuffled(Random& random) {
  std::vector<Cell> out(kCells);
  std::iota(out.begin(), out.end(), Cell{0});
  std::shuffle(out.begin(), out.end(), random);
  return out;
}

class Operator : public testing::TestWithParam<std::size_t> {
 protected:
  const NodeTraits& traits() const { return kNodeTraits[GetParam()]; }

  // A node of the operator; argument i rises with inputs.cells[i].
  NodeId draw() {
    RuleNode n;
    n.op = traits().op;
    const std::size_t count =
        traits().many() ? static_cast<std::size_t>(between(random_, 2, kSlots)) : traits().letters();
    const bool fields = between(random_, 0, 1) == 0;
    for (std::size_t i = 0; i < count; ++i) n.args.push_back(argument(traits().arg(i), static_cast<int>(i), fields));
    n.relation = draw_relation();
    if (traits().coefficients == Coefficients::weights) {
      while (n.coefficients.size() < count)
        n.coefficients.push_back(between(random_, 0, 1) == 0 ? between(random_, 1, 3) : between(random_, -3, -1));
      n.value = static_cast<std::uint64_t>(between(random_, -5, 5));
    }
    if (traits().coefficients == Coefficients::table) {
      for (int i = 0; i < 5; ++i) n.coefficients.push_back(between(random_, -9, 9));
    }
    return graph_.make(std::move(n));
  }

  NodeId argument(char letter, int i, bool fields) {
    const NodeId set = graph_.cell_input(i);
    switch (letter) {
      case 's':
        return set;
      case 't':
        return graph_.any(set);
      case 'f':
        return field(set);
      case 'n':
        return graph_.count(set);
      case 'v':
        return fields ? field(set) : graph_.count(set);
      default:
        return graph_.player_input(i);
    }
  }

  // How many of a cell and the next are in the set.
  NodeId field(NodeId set) {
    Relation near(kCells, 0);
    for (int c = 0; c < kCells; ++c) near[static_cast<std::size_t>(c)] = CellSet{1} << c;
    return graph_.near_count(graph_.intern(near), set);
  }

  RelationId draw_relation() {
    if (traits().related == Related::nothing) return -1;
    Relation out;
    if (traits().related == Related::neighbours) {  // one at most, as lines need; symmetric for what is joined
      const std::vector<Cell> there = shuffled(random_);
      for (std::size_t c = 0; c < kCells; ++c) {
        const std::size_t i = static_cast<std::size_t>(std::find(there.begin(), there.end(), c) - there.begin());
        out.push_back(i % 5 == 4 || i + 1 == kCells ? 0 : cell_bit(there[i + 1]));
      }
      if (traits().op == NodeOp::joined) out = unite(out, transposed(out));
    } else {
      for (int i = 0; i < 6; ++i) out.push_back(some_cells(random_) | cell_bit(static_cast<Cell>(i)));
    }
    return graph_.intern(out);
  }

  // What a node comes to: its sets of cells where it is at least t, for all t that it may be; of a set, only itself.
  std::vector<CellSet> value(NodeId id, const Inputs& at) {
    const NodeTraits& t = plenum::traits(graph_.node(id).op);
    std::vector<NodeId> roots;
    if (t.is_set()) roots.push_back(id);
    if (t.type == NodeType::player) {
      for (int who = 0; who < 3; ++who) roots.push_back(graph_.player_is(id, graph_.player_constant(who)));
    }
    if (t.is_field() || t.type == NodeType::number) {
      const Interval range = graph_.bounds(id, bounds_);
      EXPECT_LT(range.greatest - range.least, 500);
      for (std::int64_t least = range.least; least <= range.greatest + 1; ++least)
        roots.push_back(graph_.at_least(graph_.as_form(id), least, t.is_field()));
    }
    const Program program(graph_, roots, bounds_);
    std::array<const std::uint64_t*, kCellInputs> cells = {};
    std::array<const std::uint8_t*, kFirstStateByte + kSlots> bytes = {};
    const std::uint8_t no = 0;
    bytes.fill(&no);
    for (std::size_t i = 0; i < kSlots; ++i) {
      cells[i] = &at.cells[i];
      bytes[kFirstStateByte + i] = &at.players[i];
    }
    Workspace work;
    program.run({cells, bytes}, 1, work);
    std::vector<CellSet> out(roots.size());
    for (std::size_t r = 0; r < roots.size(); ++r) program.read_set(r, 1, work, &out[r]);
    if (t.is_field() || t.type == NodeType::number) {
      EXPECT_EQ(out.front(), graph_.all()) << "less than its bounds say";
      EXPECT_EQ(out.back(), 0U) << "more than its bounds say";
    }
    return out;
  }

  static bool no_more(const std::vector<CellSet>& a, const std::vector<CellSet>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if ((a[i] & ~b[i]) != 0) return false;
    }
    return true;
  }

  // What the table says of an argument's sign.
  char trend(NodeId id, std::size_t i) const {
    const char sign = traits().trend(i);
    if (sign != 'w') return sign;
    const RuleNode& n = graph_.node(id);
    return n.coefficients[i] > 0 ? '+' : '-';
  }

  Random random_{GetParam() + 1};
  RuleGraph graph_{kCells};
  std::vector<Interval> bounds_ = std::vector<Interval>(kSlots + 1, Interval{0, 2});
};

TEST_P(Operator, IsWhatTheTableSays) {
  if (traits().args.empty() || traits().reach == NodeReach::rounds) return;  // no arguments, or a body besides
  for (int round = 0; round < 60; ++round) {
    graph_ = RuleGraph(kCells);
    const NodeId id = draw();
    if (graph_.node(id).op != traits().op) continue;  // normalised to something else
    const RuleNode n = graph_.node(id);
    EXPECT_EQ(graph_.make(n), id);
    if (traits().commutes) {
      RuleNode turned = n;
      std::reverse(turned.args.begin(), turned.args.end());
      EXPECT_EQ(graph_.make(turned), id);
    }
    for (int k = 0; k < 10; ++k) {
      const Inputs at = some_inputs(random_);
      const std::vector<CellSet> before = value(id, at);
      if (traits().type == NodeType::truth || graph_.is_truth(id)) {
        EXPECT_TRUE(before[0] == 0 || before[0] == graph_.all());
      }
      if (traits().cellwise != nullptr) {
        EXPECT_EQ(before[0], traits().cellwise(std::span(at.cells).first(n.args.size())) & graph_.all());
      }
      if (traits().part_of >= 0) {
        EXPECT_EQ(before[0] & ~at.cells[static_cast<std::size_t>(traits().part_of)], 0U);
      }
      for (std::size_t i = 0; i < n.args.size(); ++i) {
        const char letter = traits().arg(i);
        const auto cell = static_cast<Cell>(between(random_, 0, kCells - 1));
        Inputs more = at;
        more.cells[i] |= cell_bit(cell);
        if (letter == 'p') continue;
        const std::vector<CellSet> after = value(id, more);
        if (trend(id, i) == '+') {
          EXPECT_TRUE(no_more(before, after)) << "it falls where argument " << i << " rises";
        }
        if (trend(id, i) == '-') {
          EXPECT_TRUE(no_more(after, before)) << "it rises where argument " << i << " does";
        }
        // Where it may have changed.
        CellSet near = graph_.all();
        const bool by_cell = letter == 's' || letter == 'f' || (letter == 'v' && !graph_.is_truth(id));
        if (traits().reach == NodeReach::here && by_cell) near = cell_bit(cell);
        if (traits().reach == NodeReach::beside) near = transposed(graph_.relation(n.relation))[cell];
        if (traits().reach == NodeReach::patterns) {
          near = 0;
          for (const CellSet mask : graph_.relation(n.relation)) near |= (mask & cell_bit(cell)) != 0 ? mask : 0;
        }
        for (std::size_t r = 0; r < before.size(); ++r)
          EXPECT_EQ((before[r] ^ after[r]) & ~near, 0U) << "it looks farther than the table says";
      }
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// Renamed with the cells, it is the same of renamed arguments.
TEST_P(Operator, IsRenamedWithTheCells) {
  if (traits().args.empty() || traits().reach == NodeReach::rounds || traits().is_field() || traits().arg(0) == 'f' ||
      traits().arg(0) == 'v')
    return;  // for fields the arguments' own relation is renamed too
  for (int round = 0; round < 60; ++round) {
    graph_ = RuleGraph(kCells);
    const NodeId id = draw();
    const std::vector<Cell> permutation = shuffled(random_);
    const NodeId image = graph_.remap(std::vector<NodeId>{id}, permutation, false)[0];
    for (int k = 0; k < 10; ++k) {
      const Inputs at = some_inputs(random_);
      Inputs renamed = at;
      for (CellSet& set : renamed.cells) set = permute(set, permutation);
      std::vector<CellSet> wanted = value(id, at);
      for (CellSet& set : wanted) set = permute(set, permutation);
      ASSERT_EQ(value(image, renamed), wanted) << "round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Operator, testing::Range<std::size_t>(0, kNodeOps),
                         [](const auto& op) { return std::string(kNodeTraits[op.param].name); });

}  // namespace
}  // namespace plenum::node_traits_test
