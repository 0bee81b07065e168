// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include <zstd.h>

#include "tables/file/table_file.h"
#include "tables/file/table_layout.h"
#include "tables/for_each_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Level 3 is zstd's own choice; 6 and 9 make 6 to 20 % less at a fourth to a tenth of the speed. Matches of 4 bytes, which it would
// take for so short inputs, save up to 5 % where values vary much and cost where they do not, and make unpacking 10 % slower.
constexpr int kLevel = 3;
constexpr int kShortestMatch = 5;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

// The calling thread's; null if there is no memory.
ZSTD_CCtx* context() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> own = [] {
    ZSTD_CCtx* const made = ZSTD_createCCtx();
    if (made != nullptr) {
      ZSTD_CCtx_setParameter(made, ZSTD_c_compressionLevel, kLevel);
      ZSTD_CCtx_setParameter(made, ZSTD_c_minMatch, kShortestMatch);
      ZSTD_CCtx_setParameter(made, ZSTD_c_contentSizeFlag, 0);  // the index has it
    }
    return std::unique_ptr<ZSTD_CCtx, FreeContext>(made);
  }();
  return own.get();
}

// Writes checksum and block to `out`, which has room for the worst; returns the block's length, or 0 if there is no memory.
std::uint32_t pack(std::span<const std::uint8_t> block, std::uint64_t number, std::span<std::uint8_t> out) {
  const std::span<std::uint8_t> body = out.subspan(kChecksumBytes);
  if (context() == nullptr) return 0;
  std::size_t length = ZSTD_compress2(context(), body.data(), body.size(), block.data(), block.size());
  if (ZSTD_isError(length) != 0) return 0;
  if (length >= block.size()) {
    length = block.size();
    std::memcpy(body.data(), block.data(), length);
  }
  const std::uint64_t checksum = checksum_of(body.first(length), number);
  std::memcpy(out.data(), &checksum, kChecksumBytes);
  return static_cast<std::uint32_t>(length);
}

template <typename Number>
void put(std::vector<std::uint8_t>& out, Number number) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&number);
  out.insert(out.end(), bytes, bytes + sizeof(number));
}

template <typename Part>
std::span<const std::uint8_t> as_bytes(const Part& part) {
  return {reinterpret_cast<const std::uint8_t*>(&part), sizeof(part)};
}

}  // namespace

absl::StatusOr<PackedBlocks> pack_blocks(std::span<const std::uint8_t> bytes, std::size_t block_bytes,
                                         std::uint64_t first) {
  PackedBlocks out;
  const std::size_t blocks = (bytes.size() + block_bytes - 1) / block_bytes;
  const std::size_t room = kChecksumBytes + ZSTD_compressBound(block_bytes);
  out.lengths.resize(blocks);
  out.bytes.resize(blocks * room);
  for_each_index(blocks, [&](std::size_t b) {
    const std::size_t begin = b * block_bytes;
    const std::span block = bytes.subspan(begin, std::min(block_bytes, bytes.size() - begin));
    out.lengths[b] = pack(block, first + b, std::span(out.bytes).subspan(b * room, room));
  });
  std::size_t end = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    if (out.lengths[b] == 0) return absl::ResourceExhaustedError("no memory to compress a table");
    const std::size_t length = kChecksumBytes + out.lengths[b];
    std::memmove(out.bytes.data() + end, out.bytes.data() + b * room, length);
    end += length;
  }
  out.bytes.resize(end);
  return out;
}

TableWriter::TableWriter(std::unique_ptr<NewFile> file, std::uint32_t block_bytes)
    : file_(std::move(file)), block_bytes_(block_bytes) {}

absl::StatusOr<std::unique_ptr<TableWriter>> TableWriter::create(const std::string& path, const std::string& header,
                                                                 std::uint32_t block_bytes) {
  if (header.size() > kMostHeaderBytes) return absl::InvalidArgumentError("the header of a table is too long");
  if (!valid_block_bytes(block_bytes)) return absl::InvalidArgumentError("a table cannot have blocks of this size");
  ASSIGN_OR_RETURN(std::unique_ptr<NewFile> file, NewFile::create(path));
  TablePrologue prologue;
  prologue.block_bytes = block_bytes;
  prologue.header_bytes = header.size();
  prologue.header_checksum = checksum_of(bytes_of(header));
  prologue.checksum = own_checksum(prologue);
  RETURN_IF_ERROR(file->write(as_bytes(prologue)));
  RETURN_IF_ERROR(file->write(bytes_of(header)));
  return std::unique_ptr<TableWriter>(new TableWriter(std::move(file), block_bytes));
}

absl::Status TableWriter::begin_layer(std::string name) {
  if (!valid_layer_name(name) ||
      std::any_of(layers_.begin(), layers_.end(), [&](const Layer& layer) { return layer.name == name; }))
    return absl::InvalidArgumentError(absl::StrCat("\"", name, "\" cannot be the name of a further layer"));
  RETURN_IF_ERROR(flush());
  layers_.push_back({std::move(name)});
  return absl::OkStatus();
}

absl::Status TableWriter::append(std::span<const std::uint8_t> bytes) {
  if (layers_.empty()) return absl::FailedPreconditionError("bytes of a table before its first layer");
  if (!file_->status().ok()) return file_->status();
  layers_.back().bytes += bytes.size();
  while (!bytes.empty()) {
    const std::size_t fits = std::min(bytes.size(), kTableGroupBytes - pending_.size());
    pending_.insert(pending_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(fits));
    bytes = bytes.subspan(fits);
    if (pending_.size() < kTableGroupBytes) break;
    RETURN_IF_ERROR(flush());
  }
  return absl::OkStatus();
}

// Groups are whole blocks, but for the last of a layer.
absl::Status TableWriter::flush() {
  static_assert(kTableGroupBytes % kMostBlockBytes == 0);
  const absl::StatusOr<PackedBlocks> packed = pack_blocks(pending_, block_bytes_, lengths_.size());
  if (!packed.ok())
    return file_->abandon(absl::ResourceExhaustedError(absl::StrCat("no memory to compress ", file_->path())));
  lengths_.insert(lengths_.end(), packed->lengths.begin(), packed->lengths.end());
  pending_.clear();
  return file_->write(packed->bytes);
}

absl::Status TableWriter::add_placed(std::uint64_t bytes, std::span<const std::uint32_t> lengths) {
  if (layers_.empty() || !pending_.empty()) return absl::FailedPreconditionError("blocks of a table before its layer");
  layers_.back().bytes += bytes;
  lengths_.insert(lengths_.end(), lengths.begin(), lengths.end());
  std::uint64_t placed = 0;
  for (const std::uint32_t length : lengths) placed += kChecksumBytes + length;
  return file_->placed(placed);
}

absl::Status TableWriter::finish(const std::string& footer) {
  if (footer.size() > kMostHeaderBytes) return absl::InvalidArgumentError("the footer of a table is too long");
  RETURN_IF_ERROR(flush());
  std::vector<std::uint8_t> index;
  put(index, static_cast<std::uint32_t>(layers_.size()));
  for (const Layer& layer : layers_) {
    put(index, layer.bytes);
    put(index, static_cast<std::uint32_t>(layer.name.size()));
    index.insert(index.end(), layer.name.begin(), layer.name.end());
  }
  TableTrailer trailer;
  trailer.index_begin = file_->bytes();
  const auto* const lengths = reinterpret_cast<const std::uint8_t*>(lengths_.data());
  index.insert(index.end(), lengths, lengths + lengths_.size() * sizeof(lengths_[0]));
  trailer.footer_begin = trailer.index_begin + index.size();
  trailer.file_bytes = trailer.footer_begin + footer.size() + sizeof(trailer);
  trailer.index_checksum = checksum_of(index);
  trailer.footer_checksum = checksum_of(bytes_of(footer));
  trailer.checksum = own_checksum(trailer);
  for (const std::span<const std::uint8_t> part :
       {std::span<const std::uint8_t>(index), bytes_of(footer), as_bytes(trailer)}) {
    RETURN_IF_ERROR(file_->write(part));
  }
  return file_->commit();
}

}  // namespace plenum
