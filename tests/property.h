// SPDX-License-Identifier: Apache-2.0
// Properties of random cases (rapidcheck) inside GoogleTest tests.
//
//     check(200, [&] { const Position p = *positions(v.rule_set()); RC_ASSERT(...); });
#pragma once

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/sanitized.h"

namespace plenum {

// Runs a property so many times with a fixed seed; or as RC_PARAMS has it, where a caller gives that. Less often where a sanitizer looks
// on (kFewer).
template <typename Property>
void check(int count, const Property& property) {
  rc::detail::TestParams params;
  params.seed = 20'250'101;
  params.maxSuccess = std::max(1, count / kFewer);
  if (std::getenv("RC_PARAMS") != nullptr) params = rc::detail::configuration().testParams;
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto result = rc::detail::checkTestable(property, metadata, params);
  if (!result.template is<rc::detail::SuccessResult>()) {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    ADD_FAILURE() << text.str();
  }
}

}  // namespace plenum
