// SPDX-License-Identifier: Apache-2.0
// A solved game on disk: a text before, named layers of bytes that can be read at any place, a text behind.
//
//     auto writer = TableWriter::create("game.table", header);        auto reader = TableReader::open("game.table");
//     (*writer)->begin_layer("values");                               const auto values = (*reader)->find_layer("values");
//     (*writer)->append(bytes);  // again and again                   (*reader)->byte(*values, 123456);
//     (*writer)->finish(footer);
//
// What the bytes mean is for the caller to say in the header. A layer is cut into blocks that are compressed each by itself.
//
// Layout, version 1; all numbers are little-endian, a checksum is XXH3 with 64 bits, and nothing lies between the parts:
//     prologue   40 bytes   "PLENUMTB", version (4), bytes of a block before compression (4), bytes of the header (8),
//                           checksum of the header (8), checksum of the 32 bytes before it (8)
//     header                a text
//     blocks                of all layers one after the other; each: checksum of what follows, seeded with the number of the block
//                           in the file, so that no block passes for another (8); the zstd frame, or the bytes as they are where
//                           that is not longer. Only the last block of a layer may be short.
//     index                 number of layers (4); each layer: its bytes (8), length of its name (4), its name;
//                           then of each block in the file the length after its checksum (4)
//     footer                a text
//     trailer    56 bytes   where the index begins (8), where the footer begins (8), length of the file (8), checksums of
//                           the index, the footer, the 40 bytes before it (8 each), "PLENUMTE"
// Every version begins with the magic and its number, and has at byte 32 the checksum of the bytes before.
//
// Version history
//     1   the first
//
// Invariants
//   - Every byte is covered by a checksum or compared. What is damaged is refused by open(), or by whoever reads that block, and is
//     never given out. Of bytes that were altered with their checksums only this is promised: nothing outside a buffer is
//     touched, and memory stays within a small multiple of the length of the file.
//   - A file appears under its name when it is complete (files.h has how, and why files are not mapped). A table may be replaced
//     while it is open: the reader goes on with the old one.
//   - The bytes depend on what is written, not on how append() cuts it or on the number of threads; another version of zstd may
//     compress differently, and reads the same.
//
// Errors: kDataLoss for damaged files, kFailedPrecondition for files of another format, kUnimplemented for another version of this one,
// kResourceExhausted for a full disk, kPermissionDenied and others for what the system refuses. The message names the file and what to do.
//
// Thread-safety: const members may be called from any thread; a writer belongs to one thread and compresses on all cores.
// Cost: a writer holds about 3 MiB and 4 bytes a block (8 at the end), an open reader 8 bytes a block and at most half a MiB of blocks read last.
//     Opening reads the texts and the index.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "tables/big_bytes.h"
#include "tables/file/files.h"

namespace plenum {

// Tried on made-up layers of 256 MB (values at random, in runs, like remoteness; noise), probes at random, pages in memory, one thread:
// blocks of 2 KiB give 100,000 to 140,000 bytes a second of processor time (noise 400,000), 4 KiB 60,000 to 85,000, 8 KiB
// 35,000 to 58,000, as unpacking takes most of it. 4 KiB save 3 to 7 % of the file, 8 KiB 5 to 10 %; only with runs of hundreds a third.
inline constexpr std::uint32_t kTableBlockBytes = 2048;

// "<path> is damaged: <what>. Remove this file and solve again".
absl::Status damaged_table(const std::string& path, const std::string& what);

// Blocks as they stand in a file, with their checksums, and their lengths without.
struct PackedBlocks {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> lengths;
};
// Of whole blocks, but that the last of a layer may be short; `first`: the number of the first in the file. Uses all cores.
absl::StatusOr<PackedBlocks> pack_blocks(std::span<const std::uint8_t> bytes, std::size_t block_bytes,
                                         std::uint64_t first);
inline constexpr std::size_t kTableGroupBytes = std::size_t{1} << 20;  // packed together

class TableWriter {
 public:
  // Header, footer: at most 64 MiB. Blocks: a power of two from 256 bytes to 1 MiB.
  static absl::StatusOr<std::unique_ptr<TableWriter>> create(const std::string& path, const std::string& header,
                                                             std::uint32_t block_bytes = kTableBlockBytes);

  // Names are different, not empty and not longer than 255 bytes.
  absl::Status begin_layer(std::string name);
  // To the layer begun last.
  absl::Status append(std::span<const std::uint8_t> bytes);
  // Where others pack blocks and write them: the file's temporary name, where the next block begins and which number it has; and that blocks
  // of the layer begun last, of so many bytes before they were packed, have been written there.
  const std::string& unfinished() const { return file_->unfinished(); }
  std::uint64_t next_begins() const { return file_->bytes(); }
  std::uint64_t blocks() const { return lengths_.size(); }
  absl::Status add_placed(std::uint64_t bytes, std::span<const std::uint32_t> lengths);
  // The file appears. Without this nothing is left behind; after an error neither, and every further call gives that error.
  absl::Status finish(const std::string& footer);

 private:
  struct Layer {
    std::string name;
    std::uint64_t bytes = 0;
  };

  TableWriter(std::unique_ptr<NewFile> file, std::uint32_t block_bytes);
  absl::Status flush();

  std::unique_ptr<NewFile> file_;
  std::size_t block_bytes_;
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> lengths_;  // of the blocks written, without their checksums
  std::vector<std::uint8_t> pending_;   // bytes of the last layer that are not yet written
};

// Bytes of blocks done, and of all blocks; returns false to stop.
using TableProgressFn = std::function<bool(std::uint64_t done, std::uint64_t all)>;

class TableReader {
 public:
  struct Layer {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t stored_bytes = 0;  // with checksums
  };

  // Reads and checks everything but the blocks.
  static absl::StatusOr<std::shared_ptr<TableReader>> open(const std::string& path);

  const std::string& path() const { return file_.path(); }
  std::uint64_t file_bytes() const { return file_.bytes(); }
  const std::string& header() const { return header_; }
  const std::string& footer() const { return footer_; }
  const std::vector<Layer>& layers() const { return layers_; }
  std::optional<std::size_t> find_layer(std::string_view name) const;

  // Fills `out`; kOutOfRange where the layer has no such bytes. After an error `out` may be filled in part.
  absl::Status read(std::size_t layer, std::uint64_t offset, std::span<std::uint8_t> out) const;
  // Through the blocks read last: neighbours come fast.
  absl::StatusOr<std::uint8_t> byte(std::size_t layer, std::uint64_t offset) const;
  // For whoever will look at most of the bytes: from then on, what was read stays in memory unpacked. Not while others read.
  void keep();
  bool keeps() const { return !kept_.empty(); }
  // Bytes of all layers, unpacked.
  std::uint64_t layer_bytes() const;
  // Reads every block; the error is that of the first damaged one. kCancelled if `progress` stopped it.
  absl::Status check(const TableProgressFn& progress = {}) const;

 private:
  static constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};
  struct CachedBlock {
    std::mutex busy;
    std::uint64_t number = kNoBlock;
    std::vector<std::uint8_t> bytes;
  };

  explicit TableReader(FileToRead file) : file_(std::move(file)) {}
  absl::Status damaged(const std::string& what) const;
  absl::Status read_ends();
  absl::Status read_index(std::uint64_t begin, std::uint64_t end, std::uint64_t checksum);
  std::uint64_t blocks() const { return block_begin_.size() - 1; }
  std::size_t layer_of(std::uint64_t block) const;
  std::size_t length(std::uint64_t block, std::size_t layer) const;  // unpacked
  // Unpacks a block of a layer into as many bytes as it has.
  absl::Status unpack(std::uint64_t block, std::size_t layer, std::span<std::uint8_t> out) const;
  absl::Status read_kept(std::size_t layer, std::uint64_t offset, std::span<std::uint8_t> out) const;

  FileToRead file_;
  std::uint64_t block_bytes_ = 0;
  std::string header_;
  std::string footer_;
  std::vector<Layer> layers_;
  std::vector<std::uint64_t> first_block_;  // of each layer
  std::vector<std::uint64_t> block_begin_;  // where each block and its checksum begin; one more, where the last ends
  mutable std::array<CachedBlock, 256> cache_;
  // By layer, its bytes; by block, whether they are there. Empty unless asked for.
  mutable std::vector<BigBytes> kept_;
  mutable std::vector<std::atomic<bool>> is_kept_;
};

}  // namespace plenum
