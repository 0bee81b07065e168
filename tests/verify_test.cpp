// SPDX-License-Identifier: Apache-2.0
// Tables that are right pass; tables with something wrong in them and checksums that fit do not, and the place is named.
#include "solver/verify/verify.h"

#include <functional>
#include <map>
#include <optional>
#include <set>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/method/all_methods.h"
#include "solver/rows/row_solver.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"
#include "tools/session/summary_text.h"
#include "tools/session/tables.h"

namespace plenum::verify_test {
namespace {

using tables_testing::NamedLayer;
using tables_testing::TestFolder;
using variants_testing::game;
using variants_testing::sure;

// A game's table in a folder of its own, and what stands in it.
class Solved {
 public:
  Solved(Variant variant, bool remoteness) : variant_(std::move(variant)) {
    DenseOptions options;
    options.remoteness = remoteness;
    game_ = sure(solve_dense(variant_, options));
    Request request;
    request.wanted.remoteness = remoteness;
    const Game game(variant_, variant_.rules().start());
    EXPECT_TRUE(write_table(path(), *sure(find_method(game_->summary().method)->solve(game, request))).ok());
    EXPECT_TRUE(tables_testing::read_table(path(), &layers_).ok());
    const auto reader = sure(TableReader::open(path()));
    header_ = reader->header();
    footer_ = reader->footer();
  }

  std::string path() const { return folder_ / "game.table"; }
  const Variant& variant() const { return variant_; }
  const tables_testing::Bytes& layer(const std::string& name) const {
    for (const NamedLayer& layer : layers_) {
      if (layer.name == name) return layer.bytes;
    }
    throw std::runtime_error("no layer " + name);
  }
  std::string text(std::size_t place) const {
    const DenseIndex& index = game_->index();
    return variant_.rules().write(
        index.position({static_cast<std::uint32_t>(place / index.boards()), place % index.boards()}));
  }

  struct Found {
    Verification bytes;
    std::vector<SummaryMismatch> footer;
    std::uint64_t of(VerifyKind kind) const {
      return static_cast<std::uint64_t>(
          std::count_if(bytes.first.begin(), bytes.first.end(), [&](const Mismatch& m) { return m.kind == kind; }));
    }
  };
  // The table with layers and footer changed, written anew with checksums that fit.
  using Change = std::function<void(std::map<std::string, tables_testing::Bytes*>&)>;
  Found verify(const Change& change = {}, const std::string& footer = "") const {
    std::vector<NamedLayer> layers = layers_;
    std::map<std::string, tables_testing::Bytes*> by_name;
    for (NamedLayer& layer : layers) by_name[layer.name] = &layer.bytes;
    if (change) change(by_name);
    const std::string changed = folder_ / "changed.table";
    EXPECT_TRUE(tables_testing::write_table(changed, header_, layers, footer.empty() ? footer_ : footer).ok());
    const OpenTable table = sure(open_table(changed));
    EXPECT_TRUE(table.reader->check().ok());
    const Variant same = sure(variant_of(table));
    const Game own(same, same.rules().start());
    const auto opened = sure(result_of(table, own, {}));
    Found out{sure(table.header.method->verify(own, *table.reader, *opened, {})), {}};
    out.footer = compare_summaries(table.summary, summary_to_json(*out.bytes.summary));
    return out;
  }
  const std::string& footer() const { return footer_; }

 private:
  Variant variant_;
  std::shared_ptr<const DenseGame> game_;
  TestFolder folder_;
  std::vector<NamedLayer> layers_;
  std::string header_;
  std::string footer_;
};

std::string shown(const Solved::Found& found) {
  std::string out = std::to_string(found.bytes.wrong) + " wrong\n";
  for (const Mismatch& m : found.bytes.first)
    out += std::string(verify_kind_name(m.kind)) + " " + m.position + ": " + m.found + ", not " + m.expected + "\n";
  for (const SummaryMismatch& m : found.footer)
    out += m.place + ": " + m.found.dump() + ", not " + m.expected.dump() + "\n";
  return out;
}

TEST(Verify, RightTablesPass) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> games = {
      {"populace", {"board=path:9"}},
      {"populace", {"board=path:6", "button=on"}},
      {"populace", {"board=hexhex:2"}},
      {"populace", {"board=square:2x3", "move_to=no_drop"}},
      {"populace", {"board=square:2x3", "threat=1", "button=on"}},
      {"populace", {"board=square:3x3", "move=off"}},
      {"taifas", {"board=square:3x3", "tie=draw"}},
      {"taifas", {"board=square:2x4", "tie=draw", "completes=split"}},
      // In one pass.
      {"taifas", {"board=square:3x3"}},
      {"taifas", {"board=square:2x4", "completes=split"}},
      {"in-crowd", {"board=square:3x3"}},
      {"in-crowd", {"board=square:2x4", "drop_chain=on"}},
      {"cascade", {"board=square:3x2"}},
      {"cascade", {"board=square:2x3", "fill=both"}},
      {"othello", {"board=square:3x4", "empties=winner"}},
      {"othello", {"board=square:3x3", "start=parallel", "empties=winner"}},
      {"domineering", {"board=square:3x4"}},
  };
  for (const auto& [name, settings] : games) {
    SCOPED_TRACE(name + " " + settings[0]);
    const Variant variant = game(name, settings);
    for (const bool remoteness : {true, false}) {
      const Solved solved(variant, remoteness);
      const Solved::Found found = solved.verify();
      EXPECT_TRUE(found.bytes.holds() && found.footer.empty()) << shown(found);
      if (found.bytes.one_pass) {
        EXPECT_GE(found.bytes.positions,
                  solved.layer("codes").size());  // where passes have ended the game there are no codes
      } else {
        EXPECT_EQ(found.bytes.positions, solved.layer("codes").size());
      }
      EXPECT_EQ(found.bytes.remoteness, remoteness);
    }
  }
}

class Changed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    whole_ = new Solved(game("populace", {"board=path:9"}), true);
    values_ = new Solved(game("populace", {"board=path:9"}), false);
  }
  static void TearDownTestSuite() {
    delete whole_;
    delete values_;
  }
  // The place in the middle of those that have this.
  template <typename Has>
  static std::size_t some(const Solved& solved, const Has& has) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < solved.layer("codes").size(); ++i) {
      if (has(i)) places.push_back(i);
    }
    EXPECT_FALSE(places.empty());
    return places.at(places.size() / 2);
  }
  static bool names(const Solved::Found& found, VerifyKind kind, const std::string& position) {
    return std::any_of(found.bytes.first.begin(), found.bytes.first.end(),
                       [&](const Mismatch& m) { return m.kind == kind && m.position == position; });
  }

  static Solved* whole_;
  static Solved* values_;
};
Solved* Changed::whole_ = nullptr;
Solved* Changed::values_ = nullptr;

TEST_F(Changed, OneValue) {
  for (const Solved* solved : {whole_, values_}) {
    for (const int wanted : {133, 129, 130, 126}) {
      const std::size_t place = some(*solved, [&](std::size_t i) { return solved->layer("codes")[i] == wanted; });
      for (const int other : {255, 0, 127, 137, 128}) {
        const Solved::Found found =
            solved->verify([&](auto& layers) { (*layers["codes"])[place] = static_cast<std::uint8_t>(other); });
        EXPECT_FALSE(found.bytes.holds());
        EXPECT_GT(found.of(VerifyKind::value), 0U) << shown(found);
      }
    }
  }
}

// Every cycle is said to be a tie, so that each follows from its successors.
TEST_F(Changed, CyclesAsTies) {
  for (const Solved* solved : {whole_, values_}) {
    for (const int tie : {128, 129, 131}) {
      const Solved::Found found = solved->verify([&](auto& layers) {
        for (std::uint8_t& code : *layers["codes"]) {
          if (code == kUnresolved) code = static_cast<std::uint8_t>(tie);
        }
      });
      EXPECT_FALSE(found.bytes.holds()) << tie;
      EXPECT_FALSE(found.footer.empty());
    }
  }
}

// The greatest set of claims that is its own consequence instead of the least: ties are made of cycles, and whatever follows from
// that is worked out, until nothing in the table contradicts its neighbours.
TEST_F(Changed, ConsistentFalseTies) {
  const Variant& variant = whole_->variant();
  const DenseIndex index(variant);
  const std::size_t n = whole_->layer("codes").size();
  std::vector<std::uint8_t> codes = whole_->layer("codes");
  std::vector<std::size_t> level;
  for (std::size_t i = 0; i < n; ++i) {
    if (codes[i] == kUnresolved) codes[i] = 129, level.push_back(i);
  }
  // The code that follows for a position, one pass made or none, as the codes stand.
  const std::function<ValueByte(const Position&)> follows = [&](const Position& p) {
    ValueByte least = kNoSuccessor;
    std::uint8_t all = kNoSuccessor;
    for (const Successor& s : sure(successors(variant.rules(), p))) {
      const ValueByte code = s.ended                 ? code_of_margin(s.margin.margin.units)
                             : s.position.passes > 0 ? follows(s.position)
                                                     : codes[index.place(s.position).board];
      least = std::min(least, code);
      all &= code;
    }
    return code_from_successors(least, all);
  };
  // All level positions that could change, again until none does: from above.
  for (std::size_t i = 0; i < n; ++i) {
    if (is_level(codes[i]) && codes[i] != 129) level.push_back(i);
  }
  for (bool again = true; again;) {
    again = false;
    for (const std::size_t i : level) {
      const ValueByte code = follows(index.position({0, i}));
      again = again || code != codes[i];
      codes[i] = code;
    }
  }
  std::size_t false_ties = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (whole_->layer("codes")[i] == kUnresolved && codes[i] != kUnresolved) ++false_ties;
  }
  ASSERT_GT(false_ties, 0U);
  const Solved::Found found = values_->verify([&](auto& layers) { *layers["codes"] = codes; });
  EXPECT_EQ(found.of(VerifyKind::value), 0U) << shown(found);  // no neighbour contradicts it
  EXPECT_GT(found.of(VerifyKind::proven), 0U);
  EXPECT_GE(found.bytes.wrong, false_ties);
}

TEST_F(Changed, ForcedCyclesAsOthers) {
  const auto& codes = whole_->layer("codes");
  const Solved::Found found = whole_->verify([&](auto& layers) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] == kUnresolved) (*layers["facts"])[i] &= static_cast<std::uint8_t>(~kRowNoLevelEnd);
    }
  });
  EXPECT_FALSE(found.bytes.holds());
  EXPECT_GT(found.of(VerifyKind::proven) + found.of(VerifyKind::facts), 0U) << shown(found);
  bool counted = false;
  for (const SummaryMismatch& m : found.footer) counted = counted || m.place == "/reachable/forced_cycle";
  EXPECT_TRUE(counted) << shown(found);
}

TEST_F(Changed, OneRemoteness) {
  for (const int by : {-1, 1}) {
    const std::size_t place = some(
        *whole_, [&](std::size_t i) { return !is_level(whole_->layer("codes")[i]) && whole_->layer("plies")[i] > 2; });
    const Solved::Found found = whole_->verify(
        [&](auto& layers) { (*layers["plies"])[place] = static_cast<std::uint8_t>((*layers["plies"])[place] + by); });
    EXPECT_TRUE(names(found, VerifyKind::remoteness, whole_->text(place))) << shown(found);
  }
}

// "Unknown" would prove itself round a cycle.
TEST_F(Changed, NoRemoteness) {
  const Solved::Found found = whole_->verify([&](auto& layers) {
    for (std::uint8_t& plies : *layers["plies"]) plies = kUnknownPlies;
  });
  EXPECT_GT(found.of(VerifyKind::remoteness), 0U);
}

TEST_F(Changed, OneFact) {
  for (const int bit : {1, 2, 4}) {
    for (const int code : {130, 129, 135}) {
      const std::size_t place = some(*whole_, [&](std::size_t i) { return whole_->layer("codes")[i] == code; });
      const Solved::Found found =
          whole_->verify([&](auto& layers) { (*layers["facts"])[place] ^= static_cast<std::uint8_t>(bit); });
      EXPECT_TRUE(names(found, VerifyKind::facts, whole_->text(place))) << shown(found);
    }
  }
}

TEST_F(Changed, OneReached) {
  for (const int bit : {1, 2, 4, 8, 16, 32}) {
    const std::size_t place = whole_->layer("codes").size() / 3;
    const Solved::Found found =
        whole_->verify([&](auto& layers) { (*layers["reached"])[place] ^= static_cast<std::uint8_t>(bit); });
    EXPECT_EQ(found.bytes.wrong, 1U);
    EXPECT_TRUE(names(found, VerifyKind::reached, whole_->text(place))) << shown(found);
    EXPECT_TRUE(found.footer.empty()) << shown(found);
  }
}

TEST_F(Changed, OneStatistic) {
  const Json right = Json::parse(whole_->footer());
  for (const std::string place :
       {"/reachable/reachable", "/reachable/canonical", "/reachable/ended", "/reachable/first", "/reachable/second",
        "/reachable/tie", "/reachable/cycle", "/reachable/forced_cycle", "/reachable/ended_tie", "/reachable/margins/1",
        "/reachable/most_moves", "/whole_board/cycle"}) {
    Json footer = right;
    Json& entry = footer["summary"][Json::json_pointer(place)];
    ASSERT_TRUE(entry.is_number()) << place;
    entry = entry.get<std::uint64_t>() + 1;
    const Solved::Found found = whole_->verify({}, footer.dump());
    EXPECT_TRUE(found.bytes.holds());
    ASSERT_EQ(found.footer.size(), 1U) << place << "\n" << shown(found);
    EXPECT_EQ(found.footer[0].place, place);
  }
  Json footer = right;
  footer["summary"]["value"]["outcome"] = "second";
  EXPECT_EQ(whole_->verify({}, footer.dump()).footer.size(), 1U);
}

TEST_F(Changed, SameForAnyNumberOfThreads) {
  const auto change = [&](auto& layers) {
    for (std::uint8_t& code : *layers["codes"]) {
      if (code == kUnresolved) code = 129;
    }
  };
  std::string one;
  for (const std::size_t threads : {1, 2, 5}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const std::string found = shown(whole_->verify(change));
    if (one.empty()) one = found;
    EXPECT_EQ(found, one);
  }
}

TEST_F(Changed, LimitsAndInterrupts) {
  const auto reader = sure(TableReader::open(whole_->path()));
  VerifyOptions options;
  options.memory_bytes = 1000;
  EXPECT_TRUE(absl::IsResourceExhausted(verify_table(whole_->variant(), *reader, options).status()));
  options = {};
  int calls = 0;
  options.progress = [&](const VerifyProgress&) { return ++calls < 5; };
  EXPECT_TRUE(absl::IsCancelled(verify_table(whole_->variant(), *reader, options).status()));
  EXPECT_TRUE(absl::IsDataLoss(verify_table(game("populace", {"board=path:8"}), *reader, {}).status()));
}

// A game solved in one pass.
class OnePassChanged : public Changed {
 protected:
  static void SetUpTestSuite() { solved_ = new Solved(game("taifas", {"board=square:3x3"}), true); }
  static void TearDownTestSuite() { delete solved_; }
  static Solved* solved_;
};
Solved* OnePassChanged::solved_ = nullptr;

TEST_F(OnePassChanged, OneValue) {
  const auto& codes = solved_->layer("codes");
  std::set<int> tried;
  for (std::size_t i = 0; i < codes.size(); i += 97) {
    if (!tried.insert(codes[i]).second) continue;
    for (const int other : {255, 0, 127, 128, 131, 133, 135, 126, 130, 129, codes[i] + 1}) {
      if (other == codes[i]) continue;
      const Solved::Found found =
          solved_->verify([&](auto& layers) { (*layers["codes"])[i] = static_cast<std::uint8_t>(other); });
      EXPECT_FALSE(found.bytes.holds());
      EXPECT_GT(found.of(VerifyKind::value), 0U) << shown(found);
    }
  }
  EXPECT_GE(tried.size(), 3U);
}

TEST_F(OnePassChanged, OneRemoteness) {
  for (const int by : {-1, 1}) {
    const std::size_t place = some(*solved_, [&](std::size_t i) {
      return !is_level(solved_->layer("codes")[i]) && solved_->layer("plies")[i] > 2;
    });
    const Solved::Found found = solved_->verify(
        [&](auto& layers) { (*layers["plies"])[place] = static_cast<std::uint8_t>((*layers["plies"])[place] + by); });
    EXPECT_TRUE(names(found, VerifyKind::remoteness, solved_->text(place))) << shown(found);
    EXPECT_EQ(found.of(VerifyKind::value), 0U);
  }
}

TEST_F(OnePassChanged, OneReached) {
  const std::size_t bytes = solved_->layer("reached").size();
  for (std::size_t k = 1; k < 8; ++k) {
    const Solved::Found found = solved_->verify(
        [&](auto& layers) { (*layers["reached"])[bytes * k / 8] ^= static_cast<std::uint8_t>(1U << k); });
    EXPECT_EQ(found.bytes.wrong, 1U);
    EXPECT_EQ(found.of(VerifyKind::reached), 1U) << shown(found);
    EXPECT_TRUE(found.footer.empty()) << shown(found);
  }
}

TEST_F(OnePassChanged, OneStatistic) {
  const Json right = Json::parse(solved_->footer());
  for (const std::string place :
       {"/reachable/reachable", "/reachable/canonical", "/reachable/ended", "/reachable/first", "/reachable/second",
        "/reachable/tie", "/reachable/cycle", "/reachable/ended_tie", "/reachable/most_moves", "/whole_board/canonical",
        "/whole_board/ended_first", "/stored"}) {
    Json footer = right;
    Json& entry = footer["summary"][Json::json_pointer(place)];
    ASSERT_TRUE(entry.is_number()) << place;
    entry = entry.get<std::uint64_t>() + 1;
    const Solved::Found found = solved_->verify({}, footer.dump());
    EXPECT_TRUE(found.bytes.holds());
    ASSERT_EQ(found.footer.size(), 1U) << place << "\n" << shown(found);
    EXPECT_EQ(found.footer[0].place, place);
  }
}

TEST_F(OnePassChanged, TheSets) {
  std::vector<NamedLayer> layers;
  ASSERT_TRUE(tables_testing::read_table(solved_->path(), &layers).ok());
  const auto reader = sure(TableReader::open(solved_->path()));
  const std::string changed = solved_->path() + ".changed";
  for (NamedLayer& layer : layers) {
    if (layer.name != "sets") continue;
    for (std::size_t i = 0; i < layer.bytes.size(); i += 7) {
      layer.bytes[i] ^= 1;
      ASSERT_TRUE(tables_testing::write_table(changed, reader->header(), layers, reader->footer()).ok());
      layer.bytes[i] ^= 1;
      const OpenTable table = sure(open_table(changed));
      EXPECT_TRUE(absl::IsDataLoss(
          result_of(table, Game(solved_->variant(), solved_->variant().rules().start()), {}).status()));
      EXPECT_TRUE(absl::IsDataLoss(verify_table(solved_->variant(), *table.reader, {}).status()));
    }
  }
}

// Positions where the rules make no sense have no value: only such, and none that is reachable.
TEST(Verify, NoValue) {
  const Solved solved(variants_testing::made(
                          variants_testing::unstated("count(mine & near(mine) > 0) + (if passes > 2 then 1 else 0)")),
                      true);
  const auto& codes = solved.layer("codes");
  ASSERT_TRUE(solved.verify().bytes.holds()) << shown(solved.verify());
  std::size_t none = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool had_none = codes[i] == kNoSuccessor;
    if (had_none) ++none;
    const Solved::Found found = solved.verify(
        [&](auto& layers) { (*layers["codes"])[i] = had_none ? std::uint8_t{129} : std::uint8_t{kNoSuccessor}; });
    EXPECT_GT(found.of(VerifyKind::value), 0U) << i;
  }
  EXPECT_GT(none, 0U);
}

TEST(Summaries, ChancesMayDifferInTheirLastDigits) {
  const Json one = {{"random", {{"first", 0.4142441358470362}, {"plies", 1e6}}}, {"reachable", 5478}};
  Json other = one;
  other["random"]["first"] = 0.41424413584703407;
  other["random"]["plies"] = 1e6 + 1e-4;
  EXPECT_TRUE(compare_summaries(one, other).empty());
  other["random"]["first"] = 0.41424414;
  other["random"]["plies"] = 1e6 + 1e-2;
  other["reachable"] = 5479;
  EXPECT_EQ(compare_summaries(one, other).size(), 3U);
  other["random"]["first"] = nullptr;
  EXPECT_EQ(compare_summaries(one, other).size(), 3U);
}

}  // namespace
}  // namespace plenum::verify_test
