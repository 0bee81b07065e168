// SPDX-License-Identifier: Apache-2.0
// Arrays that lie in files: what they hold stays, whatever the process has in memory.
#include "tables/scratch.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "solver/support/memory.h"
#include "tables/big_bytes.h"
#include "tests/sanitized.h"

namespace plenum::scratch_test {
namespace {

constexpr std::uint64_t kMemory = 64'000'000;

class Scratched : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_FALSE(Scratch::begin("/no/such/folder", kMemory).ok());
    ASSERT_FALSE(Scratch::active());
    const auto folder = std::filesystem::temp_directory_path();
    const std::uint64_t free = std::filesystem::space(folder).available;
    ASSERT_TRUE(Scratch::begin(folder.string(), kMemory, /*processes=*/2).ok());
    ASSERT_TRUE(Scratch::active());
    EXPECT_GT(Scratch::room(), 0U);
    EXPECT_LT(Scratch::room(), free / 2);  // the other process has as much
  }
};

std::uint64_t resident() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t held = 0;
  statm >> total >> held;
  return held * 4096;
}

// What a place holds, of array k.
std::uint64_t made(std::uint64_t k, std::uint64_t i) {
  return (k * 0x9E3779B97F4A7C15ULL) ^ (i * 0xD6E8FEB86659FD93ULL);
}

TEST_F(Scratched, ArraysOfAllSizesKeepWhatTheyHold) {
  std::mt19937_64 random(7);
  std::vector<std::vector<std::uint64_t>> arrays;
  std::vector<std::uint64_t> numbers;
  std::uint64_t held = 0;
  const auto check = [&](std::size_t at) {
    for (std::uint64_t i = 0; i < arrays[at].size(); ++i) ASSERT_EQ(arrays[at][i], made(numbers[at], i));
  };
  for (std::uint64_t step = 0; step < 6000; ++step) {
    if (held > 250'000'000 || (!arrays.empty() && random() % 5 < 2)) {
      const std::size_t at = random() % arrays.size();
      if (step % 7 == 0) check(at);
      held -= 8 * arrays[at].size();
      std::swap(arrays[at], arrays.back());
      std::swap(numbers[at], numbers.back());
      arrays.pop_back();
      numbers.pop_back();
      continue;
    }
    // Below, about and above the sizes at which they lie elsewhere.
    const std::size_t size = std::size_t{1} << (random() % 19);
    std::vector<std::uint64_t> one(size + random() % 3);
    for (std::uint64_t i = 0; i < one.size(); ++i) one[i] = made(step, i);
    held += 8 * one.size();
    arrays.push_back(std::move(one));
    numbers.push_back(step);
  }
  for (std::size_t at = 0; at < arrays.size(); ++at) check(at);
}

// Of one that works piece by piece, however busy the cores are.
TEST_F(Scratched, TheProcessStaysWithinItsMemory) {
  if (kSanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  constexpr std::size_t kPiece = 1 << 20;
  BigBytes bytes(500'000'000);
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 512) {
    if (i % kPiece == 0) {
      most = std::max(most, resident());
      Scratch::keep_pace();
    }
    bytes[i] = static_cast<std::uint8_t>(made(1, i));
  }
  for (std::size_t i = 0; i < bytes.size(); i += 512) ASSERT_EQ(bytes[i], static_cast<std::uint8_t>(made(1, i)));
  std::cout << "at most " << most << " bytes\n";
  EXPECT_LT(most, kMemory + kMemory / 4);  // what came between two looks
}

TEST_F(Scratched, WhatIsForgottenComesAgainAsZero) {
  BigBytes bytes(8'000'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = 7;
  clear_pages(bytes.data() + 100, 5'000'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], i >= 100 && i < 5'000'100 ? 0 : 7) << i;
}

TEST_F(Scratched, ThreadsTakeAndGiveBackAtTheSameTime) {
  std::atomic<bool> wrong = false;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (std::uint64_t step = 0; step < 400; ++step) {
        std::vector<std::uint64_t> one(600 + random() % 200'000);
        for (std::uint64_t i = 0; i < one.size(); i += 97) one[i] = made(step + t, i);
        for (std::uint64_t i = 0; i < one.size(); i += 97) {
          if (one[i] != made(step + t, i)) wrong = true;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(wrong);
}

}  // namespace
}  // namespace plenum::scratch_test
