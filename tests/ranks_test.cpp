// SPDX-License-Identifier: Apache-2.0
// What ranks exchange, and tables that they write together.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "solver/cluster/ranked_table.h"
#include "solver/graph_ranks/fetched.h"
#include "tests/thread_ranks.h"

namespace plenum::ranks_test {
namespace {

TEST(Shares, CoverAllThingsInOrder) {
  for (int size = 1; size <= 7; ++size) {
    for (std::uint64_t things = 0; things < 40; ++things) {
      std::uint64_t next = 0;
      for (int r = 0; r < size; ++r) {
        const Share share = share_of(things, r, size);
        EXPECT_EQ(share.begin, next);
        next = share.end;
        EXPECT_LE(share.size(), things / static_cast<std::uint64_t>(size) + 1);
      }
      EXPECT_EQ(next, things);
    }
  }
}

TEST(Ranks, ExchangeGatherAndSum) {
  for (const int size : {1, 2, 3, 5}) {
    on_ranks(size, [&](Ranks& ranks) {
      std::vector<Parcel> to(static_cast<std::size_t>(size));
      for (int r = 0; r < size; ++r) put(to[static_cast<std::size_t>(r)], 100 * ranks.rank() + r);
      const std::vector<Parcel> from = ranks.exchange(std::move(to));
      ASSERT_EQ(from.size(), static_cast<std::size_t>(size));
      for (int r = 0; r < size; ++r)
        EXPECT_EQ(ParcelReader(from[static_cast<std::size_t>(r)]).get<int>(), 100 * r + ranks.rank());
      EXPECT_EQ(ranks.sum(static_cast<std::uint64_t>(ranks.rank())), static_cast<std::uint64_t>(size * (size - 1) / 2));
      const std::vector<std::uint64_t> own = {1, static_cast<std::uint64_t>(ranks.rank())};
      EXPECT_EQ(ranks.sums(own)[0], static_cast<std::uint64_t>(size));
      EXPECT_EQ(ranks.any(ranks.rank() == size - 1), true);
      Parcel told;
      if (ranks.rank() == size - 1) put(told, 17);
      EXPECT_EQ(ParcelReader(ranks.broadcast(size - 1, told)).get<int>(), 17);
    });
  }
}

TEST(Ranks, HearWhatAnySays) {
  for (const int size : {1, 2, 3, 5}) {
    on_ranks(size, [&](Ranks& ranks) {
      for (int round = 0; round < 20; ++round) {
        const auto speaks = [&](int k) { return ranks.rank() == (round + k) % size ? 1 : 0; };
        const auto bits = static_cast<std::uint8_t>(speaks(0) | speaks(1) << 3 | (round % 2 != 0 ? speaks(0) << 7 : 0));
        const auto begun = ranks.begin_saying(bits, std::vector<Parcel>(static_cast<std::size_t>(size), Parcel(5)));
        for (const Parcel& parcel : begun->finish()) EXPECT_EQ(parcel.size(), 5U);
        EXPECT_EQ(begun->heard(), round % 2 != 0 ? 0x89 : 0x09);
        const auto silent = ranks.begin_exchange(std::vector<Parcel>(static_cast<std::size_t>(size)));
        silent->finish();
        EXPECT_EQ(silent->heard(), 0);
      }
    });
  }
}

// Of all lengths, one rank having nothing: each thing once, in the order of its rank.
TEST(Mail, ComesInPiecesToAll) {
  for (const int size : {1, 2, 3}) {
    for (const std::size_t things : {0, 1, 9, 10, 11, 35}) {
      on_ranks(size, [&](Ranks& ranks) {
        const std::size_t own = ranks.rank() == 1 ? 0 : things + static_cast<std::size_t>(ranks.rank());
        Mail<std::uint32_t> mail(ranks);
        std::vector<std::vector<std::uint32_t>> came(static_cast<std::size_t>(size));
        std::size_t pieces = 0;
        mail.in_pieces(
            own,
            [&](std::size_t from, std::size_t to) {
              for (std::size_t i = from; i < to; ++i)
                mail.add(i % static_cast<std::size_t>(size), static_cast<std::uint32_t>(i));
            },
            [&](const std::vector<Letters<std::uint32_t>>& letters) {
              ++pieces;
              for (std::size_t r = 0; r < letters.size(); ++r) {
                for (std::size_t k = 0; k < letters[r].size(); ++k) came[r].push_back(letters[r][k]);
              }
            },
            /*at_a_time=*/10);
        const std::size_t most = things + (size == 3 ? 2 : 0);
        EXPECT_EQ(pieces, std::max<std::size_t>(1, (most + 9) / 10));
        for (std::size_t r = 0; r < came.size(); ++r) {
          std::vector<std::uint32_t> wanted;
          for (std::size_t i = 0; i < (r == 1 ? 0 : things + r); ++i) {
            if (i % came.size() == static_cast<std::size_t>(ranks.rank()))
              wanted.push_back(static_cast<std::uint32_t>(i));
          }
          EXPECT_EQ(came[r], wanted);
        }
      });
    }
  }
}

// A search along the edges i -> 2 i + 1 and i -> 3 i, taken by remainders: each number once, also those that a rank finds for itself in
// more than one round.
TEST(Mail, GoesOnUntilNothingWaits) {
  constexpr std::uint32_t kNumbers = 400'000;
  const auto each_next = [](std::uint32_t i, const auto& visit) {
    for (const std::uint32_t next : {2 * i + 1, 3 * i, i + 6}) {
      if (next < kNumbers) visit(next);
    }
  };
  std::vector<std::uint8_t> wanted(kNumbers, 0);
  std::vector<std::uint32_t> queue = {5};
  wanted[5] = 1;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    each_next(queue[k], [&](std::uint32_t next) {
      if (wanted[next]++ == 0) queue.push_back(next);
      wanted[next] = 1;
    });
  }
  ASSERT_GT(queue.size(), 3 * kThingsARound);
  for (const std::uint32_t size : {1, 2, 3}) {
    on_ranks(static_cast<int>(size), [&](Ranks& ranks) {
      const auto rank = static_cast<std::uint32_t>(ranks.rank());
      std::vector<std::uint8_t> found(kNumbers, 0);
      std::vector<std::uint32_t> waiting;
      const auto hear = [&](std::uint32_t i, std::size_t /*rank*/) {
        EXPECT_EQ(i % size, rank);
        if (std::exchange(found[i], 1) == 0) waiting.push_back(i);
      };
      if (5 % size == rank) hear(5, rank);
      Mail<std::uint32_t> mail(ranks);
      const auto take = [&](std::uint32_t i) {
        each_next(i, [&](std::uint32_t next) {
          if (next % size == rank) {
            hear(next, rank);
          } else {
            mail.add(next % size, next);
          }
        });
      };
      mail.until_done(waiting, take, hear);
      EXPECT_TRUE(waiting.empty());
      for (std::uint32_t i = rank; i < kNumbers; i += size) EXPECT_EQ(found[i], wanted[i]) << i;
    });
  }
}

// Few that are wanted are asked for; where most are, all are sent once.
TEST(Fetched, AnswersWhatIsWanted) {
  for (const std::uint64_t asked : {0, 1000}) {
    on_ranks(3, [&](Ranks& ranks) {
      const std::vector<std::uint64_t> sizes = {100, 0, 70};
      const auto own = static_cast<std::size_t>(ranks.rank());
      Fetched<std::uint16_t> fetched(sizes, asked, ranks);
      for (int round = 0; round < 3; ++round) {
        std::vector<std::pair<std::size_t, PositionIndex>> wanted;
        for (std::size_t r = 0; r < sizes.size(); ++r) {
          if (r == own) continue;
          for (PositionIndex p = static_cast<PositionIndex>(round); p < sizes[r]; p += 7) wanted.emplace_back(r, p);
        }
        fetched.clear();
        fetched.want([&](const auto& want) {
          for (const auto& [r, p] : wanted) want(r, p);
        });
        fetched.fetch([&](PositionIndex p) { return static_cast<std::uint16_t>(1000 * own + p); });
        for (const auto& [r, p] : wanted) EXPECT_EQ(fetched(r, p), 1000 * r + p);
      }
    });
  }
}

TEST(Ranks, AgreeOnTheFirstError) {
  on_ranks(3, [](Ranks& ranks) {
    EXPECT_TRUE(ranks.agree(absl::OkStatus()).ok());
    const absl::Status own =
        ranks.rank() == 0 ? absl::OkStatus() : absl::ResourceExhaustedError(ranks.rank() == 1 ? "one" : "two");
    const absl::Status all = ranks.agree(own);
    EXPECT_TRUE(absl::IsResourceExhausted(all));
    EXPECT_EQ(all.message(), "one");
  });
}

TEST(Ranks, LettersArriveInOrder) {
  on_ranks(2, [](Ranks& ranks) {
    if (!ranks.root()) {
      for (int i = 0; i < 3; ++i) {
        Parcel bytes;
        put(bytes, i);
        ranks.send(0, std::move(bytes));
      }
      return;
    }
    for (int i = 0; i < 3;) {
      const std::optional<Ranks::Letter> letter = ranks.receive();
      if (!letter) continue;
      EXPECT_EQ(letter->from, 1);
      EXPECT_EQ(ParcelReader(letter->bytes).get<int>(), i++);
    }
  });
}

class RankedTables : public ::testing::Test {
 protected:
  RankedTables() : folder_(std::filesystem::temp_directory_path() / ("ranks" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
  }
  ~RankedTables() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_;
};

// Bytes in runs, so that they compress.
std::vector<std::uint8_t> made_up(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> out(size);
  for (std::size_t i = 0; i < size;) {
    const auto value = static_cast<std::uint8_t>(random() % 7);
    for (std::size_t run = random() % 90 + 1; run > 0 && i < size; --run) out[i++] = value;
  }
  return out;
}

TEST_F(RankedTables, AreByteForByteThoseOfOneProcess) {
  const std::vector<std::size_t> sizes = {0, 1, 2047, 2048, 1048576, 1048577, 21'000'003};
  auto writer = TableWriter::create(path("alone"), "header");
  ASSERT_TRUE(writer.ok());
  std::vector<std::vector<std::uint8_t>> layers;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    layers.push_back(made_up(sizes[k], static_cast<unsigned>(k)));
    ASSERT_TRUE((*writer)->begin_layer("layer" + std::to_string(k)).ok());
    ASSERT_TRUE((*writer)->append(layers.back()).ok());
  }
  ASSERT_TRUE((*writer)->finish("footer").ok());
  const std::string alone = read(path("alone"));
  for (const int size : {1, 2, 3, 5}) {
    const std::string name = path("by" + std::to_string(size));
    on_ranks(size, [&](Ranks& ranks) {
      RankedTable table(ranks);
      ASSERT_TRUE(table.create(name, "header").ok());
      for (std::size_t k = 0; k < layers.size(); ++k) {
        // Pieces of odd lengths that go round the ranks, the last of them longer.
        const std::size_t piece = layers[k].size() / 7 + 1;
        std::vector<Segment> own;
        for (std::size_t begin = 0, i = 0; begin < layers[k].size(); begin += piece, ++i) {
          if (static_cast<int>(i) % ranks.size() == ranks.rank())
            own.push_back({begin, std::span(layers[k]).subspan(begin, std::min(piece, layers[k].size() - begin))});
        }
        ASSERT_TRUE(table.write("layer" + std::to_string(k), layers[k].size(), own).ok());
      }
      ASSERT_TRUE(table.finish("footer").ok());
    });
    EXPECT_TRUE(read(name) == alone) << size << " ranks";
  }
}

TEST_F(RankedTables, GiveTheSameErrorToAllRanks) {
  on_ranks(3, [&](Ranks& ranks) {
    RankedTable table(ranks);
    EXPECT_FALSE(table.create(path("missing/folder/table"), "header").ok());
    RankedTable other(ranks);
    ASSERT_TRUE(other.create(path("names"), "header").ok());
    EXPECT_FALSE(other.write("", 0, {}).ok());
  });
}

}  // namespace
}  // namespace plenum::ranks_test
