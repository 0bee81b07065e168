// SPDX-License-Identifier: Apache-2.0
// What every result says of all of its positions: those shown for whole classes against all of them one by one, and values of many against
// values of one.
#include "solver/result/result.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solver/dense/judged.h"
#include "solver/method/method.h"
#include "tests/variants_testing.h"

namespace plenum::result_test {
namespace {

using variants_testing::sure;

struct Case {
  std::string name;
  std::vector<std::string> settings;
  MethodId method;
};

std::vector<Case> cases() {
  return {{"populace", {"board=square:2x3"}, MethodId::graph},
          {"populace", {"board=square:2x3"}, MethodId::rows},
          {"populace", {"board=hexhex:2", "button=on"}, MethodId::rows},
          {"populace", {"board=square:2x2", "threat=1"}, MethodId::rows},
          {"cascade", {"board=square:3x3", "fill=both"}, MethodId::one_pass},
          {"in-crowd", {"board=square:3x3"}, MethodId::one_pass},
          {"in-crowd", {"board=square:3x3"}, MethodId::graph},
          {"taifas", {"board=square:3x3"}, MethodId::one_pass},
          {"connect-4", {"board=square:3x4"}, MethodId::one_pass},
          {"connect-4", {"board=square:3x4"}, MethodId::graph},
          {"safety-in-numbers", {"board=square:4x4", "material=KRvK"}, MethodId::ending},
          {"safety-in-numbers", {"board=square:4x5", "material=KPvK"}, MethodId::ending}};
}

std::shared_ptr<const Result> solved(const Case& one) {
  const Variant variant = variants_testing::game(one.name, one.settings);
  return sure(method_of(one.method).solve(Game(variant, variant.rules().start()), {}));
}

std::vector<Result::Visit> all_of(const Result& result, Result::Fold fold) {
  std::vector<Result::Visit> out;
  for (std::size_t part = 0; part < result.parts(); ++part) {
    const absl::Status done = result.each(part, fold, [&](std::span<const Result::Visit> seen) {
      out.insert(out.end(), seen.begin(), seen.end());
      return absl::OkStatus();
    });
    EXPECT_TRUE(done.ok()) << done;
  }
  return out;
}

TEST(Result, ShowsTheSameValuesWithoutThePositions) {
  std::vector<Case> some = cases();
  some.push_back({"chess", {"material=KRvKR"}, MethodId::ending});  // stands for the players exchanged, too
  some.push_back({"safety-in-numbers", {"board=square:4x4", "material=KvKR"}, MethodId::ending});
  for (const Case& one : some) {
    const auto result = solved(one);
    const std::vector<Result::Visit> visits = all_of(*result, Result::Fold::images);
    std::size_t i = 0;
    for (std::size_t part = 0; part < result->parts(); ++part) {
      const absl::Status done = result->each_value(part, [&](std::span<const Result::Glance> seen) {
        for (const Result::Glance& glance : seen) {
          if (i == visits.size()) return absl::InternalError("more than each() shows");
          EXPECT_EQ(glance.value, visits[i].value) << one.name << ' ' << i;
          EXPECT_EQ(glance.images, visits[i].images) << one.name << ' ' << i;
          EXPECT_EQ(glance.stones, result->variant().rules().stones(visits[i].position)) << one.name << ' ' << i;
          ++i;
        }
        return absl::OkStatus();
      });
      EXPECT_TRUE(done.ok()) << done;
    }
    EXPECT_EQ(i, visits.size()) << one.name;
  }
}

GroupElement element_of(const SymmetryGroup& group, const std::vector<Cell>& permutation) {
  for (std::size_t g = 0; g < group.size(); ++g) {
    const Symmetry& s = group.elements()[g];
    if (!s.exchange && s.permutation == permutation) return static_cast<GroupElement>(g);
  }
  ADD_FAILURE() << "no symmetry of the game";
  return kIdentity;
}

TEST(Result, ShowsEveryPositionOnceOrOneOfEachClass) {
  for (const Case& one : cases()) {
    const auto result = solved(one);
    const Rules& rules = result->variant().rules();
    std::map<std::string, PositionValue> single;
    for (const Result::Visit& seen : all_of(*result, Result::Fold::none)) {
      EXPECT_EQ(seen.images, 1U);
      EXPECT_TRUE(single.emplace(rules.write(seen.position), seen.value).second) << rules.write(seen.position);
    }
    if (const auto& statistics = result->summary().statistics) {
      EXPECT_EQ(single.size(), statistics->reachable) << one.name;
    }
    const SymmetryGroup& group = result->variant().symmetries();
    std::set<GroupElement> folds;
    for (const std::vector<Cell>& permutation : result->folds()) folds.insert(element_of(group, permutation));
    EXPECT_GT(folds.size(), 1U) << one.name;
    std::size_t met = 0;
    const std::vector<Result::Visit> classes = all_of(*result, Result::Fold::images);
    EXPECT_LT(classes.size(), single.size()) << one.name;
    std::set<std::string> names;
    for (const Result::Visit& seen : classes) {
      std::set<std::string> images;
      for (const GroupElement g : folds) images.insert(rules.write(group.apply(g, seen.position)));
      // A board of a set of cells that is symmetric in itself stands for itself alone; its images are shown too.
      EXPECT_EQ(images.size() % seen.images, 0U) << one.name << " " << rules.write(seen.position);
      met += seen.images;
      for (const std::string& image : images) {
        names.insert(image);
        ASSERT_EQ(single.count(image), 1U) << one.name << " " << image;
        EXPECT_EQ(single[image], seen.value) << one.name << " " << image;
      }
    }
    EXPECT_EQ(met, single.size()) << one.name;
    EXPECT_EQ(names.size(), single.size()) << one.name;
  }
}

TEST(Result, SaysOfManyWhatItSaysOfEach) {
  for (const Case& one : cases()) {
    const auto result = solved(one);
    const Rules& rules = result->variant().rules();
    std::vector<Position> positions;
    for (const Result::Visit& seen : all_of(*result, Result::Fold::none)) {
      if (positions.size() < 2000 || positions.size() % 7 == 0) positions.push_back(seen.position);
    }
    // And some that are not reachable, as another player to move.
    for (std::size_t i = 0; i < positions.size(); i += 11) {
      positions[i].mover = other(positions[i].mover);
      if (!rules.read(Span::whole("position", rules.write(positions[i]))).ok())
        positions[i].mover = other(positions[i].mover);
    }
    for (const Result::Among among : {Result::Among::all, Result::Among::reachable}) {
      const auto many = sure(result->values(positions, among));
      ASSERT_EQ(many.size(), positions.size());
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const absl::StatusOr<PositionValue> value = result->value(positions[i]);
        const absl::StatusOr<bool> reachable = result->reachable(positions[i]);
        const bool wanted = value.ok() && (among == Result::Among::all || (reachable.ok() && *reachable));
        ASSERT_EQ(many[i].has_value(), wanted) << one.name << " " << rules.write(positions[i]);
        if (wanted) {
          EXPECT_EQ(*many[i], *value) << one.name << " " << rules.write(positions[i]);
        }
      }
    }
  }
}

// What one position comes to does not depend on those that are looked at with it, nor on those before.
TEST(Judged, SaysTheSameOfAPositionInAnyCompany) {
  const Variant v = variants_testing::made(R"toml(name = "T"
[options]
board = { default = "path:4" }
[state]
n = { type = "number", range = [0, 4], start = 0 }
[moves.place]
to = "if any(mine) | !any(theirs) | count(theirs) == 1 then empty else none"
then = "n = n + 1"
[end]
when = "!any(empty)"
score = "count(mine) + n"
)toml");
  const Position ended = variants_testing::position(v, "ooox 1 n=4");
  const Position stuck = variants_testing::position(v, "oo2 1 n=2");     // nothing is said of that
  const Position senseless = variants_testing::position(v, "x3 2 n=4");  // a move would make it 5
  const Position sound = variants_testing::position(v, "x3 2 n=1");
  Judged judged(v.rules());
  for (const std::vector<Position>& all : std::vector<std::vector<Position>>{
           {ended, stuck, sound}, {sound, ended}, {stuck, senseless}, {senseless, sound, stuck, ended}, {ended}, {}}) {
    for (const Judged::Wanted wanted :
         {Judged::Wanted::all_replies, Judged::Wanted::no_replies, Judged::Wanted::after_pass}) {
      judged.clear();
      for (const Position& p : all) judged.ask(p);
      judged.look(wanted);
      std::vector<std::string> found(all.size());
      for (std::size_t r = 0; r < judged.replies().size; ++r)
        found[judged.parent(r)] += v.rules().write(judged.replies().at(r)) + " ";
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(judged.status(i).ok(), all[i] == ended || all[i] == sound) << v.rules().write(all[i]);
        if (judged.status(i).ok()) {
          EXPECT_EQ(judged.ended(i), all[i] == ended);
        }
        if (all[i] == ended) {
          EXPECT_EQ(judged.margin(i).margin.units, -2);
        }
        if (wanted == Judged::Wanted::all_replies) {
          EXPECT_EQ(judged.moves(i), all[i] == sound ? 3 : 0);
          EXPECT_EQ(found[i], all[i] == sound ? "xo2 1 n=2 x1o1 1 n=2 x2o 1 n=2 " : "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace plenum::result_test
