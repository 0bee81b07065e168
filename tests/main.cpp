// SPDX-License-Identifier: Apache-2.0
// The tests of a folder, or those of one of its files:
//
//     solver_tests                       all, as GoogleTest's own options select them
//     solver_tests cycles_test           those of cycles_test.cpp, but for suites whose names begin with "Long"
//     solver_tests one_pass_test --long  these alone
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

// The filter for these tests; empty if there are none.
std::string tests_of(std::string_view file, bool slow) {
  std::string out;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    // A suite of parameters has the name of their list before its own: Long/Published.
    if (std::string_view(suite.name()).starts_with("Long") != slow) continue;
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      std::string_view path = test.file();
      path.remove_prefix(path.rfind('/') + 1);
      if (path.substr(0, path.rfind('.')) == file)
        (out += out.empty() ? "" : ":").append(suite.name()).append(".").append(test.name());
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool slow = argc == 3 && std::strcmp(argv[2], "--long") == 0;
  if (argc > 3 || (argc == 3 && !slow)) {
    std::cerr << "usage: " << argv[0] << " [FILE [--long]] [GoogleTest's options]\n";
    return 2;
  }
  if (argc > 1) {
    const std::string filter = tests_of(argv[1], slow);
    if (filter.empty()) {
      std::cerr << argv[0] << ": no tests in '" << argv[1] << "'\n";
      return 2;
    }
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
