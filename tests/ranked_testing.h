// SPDX-License-Identifier: Apache-2.0
// A game solved by several ranks against the same solved by one process: table, byte for byte, and summary.
//
//     const SolvedTable one = solved_by_one(method, variant, request, folder / "one");
//     for (const SolvedTable& rank : solved_by_ranks(3, method, variant, request, folder / "three")) expect_same(rank, one);
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solver/cluster/ranked_table.h"
#include "solver/method/all_methods.h"
#include "tests/solver_testing.h"
#include "tests/table_files.h"
#include "tests/thread_ranks.h"
#include "tests/variants_testing.h"

namespace plenum::ranked_testing {

struct SolvedTable {
  absl::Status status;
  Summary summary;
  tables_testing::Bytes bytes;  // of the file; empty where it was not solved
};

// In the order in which they are written.
inline absl::Status write_whole(const Result& result, const std::string& path) {
  absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, "header");
  if (!writer.ok()) return writer.status();
  std::string at;
  const absl::Status written = result.write_layers([&](std::string_view layer, std::span<const std::uint8_t> bytes) {
    absl::Status begun;
    if (layer != at) begun = (*writer)->begin_layer(std::string(layer));
    at = std::string(layer);
    return begun.ok() ? (*writer)->append(bytes) : begun;
  });
  return written.ok() ? (*writer)->finish("footer") : written;
}

inline SolvedTable solved_by_one(const Method& method, const Variant& variant, const Request& request,
                                 const std::string& path) {
  const Game game(variant, variant.rules().start());
  const absl::StatusOr<SharedResult> result = method.solve(game, request);
  if (!result.ok()) return {result.status(), {}, {}};
  const absl::Status written = write_whole(**result, path);
  return {written, (*result)->summary(), tables_testing::contents(path)};
}

// By rank.
inline std::vector<SolvedTable> solved_by_ranks(int size, const Method& method, const Variant& variant,
                                                const Request& request, const std::string& path) {
  std::vector<SolvedTable> out(static_cast<std::size_t>(size));
  on_ranks(size, [&](Ranks& ranks) {
    SolvedTable& own = out[static_cast<std::size_t>(ranks.rank())];
    Request asked = request;
    asked.ranks = &ranks;
    asked.wanted.ranks = size;
    const Game game(variant, variant.rules().start());
    const absl::StatusOr<SharedResult> result = method.solve(game, asked);
    own.status = result.status();
    if (!result.ok()) return;
    own.summary = (*result)->summary();
    ASSERT_EQ((*result)->whole(), size == 1);
    if (size == 1) {
      own.status = write_whole(**result, path);
    } else {
      RankedTable table(ranks);
      own.status = table.create(path, "header");
      if (own.status.ok()) own.status = (*result)->write_layers(table);
      if (own.status.ok()) own.status = table.finish("footer");
    }
    own.bytes = tables_testing::contents(path);
  });
  return out;
}

// What is said of the start: value, openings, pie.
inline void expect_same_start(const Summary& a, const Summary& b) {
  EXPECT_EQ(a.start_value, b.start_value);
  ASSERT_EQ(a.openings.size(), b.openings.size());
  for (std::size_t i = 0; i < a.openings.size(); ++i) {
    EXPECT_EQ(a.openings[i].text, b.openings[i].text);
    EXPECT_EQ(a.openings[i].after, b.openings[i].after);
    EXPECT_EQ(a.openings[i].in_pie, b.openings[i].in_pie);
  }
  ASSERT_EQ(a.pie.has_value(), b.pie.has_value());
  if (a.pie) {
    EXPECT_EQ(a.pie->margin, b.pie->margin);
    EXPECT_EQ(a.pie->openings, b.pie->openings);
  }
}

inline void expect_same(const SolvedTable& found, const SolvedTable& wanted) {
  ASSERT_TRUE(found.status.ok()) << found.status;
  ASSERT_TRUE(wanted.status.ok()) << wanted.status;
  ASSERT_FALSE(wanted.bytes.empty());
  EXPECT_TRUE(found.bytes == wanted.bytes);
  const Summary& a = found.summary;
  const Summary& b = wanted.summary;
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.stored, b.stored);
  EXPECT_EQ(a.remoteness_known, b.remoteness_known);
  EXPECT_EQ(a.facts_known, b.facts_known);
  expect_same_start(a, b);
  EXPECT_EQ(a.cyclic, b.cyclic);
  ASSERT_EQ(a.statistics.has_value(), b.statistics.has_value());
  if (a.statistics) solver_testing::expect_equal(*a.statistics, *b.statistics);
  ASSERT_EQ(a.whole_board.has_value(), b.whole_board.has_value());
  if (a.whole_board) solver_testing::expect_equal(*a.whole_board, *b.whole_board);
}

inline void check_ranks(const Method& method, const Variant& variant, Request request = {}) {
  SCOPED_TRACE(variant.identity().text);
  const tables_testing::TestFolder folder;
  const SolvedTable one = solved_by_one(method, variant, request, folder / "one");
  for (const int size : {1, 2, 3, 5}) {
    SCOPED_TRACE(size);
    for (const SolvedTable& rank : solved_by_ranks(size, method, variant, request, folder / "several"))
      expect_same(rank, one);
  }
}

// Too little memory of one rank is everybody's, and said before anything is done.
inline void check_refusal(const Method& method, const Variant& variant) {
  on_ranks(2, [&](Ranks& ranks) {
    Request request;
    request.ranks = &ranks;
    request.wanted.memory_bytes = ranks.root() ? std::uint64_t{1} << 40 : 1'000'000;
    const Game own(variant, variant.rules().start());
    EXPECT_EQ(method.solve(own, request).status().code(), absl::StatusCode::kResourceExhausted);
  });
}

// The files of a checkpoint by name.
inline std::map<std::string, tables_testing::Bytes> pieces_of(const Checkpoint& checkpoint) {
  std::map<std::string, tables_testing::Bytes> out;
  for (const auto& file : std::filesystem::directory_iterator(checkpoint.folder()))
    out.emplace(file.path().filename(), tables_testing::contents(file.path()));
  return out;
}

// Stopped again and again, at later and later reports, and gone on with by another number of ranks each time. What is finished is the same as
// what one process finishes; returns how often it was stopped.
inline int check_going_on(const Method& method, const Variant& variant, std::uint64_t step) {
  SCOPED_TRACE(variant.identity().text);
  const tables_testing::TestFolder folder;
  const Checkpoint kept = variants_testing::sure(Checkpoint::open(folder / "whole", "this game"));
  Request request;
  request.checkpoint = &kept;
  const SolvedTable one = solved_by_one(method, variant, request, folder / "one");
  const auto wanted = pieces_of(kept);
  const Checkpoint checkpoint = variants_testing::sure(Checkpoint::open(folder / "game", "this game"));
  request.checkpoint = &checkpoint;
  const std::vector<int> sizes = {3, 2, 1, 5};
  int stopped = 0;
  std::size_t pieces = 0;
  for (std::uint64_t most = 1;; most += step) {
    const int size = sizes[static_cast<std::size_t>(stopped) % sizes.size()];
    SCOPED_TRACE(size);
    std::uint64_t reports = 0;
    request.progress = [&](const WorkProgress&) { return ++reports < most; };
    const std::vector<SolvedTable> found = solved_by_ranks(size, method, variant, request, folder / "several");
    for (const auto& [name, bytes] : pieces_of(checkpoint)) {
      EXPECT_EQ(wanted.count(name), 1U) << name;
      EXPECT_TRUE(wanted.at(name) == bytes) << name;
    }
    EXPECT_GE(checkpoint.finished().size(), pieces);
    pieces = checkpoint.finished().size();
    const bool done = found.front().status.ok();
    for (const SolvedTable& rank : found) {
      EXPECT_EQ(rank.status, found.front().status);
      if (done) expect_same(rank, one);
    }
    if (done) break;
    EXPECT_EQ(found.front().status.code(), absl::StatusCode::kCancelled) << found.front().status;
    if (found.front().status.code() != absl::StatusCode::kCancelled) break;
    ++stopped;
  }
  EXPECT_EQ(pieces, wanted.size());
  EXPECT_GT(pieces, 0U);
  return stopped;
}

}  // namespace plenum::ranked_testing
