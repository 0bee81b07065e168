// SPDX-License-Identifier: Apache-2.0
// A table written by all ranks: each has some of the bytes of a layer, and packs and writes a part of its blocks. The file is byte for byte
// what one process would write (tables/file/table_file.h).
//
//     RankedTable table(ranks);
//     RETURN_IF_ERROR(table.create(path, header));
//     RETURN_IF_ERROR(table.write("codes", length, own));   // again and again
//     RETURN_IF_ERROR(table.finish(footer));
//
// Groups of blocks go round the ranks: whoever has bytes of a group sends them to the rank that packs it. Every rank writes what it packed to
// its place in the file, so the folder has to be one that all ranks see.
//
// Thread-safety: collective, from the main thread; packs on all cores. Errors are the same on all ranks.
// Cost: some 20 MB a rank; a byte of a layer is sent once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <absl/status/status.h>

#include "solver/cluster/ranks.h"
#include "tables/file/table_file.h"

namespace plenum {

// Bytes of a layer that this rank has, from `begin` on.
struct Segment {
  std::uint64_t begin = 0;
  std::span<const std::uint8_t> bytes;
};

class RankedTable {
 public:
  explicit RankedTable(Ranks& ranks) : ranks_(ranks) {}
  absl::Status create(const std::string& path, const std::string& header);
  // Of all ranks together the segments cover [0, length), each byte once; in rising order.
  absl::Status write(const std::string& layer, std::uint64_t length, std::span<const Segment> own);
  absl::Status finish(const std::string& footer);

 private:
  absl::Status place(const std::vector<PackedBlocks>& packed, std::uint64_t bytes);

  Ranks& ranks_;
  std::unique_ptr<TableWriter> writer_;  // of the root
  std::unique_ptr<FileToPlace> file_;
};

}  // namespace plenum
