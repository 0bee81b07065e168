// SPDX-License-Identifier: Apache-2.0
// The games of data/bench.json take the methods that stand there, on any machine. `plenum bench --choice` solves them.
#include <map>
#include <set>
#include <string>

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "tests/sanitized.h"
#include "tests/variants_testing.h"
#include "tools/commands/bench_list.h"

namespace plenum::variants_testing::choice_list_test {
namespace {

constexpr std::size_t kGames = 40;
constexpr int kOfEach = 3;  // at least

const std::vector<ChoiceCase>& cases() {
  static const std::vector<ChoiceCase> all = sure(read_choice_cases(absl::StrCat(PLENUM_DATA_FOLDER, "/bench.json")));
  return all;
}

TEST(ChoiceList, HasEveryMethod) {
  EXPECT_GE(cases().size(), kGames);
  std::map<std::string, int> chosen;
  std::set<std::string> names;
  for (const ChoiceCase& one : cases()) {
    ++chosen[one.method];
    EXPECT_TRUE(names.insert(one.name).second) << one.name << " is there twice";
    EXPECT_NE(find_method(one.method), nullptr) << one.name << ": " << one.method;
  }
  for (const Method* method : methods()) EXPECT_GE(chosen[std::string(method->name())], kOfEach) << method->name();
}

TEST(ChoiceList, HoldsOnAnyMachine) {
  for (const ChoiceCase& one : cases()) {
    const Variant variant = sure(make_game(one.game));
    // A limit leaves little to a program that holds a sanitizer too.
    if (kSanitized && !one.memory.empty()) continue;
    RunArguments arguments;
    arguments.memory = one.memory;
    const Choice choice =
        sure(choose(Game(variant, variant.rules().start()), {.memory_bytes = sure(memory_limit(arguments))}));
    EXPECT_EQ(method_of(choice.method).name(), one.method) << one.name << ": " << choice.reason;
  }
}

}  // namespace
}  // namespace plenum::variants_testing::choice_list_test
