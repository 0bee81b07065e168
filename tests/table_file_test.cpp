// SPDX-License-Identifier: Apache-2.0
// Table files: what was written is read, at any place; the same bytes whatever the threads; no damaged byte is ever given out;
// no file that lies leads anybody out of bounds.
#include "tables/file/table_file.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <xxhash.h>

#include "tests/table_files.h"

namespace plenum::table_file_test {
namespace {

using namespace tables_testing;  // NOLINT(google-build-using-namespace)

TEST(TableFile, GivesBackWhatWasWritten) {
  const TestFolder folder;
  const std::string path = folder / "t";
  for (const std::uint32_t block : {256U, kTableBlockBytes, 1U << 20}) {
    const std::size_t b = block;
    const std::vector<std::size_t> sizes = {0, 1, b - 1, b, b + 1, 7 * b, 0, (std::size_t{1} << 20) + 3, 2 * b + 5};
    std::vector<NamedLayer> layers;
    layers.reserve(sizes.size());
    for (const std::size_t size : sizes)
      layers.push_back({"layer " + std::to_string(layers.size()), random_layer(size, layers.size())});
    const std::string header(b % 1000, 'h');
    ASSERT_TRUE(write_table(path, header, layers, "the end\n", block, block == 256 ? 1000 : 1 << 20).ok());
    const auto reader = TableReader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ((*reader)->header(), header);
    EXPECT_EQ((*reader)->footer(), "the end\n");
    EXPECT_EQ((*reader)->file_bytes(), contents(path).size());
    EXPECT_TRUE((*reader)->check().ok());
    ASSERT_EQ((*reader)->layers().size(), sizes.size());
    EXPECT_FALSE((*reader)->find_layer("layer"));
    std::mt19937_64 random(block);
    const auto kept = TableReader::open(path);
    ASSERT_TRUE(kept.ok());
    (*kept)->keep();
    EXPECT_EQ((*kept)->layer_bytes(), std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Bytes whole(sizes[i]);
      for (int k = 0; k < 30 && !whole.empty(); ++k) {
        const std::uint64_t from = random() % whole.size();
        Bytes out(random() % std::min<std::uint64_t>(whole.size() - from, 3 * b));
        ASSERT_TRUE((*kept)->read(i, from, out).ok());
        ASSERT_TRUE(std::equal(out.begin(), out.end(), layers[i].bytes.begin() + static_cast<std::ptrdiff_t>(from)));
      }
      ASSERT_TRUE((*kept)->read(i, 0, whole).ok());
      EXPECT_TRUE(whole == layers[i].bytes);
      EXPECT_TRUE(absl::IsOutOfRange((*kept)->byte(i, sizes[i]).status()));
      if (!whole.empty()) {
        EXPECT_EQ(*(*kept)->byte(i, sizes[i] - 1), whole.back());
      }
      const Bytes& bytes = layers[i].bytes;
      EXPECT_EQ((*reader)->find_layer(layers[i].name), i);
      EXPECT_EQ((*reader)->layers()[i].bytes, bytes.size());
      for (int k = 0; k < 300; ++k) {
        const std::uint64_t from = random() % (bytes.size() + 1);
        const std::uint64_t most = bytes.size() - from;
        Bytes out(k == 0 ? most : random() % (std::min<std::uint64_t>(most, k % 2 == 0 ? most : 3 * b) + 1));
        ASSERT_TRUE((*reader)->read(i, from, out).ok());
        ASSERT_TRUE(std::equal(out.begin(), out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(from)));
        ASSERT_TRUE(most == 0 || *(*reader)->byte(i, from) == bytes[from]);
      }
      EXPECT_EQ((*reader)->byte(i, bytes.size()).status().code(), absl::StatusCode::kOutOfRange);
      Bytes two(2);
      EXPECT_EQ((*reader)->read(i, ~std::uint64_t{0}, two).code(), absl::StatusCode::kOutOfRange);
    }
    EXPECT_EQ((*reader)->byte(sizes.size(), 0).status().code(), absl::StatusCode::kOutOfRange);
  }
  ASSERT_TRUE(write_table(path, "", {}, "").ok());  // over the one before
  EXPECT_TRUE(read_table(path).ok());
  EXPECT_EQ(folder.files(), 1U);
}

TEST(TableFile, CompressesRunsAndKeepsWhatDoesNotCompress) {
  const TestFolder folder;
  const Bytes zeros(1 << 20);
  ASSERT_TRUE(write_table(folder / "t", "", {{"runs", zeros}, {"noise", random_layer(1 << 20, 0)}}, "").ok());
  const auto reader = TableReader::open(folder / "t");
  ASSERT_TRUE(reader.ok());
  EXPECT_LT((*reader)->layers()[0].stored_bytes, zeros.size() / 50);
  EXPECT_EQ((*reader)->layers()[1].stored_bytes, (1 << 20) + 8 * ((1 << 20) / kTableBlockBytes));
}

TEST(TableFile, IsTheSameForAnyNumberOfThreadsAndAnyPieces) {
  const TestFolder folder;
  const std::vector<NamedLayer> layers = {{"a", random_layer(3 << 20, 1)}, {"b", random_layer(12345, 3)}};
  std::vector<Bytes> files;
  for (const std::size_t threads : {1, 2, 4}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    ASSERT_TRUE(write_table(folder / "t", "h", layers, "f", kTableBlockBytes, 100'000 * threads + 7).ok());
    files.push_back(contents(folder / "t"));
  }
  EXPECT_EQ(files[0], files[1]);
  EXPECT_EQ(files[0], files[2]);
}

TEST(TableFile, IsReadByManyThreads) {
  const TestFolder folder;
  const Bytes bytes = random_layer(2 << 20, 1);
  ASSERT_TRUE(write_table(folder / "t", "h", {{"a", bytes}}, "f").ok());
  const auto reader = TableReader::open(folder / "t");
  ASSERT_TRUE(reader.ok());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int k = 0; k < 5000; ++k) {
        const std::uint64_t at = random() % bytes.size();
        const absl::StatusOr<std::uint8_t> byte = (*reader)->byte(0, at);
        if (!byte.ok() || *byte != bytes[at]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(TableFile, ToldOfMisuse) {
  const TestFolder folder;
  EXPECT_FALSE(TableWriter::create(folder / "t", "", 1000).ok());
  EXPECT_FALSE(TableWriter::create(folder / "t", "", 128).ok());
  EXPECT_FALSE(TableWriter::create("", "").ok());
  EXPECT_FALSE(TableWriter::create(folder.path() + "/", "").ok());
  EXPECT_FALSE(TableWriter::create(folder.path(), "").ok());
  auto writer = TableWriter::create(folder / "t", "");
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE((*writer)->append(Bytes(1)).ok());
  EXPECT_FALSE((*writer)->begin_layer("").ok());
  EXPECT_FALSE((*writer)->begin_layer(std::string(256, 'x')).ok());
  for (const char* name : {"a\x1b", "a\x87", "\n"}) EXPECT_FALSE((*writer)->begin_layer(name).ok());
  EXPECT_TRUE((*writer)->begin_layer("x").ok());
  EXPECT_FALSE((*writer)->begin_layer("x").ok());
  EXPECT_TRUE((*writer)->finish("").ok());
  EXPECT_FALSE((*writer)->finish("").ok());
  EXPECT_FALSE((*writer)->append(Bytes(1)).ok());
  EXPECT_TRUE(read_table(folder / "t").ok());
}

TEST(TableFile, RefusesFlippedBytes) {
  const TestFolder folder;
  const std::string path = folder / "t";
  const std::vector<NamedLayer> layers = {{"values", random_layer(20'000, 1)}, {"noise", random_layer(3000, 0)}};
  ASSERT_TRUE(write_table(path, "a header", layers, "a footer", 256).ok());
  const Bytes sound = contents(path);
  std::mt19937_64 random(1);
  const auto flip = [&](std::size_t at) {
    Bytes bytes = sound;
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1 + random() % 255));
    write_contents(path, bytes);
    const absl::Status status = read_table(path);
    EXPECT_TRUE(refused(status, path)) << "byte " << at << ": " << status;
  };
  for (std::size_t at = 0; at < 60; ++at) flip(at);
  for (std::size_t at = sound.size() - 90; at < sound.size(); ++at) flip(at);
  for (int k = 0; k < 1000; ++k) flip(random() % sound.size());
}

TEST(TableFile, NamesTheFirstDamagedBlockAndReadsTheOthers) {
  const TestFolder folder;
  const std::string path = folder / "t";
  const Bytes bytes = random_layer(10 << 20, 0);
  ASSERT_TRUE(write_table(path, "", {{"noise", bytes}}, "").ok());
  Bytes file = contents(path);
  const std::size_t stored = 8 + kTableBlockBytes;
  for (const std::size_t block : {3000, 77, 4999}) file[40 + block * stored + 100] ^= 1;
  write_contents(path, file);
  const auto reader = TableReader::open(path);
  ASSERT_TRUE(reader.ok());
  for (int k = 0; k < 5; ++k) {
    const absl::Status status = (*reader)->check();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(status.message(), path +
                                    " is damaged: bytes 157696 to 159743 of its layer \"noise\" are not as they were " +
                                    "written. Remove this file and solve again");
  }
  EXPECT_EQ((*reader)->byte(0, 77 * kTableBlockBytes).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ((*reader)->byte(0, 77 * kTableBlockBytes).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(*(*reader)->byte(0, 78 * kTableBlockBytes), bytes[78 * kTableBlockBytes]);
  int calls = 0;
  EXPECT_EQ((*reader)->check([&](std::uint64_t, std::uint64_t) { return ++calls < 1; }).code(),
            absl::StatusCode::kDataLoss);
}

TEST(TableFile, ReportsProgressAndCanBeStopped) {
  const TestFolder folder;
  ASSERT_TRUE(write_table(folder / "t", "", {{"a", random_layer(20 << 20, 0)}}, "").ok());
  const auto reader = TableReader::open(folder / "t");
  ASSERT_TRUE(reader.ok());
  std::vector<std::uint64_t> seen;
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    seen.push_back(done);
    EXPECT_EQ(all, (*reader)->layers()[0].stored_bytes);
    return true;
  };
  EXPECT_TRUE((*reader)->check(progress).ok());
  ASSERT_GT(seen.size(), 1U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), (*reader)->layers()[0].stored_bytes);
  const auto stop = [](std::uint64_t, std::uint64_t) { return false; };
  EXPECT_EQ((*reader)->check(stop).code(), absl::StatusCode::kCancelled);
}

TEST(TableFile, RefusesTruncatedExtendedAndForeignFiles) {
  const TestFolder folder;
  const std::string path = folder / "t";
  ASSERT_TRUE(write_table(path, "header", {{"a", random_layer(1000, 1)}, {"b", {}}}, "footer", 256).ok());
  const Bytes sound = contents(path);
  for (std::size_t length = 0; length < sound.size(); ++length) {
    write_contents(path, std::span(sound).first(length));
    EXPECT_EQ(read_table(path).code(), absl::StatusCode::kDataLoss) << length;
  }
  Bytes longer = sound;
  for (int k = 0; k < 100; ++k) {
    longer.push_back(static_cast<std::uint8_t>(k * 37));
    write_contents(path, longer);
    EXPECT_EQ(read_table(path).code(), absl::StatusCode::kDataLoss);
  }
  write_contents(path, Bytes{123, 34, 97, 34, 58, 32, 49, 125, 10});
  EXPECT_EQ(read_table(path).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(read_table(folder.path()).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(read_table("/dev/null").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(read_table(folder / "none").code(), absl::StatusCode::kNotFound);
  Bytes newer = sound;
  newer[8] = 2;
  const std::uint64_t checksum = XXH3_64bits(newer.data(), 32);
  std::memcpy(newer.data() + 32, &checksum, 8);
  write_contents(path, newer);
  const absl::Status status = read_table(path);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("version 2"), absl::string_view::npos) << status;
}

TEST(TableFile, CutShortWhileOpenIsAnErrorAndNotASignal) {
  const TestFolder folder;
  ASSERT_TRUE(write_table(folder / "t", "", {{"a", random_layer(1 << 20, 0)}}, "").ok());
  const auto reader = TableReader::open(folder / "t");
  ASSERT_TRUE(reader.ok());
  fs::resize_file(folder / "t", 5000);
  EXPECT_TRUE((*reader)->byte(0, 0).ok());
  EXPECT_EQ((*reader)->byte(0, 500'000).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ((*reader)->check().code(), absl::StatusCode::kDataLoss);
}

// An adversary: writes anything anywhere and mends the checksums, by offsets of its own.
class Forger {
 public:
  explicit Forger(Bytes sound) : bytes_(std::move(sound)) {
    blocks_ = 40 + get<std::uint64_t>(16);
    index_ = get<std::uint64_t>(bytes_.size() - 56);
    footer_ = get<std::uint64_t>(bytes_.size() - 48);
  }

  const Bytes& bytes() const { return bytes_; }
  std::size_t index() const { return index_; }
  std::size_t footer() const { return footer_; }
  template <typename T>
  T get(std::size_t at) const {
    T out = 0;
    std::memcpy(&out, bytes_.data() + at, sizeof(T));
    return out;
  }
  template <typename T>
  void put(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  // The parts stay where they were; what the fields now say is believed as far as the file goes.
  void mend() {
    put(24, sum(40, get<std::uint64_t>(16)));
    put(32, sum(0, 32));
    const std::size_t trailer = bytes_.size() - 56;
    const std::uint64_t index = get<std::uint64_t>(trailer);
    const std::uint64_t footer = get<std::uint64_t>(trailer + 8);
    put(trailer + 24, sum(index, footer - index));
    put(trailer + 32, sum(footer, trailer - footer));
    put(trailer + 40, sum(trailer, 40));
  }
  // Checksums of the blocks, of the lengths that another index says.
  void mend_blocks(const Forger& sound, std::size_t lengths) {
    std::size_t at = blocks_;
    for (std::size_t i = lengths, block = 0; i < footer_; i += 4, ++block) {
      const auto length = sound.get<std::uint32_t>(i);
      put(at, XXH3_64bits_withSeed(bytes_.data() + at + 8, length, block));
      at += 8 + length;
    }
  }
  std::size_t blocks() const { return blocks_; }

 private:
  std::uint64_t sum(std::uint64_t from, std::uint64_t length) const {
    if (from > bytes_.size() || length > bytes_.size() - from) return 0;
    return XXH3_64bits(bytes_.data() + from, length);
  }
  Bytes bytes_;
  std::size_t blocks_ = 0;
  std::size_t index_ = 0;
  std::size_t footer_ = 0;
};

TEST(TableFile, LiesWithMendedChecksumsLeadNowhere) {
  const TestFolder folder;
  const std::string path = folder / "t";
  const std::vector<NamedLayer> layers = {{"aa", random_layer(3000, 1)}, {"bb", random_layer(700, 0)}, {"cc", {}}};
  ASSERT_TRUE(write_table(path, "a header", layers, "a footer", 256).ok());
  const Forger sound(contents(path));
  const std::size_t lengths = sound.index() + 4 + 3 * (8 + 4 + 2);
  std::mt19937_64 random(5);
  const auto number = [&]() -> std::uint64_t {
    const std::uint64_t around = random() % 5 - 2;  // and below zero
    switch (random() % 8) {
      case 0:
        return around;
      case 1:
        return (std::uint64_t{1} << random() % 64) + around;
      case 2:
        return sound.bytes().size() + around;
      case 3:
        return sound.index() + around;
      case 4:
        return random();
      case 5:
        return 256 * (random() % 20) + around;
      case 6:
        return ~std::uint64_t{0} - random() % 300;
      default:
        return random() % 4000;
    }
  };
  int opened = 0;
  for (int k = 0; k < 3000; ++k) {
    Forger forger = sound;
    const std::size_t trailer = sound.bytes().size() - 56;
    for (std::uint64_t changes = 1 + random() % 2; changes > 0; --changes) {
      switch (random() % 5) {
        case 0:
          forger.put(12, static_cast<std::uint32_t>(random() % 2 == 0 ? number() : 1ULL << random() % 32));
          break;
        case 1:
          forger.put(16, number());
          break;
        case 2:
          forger.put(trailer + 8 * (random() % 3), number());
          break;
        case 3: {  // anything in the index
          const std::size_t at = sound.index() + random() % (sound.footer() - sound.index());
          if (at + 8 <= sound.footer() && random() % 2 == 0) forger.put(at, number());
          forger.put(at, static_cast<std::uint8_t>(random()));
          break;
        }
        default: {  // and in the blocks
          for (std::uint64_t n = 1 + random() % 8; n > 0; --n)
            forger.put(sound.blocks() + random() % (sound.index() - sound.blocks()),
                       static_cast<std::uint8_t>(random()));
          forger.mend_blocks(sound, lengths);
        }
      }
    }
    forger.mend();
    write_contents(path, forger.bytes());
    const absl::StatusOr<std::shared_ptr<TableReader>> reader = TableReader::open(path);
    if (!reader.ok()) {
      EXPECT_TRUE(refused(reader.status(), path)) << reader.status();
      continue;
    }
    ++opened;
    (*reader)->check().IgnoreError();
    for (std::size_t i = 0; i < (*reader)->layers().size(); ++i) {
      const std::uint64_t bytes = (*reader)->layers()[i].bytes;
      ASSERT_LE(bytes, sound.bytes().size() << 20);
      for (const char c : (*reader)->layers()[i].name) ASSERT_TRUE(c >= ' ' && c <= '~');
      Bytes out(bytes);
      (*reader)->read(i, 0, out).IgnoreError();
      if (bytes > 0) (*reader)->byte(i, random() % bytes).IgnoreError();
    }
  }
  EXPECT_GT(opened, 100);  // some lies are only in the blocks
  EXPECT_LT(opened, 2500);
}

// A file whose parts are nothing but a hole of terabytes.
TEST(TableFile, HolesTakeNoMemory) {
  const TestFolder folder;
  const std::string path = folder / "t";
  ASSERT_TRUE(write_table(path, "", {}, "", 256).ok());
  const Bytes sound = contents(path);
  const std::uint64_t all = std::uint64_t{1} << 40;
  for (const std::uint64_t index_begin : {std::uint64_t{40}, all / 2, all - 100}) {
    Bytes trailer(sound.end() - 56, sound.end());
    const std::uint64_t footer_begin = all - 56;
    std::memcpy(trailer.data(), &index_begin, 8);
    std::memcpy(trailer.data() + 8, &footer_begin, 8);
    std::memcpy(trailer.data() + 16, &all, 8);
    const std::uint64_t checksum = XXH3_64bits(trailer.data(), 40);
    std::memcpy(trailer.data() + 40, &checksum, 8);
    std::ofstream out(path, std::ios::binary | std::ios::in);
    out.seekp(static_cast<std::streamoff>(footer_begin));
    out.write(reinterpret_cast<const char*>(trailer.data()), 56);
    if (!out.flush()) GTEST_SKIP() << "no files of that length here";
    out.close();
    EXPECT_TRUE(refused(TableReader::open(path).status(), path));
  }
}

}  // namespace
}  // namespace plenum::table_file_test
