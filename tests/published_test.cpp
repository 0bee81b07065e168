// SPDX-License-Identifier: Apache-2.0
// Solved games against numbers that others have published: tests/published.csv, a row a number, with its source.
//
// A row is checked by what the whole solved game says, not by a formula for the game at hand: counts over the stored graph,
// with their lifts where unreduced positions are meant; sequences of moves by summing over its edges. Rows marked `long`
// take more than a few seconds; they are a suite of their own.
#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "solver/graph/best_line.h"
#include "solver/study/perft.h"
#include "tests/variants_testing.h"
#include "tools/report/json_report.h"

namespace plenum::published_test {
namespace {

struct Row {
  std::string game;
  std::string board;    // empty: the game's own
  std::string options;  // "k=3 misere=on"
  std::string quantity;
  std::string value;
  std::string source;
  bool is_long = false;
};

std::vector<Row> read_rows() {
  std::ifstream in(std::string(PLENUM_TESTS_FOLDER) + "/published.csv");
  std::vector<Row> out;
  std::string line;
  std::getline(in, line);  // the heading
  while (std::getline(in, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    fields.resize(7);
    out.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6] == "long"});
  }
  return out;
}

const std::vector<Row>& all_rows() {
  static const std::vector<Row> rows = read_rows();
  return rows;
}

std::vector<std::size_t> row_numbers(bool is_long) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all_rows().size(); ++i) {
    if (all_rows()[i].is_long == is_long) out.push_back(i);
  }
  return out;
}

// One solved game is kept: rows of one game follow one another.
std::shared_ptr<const SolvedGame> solved(const Row& row, std::optional<Player> mover = std::nullopt) {
  static std::string kept_name;
  static std::shared_ptr<const SolvedGame> kept;
  const std::string name =
      row.game + " " + row.board + " " + row.options + (mover == Player::second ? " second begins" : "");
  if (name == kept_name) return kept;
  kept = nullptr;
  absl::StatusOr<Description> game = load_description(row.game, PLENUM_DATA_FOLDER);
  std::vector<std::string> settings = variants_testing::words_of(row.options);
  if (!row.board.empty()) settings.push_back("board=" + row.board);
  for (const std::string& setting : settings) {
    if (!game.ok()) break;
    const absl::Status set = game->set_option(Span::whole("option", setting));
    if (!set.ok()) game = set;
  }
  const absl::StatusOr<Variant> variant = game.ok() ? Variant::make(*game) : game.status();
  if (!variant.ok()) {
    ADD_FAILURE() << variant.status();
    return nullptr;
  }
  Position start = variant->rules().start();
  if (mover) start.mover = *mover;
  SolveOptions options;
  options.extras = kValuesOnly;
  absl::StatusOr<SolvedGame> solution = solve_game(*variant, start, options);
  if (!solution.ok()) {
    ADD_FAILURE() << solution.status();
    return nullptr;
  }
  kept_name = name;
  kept = std::make_shared<const SolvedGame>(*std::move(solution));
  return kept;
}

// Canonical positions that `holds`.
std::uint64_t canonical(const SolvedGame& game, const std::function<bool(PositionIndex)>& holds) {
  std::uint64_t out = 0;
  for (PositionIndex p = 0; p < game.graph().size(); ++p) out += game.lifts().reached(p) && holds(p) ? 1 : 0;
  return out;
}

// Unreduced positions that `holds`, ended ones too.
std::uint64_t unreduced(const SolvedGame& game, const std::function<bool(PositionIndex)>& holds) {
  std::uint64_t out = 0;
  for (PositionIndex p = 0; p < game.graph().size(); ++p) out += holds(p) ? game.lifts().count(p) : 0;
  return out;
}

// Different boards, whoever is to move and whatever else a position carries.
std::uint64_t boards(const SolvedGame& game) {
  const SymmetryGroup& symmetries = game.variant().symmetries();
  std::set<std::array<CellSet, kMaxPlanes>> met;
  for (PositionIndex p = 0; p < game.graph().size(); ++p) {
    for (std::size_t g = 0; g < symmetries.size(); ++g) {
      const auto element = static_cast<GroupElement>(g);
      if (!game.lifts().contains(p, element)) continue;
      Position position = symmetries.apply(element, game.store().position(p));
      if (position.mover == Player::second) {
        const PlaneLayout& layout = game.variant().rule_set().layout;
        std::array<CellSet, kMaxPlanes> seen_by_first = position.planes;
        for (int plane = 0; plane < layout.count(); ++plane) {
          seen_by_first[static_cast<std::size_t>(layout.swapped(plane))] =
              position.planes[static_cast<std::size_t>(plane)];
        }
        position.planes = seen_by_first;
      }
      met.insert(position.planes);
    }
  }
  return met.size();
}

// Whether first is to move in a stored position as it arises in the game; every one here arises with one player only.
bool first_moves(const SolvedGame& game, PositionIndex p) {
  const bool as_stored = game.store().position(p).mover == Player::first;
  const bool exchanged = game.lifts().exchanged(p) > 0;
  EXPECT_NE(exchanged, game.lifts().as_stored(p) > 0) << "arises with either player to move";
  return as_stored != exchanged;
}

struct Sequences {
  std::uint64_t won = 0;  // by the player to move
  std::uint64_t drawn = 0;
  std::uint64_t lost = 0;
  std::uint64_t nodes = 0;  // of the tree of all sequences
  std::uint64_t games() const { return won + drawn + lost; }
};

// Sequences of moves from the start to an end; up to symmetry, moves into one class of positions are one move.
Sequences sequences(const SolvedGame& game, bool up_to_symmetry) {
  const PositionGraph& graph = game.graph();
  std::vector<std::optional<Sequences>> known(graph.size());
  std::vector<bool> open(graph.size(), false);
  std::function<const Sequences&(PositionIndex)> from = [&](PositionIndex p) -> const Sequences& {
    if (known[p]) return *known[p];
    Sequences out;
    out.nodes = 1;
    if (open[p]) {
      ADD_FAILURE() << "sequences without end";
      known[p] = out;
      return *known[p];
    }
    open[p] = true;
    if (graph.ended(p)) (graph.end_rank[p] > 0 ? out.won : graph.end_rank[p] < 0 ? out.lost : out.drawn) = 1;
    std::set<PositionIndex> met;
    for (const PositionIndex q : graph.successors(p)) {
      if (up_to_symmetry && !met.insert(q).second) continue;
      const Sequences& after = from(q);
      out.won += after.lost;
      out.lost += after.won;
      out.drawn += after.drawn;
      out.nodes += after.nodes;
    }
    known[p] = out;
    return *known[p];
  };
  return from(graph.start);
}

std::uint64_t perft_nodes(const SolvedGame& game) {
  std::uint64_t out = 0;
  for (int depth = 0;; ++depth) {
    const absl::StatusOr<Perft> counted = perft(game.variant().rules(), game.start(), depth);
    if (!counted.ok() || counted->nodes == 0) return out;
    out += counted->nodes;
  }
}

// "first", "second", "draw"; "endless" for a draw that neither player can bring to an end, and that is asked for.
std::string value_text(const PositionValue& value, const std::string& wanted) {
  if (value.outcome == Outcome::cycle && wanted == "endless") return "endless";
  const bool level = value.outcome == Outcome::tie || value.outcome == Outcome::cycle;
  return level ? "draw" : std::string(outcome_name(value.outcome));
}

std::string openings(const SolvedGame& game, const std::string& wanted) {
  std::set<std::string> moves;
  for (const Opening& opening : game.openings()) {
    if (value_text(opening.after, "") == wanted) moves.insert(opening.text);
  }
  std::string out;
  for (const std::string& move : moves) out += (out.empty() ? "" : " ") + move;
  return out;
}

// V, H, 1, 2: who wins whoever begins; or the one who begins, or the other. First lays dominoes upright.
std::string outcome_class(const Row& row) {
  const std::shared_ptr<const SolvedGame> one = solved(row);
  const bool vertical_begins = one != nullptr && one->start_value().outcome == Outcome::first;
  const std::shared_ptr<const SolvedGame> two = solved(row, Player::second);
  if (one == nullptr || two == nullptr) return "unsolved";
  const bool horizontal_begins = two->start_value().outcome == Outcome::first;
  return vertical_begins ? (horizontal_begins ? "V" : "1") : (horizontal_begins ? "2" : "H");
}

using Quantity = std::function<std::string(const SolvedGame&, const Row&)>;

const std::map<std::string, Quantity>& quantities() {
  const auto number = [](const std::function<std::uint64_t(const SolvedGame&)>& count) -> Quantity {
    return [count](const SolvedGame& g, const Row&) { return std::to_string(count(g)); };
  };
  const auto class_of = [&](const std::function<bool(const SolvedGame&, PositionIndex)>& holds) {
    return number([holds](const SolvedGame& g) { return canonical(g, [&](PositionIndex p) { return holds(g, p); }); });
  };
  const auto for_mover = [&](int sign) {
    return number([sign](const SolvedGame& g) {
      return unreduced(g, [&](PositionIndex p) {
        const MarginRank rank = g.solution().value[p];
        return sign == (rank > 0 ? 1 : rank < 0 ? -1 : 0);
      });
    });
  };
  const auto won_end = [&](bool by_first) {
    return class_of([by_first](const SolvedGame& g, PositionIndex p) {
      if (!g.graph().ended(p) || g.graph().end_rank[p] == 0) return false;
      return (g.graph().end_rank[p] > 0) == (first_moves(g, p) == by_first);
    });
  };
  const auto openings_to = [](const std::string& wanted) -> Quantity {
    return [wanted](const SolvedGame& g, const Row&) { return openings(g, wanted); };
  };
  static const std::map<std::string, Quantity> table = {
      {"reachable", number([](const SolvedGame& g) { return g.statistics().reachable; })},
      {"canonical", number([](const SolvedGame& g) { return g.statistics().canonical; })},
      {"ended", number([](const SolvedGame& g) { return g.statistics().ended; })},
      {"boards", number(boards)},
      {"with first to move", number([](const SolvedGame& g) {
         std::uint64_t out = 0;
         for (PositionIndex p = 0; p < g.graph().size(); ++p) {
           const bool first = g.store().position(p).mover == Player::first;
           out += first ? g.lifts().as_stored(p) : g.lifts().exchanged(p);
         }
         return out;
       })},
      {"canonical ended", class_of([](const SolvedGame& g, PositionIndex p) { return g.graph().ended(p); })},
      {"canonical ended won by first", won_end(true)},
      {"canonical ended won by second", won_end(false)},
      {"canonical ended drawn",
       class_of([](const SolvedGame& g, PositionIndex p) { return g.graph().ended(p) && g.graph().end_rank[p] == 0; })},
      {"canonical lost at once",
       class_of([](const SolvedGame& g, PositionIndex p) { return g.graph().ended(p) && g.solution().value[p] < 0; })},
      {"canonical lost later",
       class_of([](const SolvedGame& g, PositionIndex p) { return !g.graph().ended(p) && g.solution().value[p] < 0; })},
      {"canonical not lost", class_of([](const SolvedGame& g, PositionIndex p) { return g.solution().value[p] >= 0; })},
      {"won for the mover", for_mover(1)},
      {"lost for the mover", for_mover(-1)},
      {"drawn", for_mover(0)},
      {"games", number([](const SolvedGame& g) { return sequences(g, false).games(); })},
      {"games won by first", number([](const SolvedGame& g) { return sequences(g, false).won; })},
      {"games won by second", number([](const SolvedGame& g) { return sequences(g, false).lost; })},
      {"games drawn", number([](const SolvedGame& g) { return sequences(g, false).drawn; })},
      {"games up to symmetry", number([](const SolvedGame& g) { return sequences(g, true).games(); })},
      {"tree nodes", number([](const SolvedGame& g) {
         EXPECT_EQ(perft_nodes(g), sequences(g, false).nodes);
         return sequences(g, false).nodes;
       })},
      {"value", [](const SolvedGame& g, const Row& row) { return value_text(g.start_value(), row.value); }},
      {"margin",
       [](const SolvedGame& g, const Row&) { return g.variant().margin_text(g.start_value().margin.margin); }},
      {"plies",
       [](const SolvedGame& g, const Row&) {
         return g.start_value().plies ? std::to_string(g.start_value().plies->count) : std::string("none");
       }},
      {"last move",
       [](const SolvedGame& g, const Row&) -> std::string {
         const absl::StatusOr<BestLine> line = BestLines(g).from(g.start());
         if (!line.ok() || line->repeats) return "none";
         return std::to_string(line->moves.size());
       }},
      {"openings won by first", openings_to("first")},
      {"openings won by second", openings_to("second")},
      {"openings drawn", openings_to("draw")},
      {"number of openings won by first",
       number([](const SolvedGame& g) { return variants_testing::words_of(openings(g, "first")).size(); })},
  };
  return table;
}

class Published : public testing::TestWithParam<std::size_t> {};

TEST_P(Published, ComesOut) {
  const Row& row = all_rows()[GetParam()];
  const std::string where =
      row.game + " " + row.board + " " + row.options + ", " + row.quantity + " (" + row.source + ")";
  if (row.quantity == "outcome class") {
    EXPECT_EQ(outcome_class(row), row.value) << where;
    return;
  }
  const auto quantity = quantities().find(row.quantity);
  ASSERT_NE(quantity, quantities().end()) << where << ": not known";
  const std::shared_ptr<const SolvedGame> game = solved(row);
  ASSERT_NE(game, nullptr) << where;
  EXPECT_EQ(quantity->second(*game, row), row.value) << where;
}

std::string row_name(const testing::TestParamInfo<std::size_t>& tested) {
  const Row& row = all_rows()[tested.param];
  std::string out = "line_" + std::to_string(tested.param + 2) + "_" + row.game + "_" + row.board + "_" + row.options +
                    "_" + row.quantity;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Short, Published, testing::ValuesIn(row_numbers(false)), row_name);
INSTANTIATE_TEST_SUITE_P(Long, Published, testing::ValuesIn(row_numbers(true)), row_name);

// The rows are there, each with a source, and none twice.
TEST(PublishedFile, IsComplete) {
  EXPECT_GE(row_numbers(false).size(), 90U);
  EXPECT_GE(row_numbers(true).size(), 8U);
  std::set<std::string> met;
  for (const Row& row : all_rows()) {
    EXPECT_FALSE(row.value.empty() || row.source.empty()) << row.game << " " << row.quantity;
    EXPECT_TRUE(met.insert(row.game + "," + row.board + "," + row.options + "," + row.quantity).second)
        << row.game << " " << row.board << " " << row.options << " " << row.quantity;
  }
}

}  // namespace
}  // namespace plenum::published_test
