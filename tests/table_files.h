// SPDX-License-Identifier: Apache-2.0
// What the tests of table files share: folders of their own, layers of bytes as tables have them, files as bytes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tables/file/table_file.h"

namespace plenum::tables_testing {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

class TestFolder {
 public:
  TestFolder() {
    std::string name = testing::TempDir() + "/plenum-tables-" + std::string(6, 'X');  // what mkdtemp() fills in
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  std::string path_;
};

inline Bytes contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_contents(const std::string& path, std::span<const std::uint8_t> bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.flush());
}

// Runs of few values; every third layer does not compress.
inline Bytes random_layer(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes out(bytes);
  std::uint8_t value = 0;
  for (std::uint8_t& x : out) {
    if (random() % 8 == 0) value = static_cast<std::uint8_t>(random() % 5);
    x = seed % 3 == 0 ? static_cast<std::uint8_t>(random()) : value;
  }
  return out;
}

struct NamedLayer {
  std::string name;
  Bytes bytes;
};

// In pieces of so many bytes.
inline absl::Status write_table(const std::string& path, const std::string& header,
                                const std::vector<NamedLayer>& layers, const std::string& footer,
                                std::uint32_t block_bytes = kTableBlockBytes, std::size_t piece = 1 << 20) {
  absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, header, block_bytes);
  if (!writer.ok()) return writer.status();
  for (const NamedLayer& layer : layers) {
    if (absl::Status status = (*writer)->begin_layer(layer.name); !status.ok()) return status;
    for (std::size_t at = 0; at < layer.bytes.size(); at += piece) {
      const std::span bytes = std::span(layer.bytes).subspan(at, std::min(piece, layer.bytes.size() - at));
      if (absl::Status status = (*writer)->append(bytes); !status.ok()) return status;
    }
  }
  return (*writer)->finish(footer);
}

// Opens, checks and reads all of a table: what is wrong with it, if anything is.
inline absl::Status read_table(const std::string& path, std::vector<NamedLayer>* layers = nullptr) {
  const absl::StatusOr<std::shared_ptr<TableReader>> reader = TableReader::open(path);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = (*reader)->check(); !status.ok()) return status;
  for (std::size_t i = 0; i < (*reader)->layers().size(); ++i) {
    NamedLayer layer{(*reader)->layers()[i].name, Bytes((*reader)->layers()[i].bytes)};
    if (absl::Status status = (*reader)->read(i, 0, layer.bytes); !status.ok()) return status;
    if (layers != nullptr) layers->push_back(std::move(layer));
  }
  return absl::OkStatus();
}

// How a damaged or foreign file may be refused, in words for people that name the file.
inline bool refused(const absl::Status& status, const std::string& path) {
  return (status.code() == absl::StatusCode::kDataLoss || status.code() == absl::StatusCode::kFailedPrecondition) &&
         status.message().find(path) != absl::string_view::npos;
}

}  // namespace plenum::tables_testing
