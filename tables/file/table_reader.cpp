// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include <zstd.h>

#include "tables/file/table_file.h"
#include "tables/file/table_layout.h"
#include "tables/for_each_index.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// What a thread needs to unpack blocks.
struct Unpacker {
  struct Free {
    void operator()(ZSTD_DCtx* freed) const { ZSTD_freeDCtx(freed); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context{ZSTD_createDCtx()};
  std::vector<std::uint8_t> stored;
};

Unpacker& unpacker() {
  thread_local Unpacker own;
  return own;
}

template <typename Part>
std::span<std::uint8_t> as_writable_bytes(Part& part) {
  return {reinterpret_cast<std::uint8_t*>(&part), sizeof(part)};
}

std::span<std::uint8_t> as_writable_bytes(std::string& text) {
  return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
}

// Part of a file, from its begin to its end, a piece at a time: an index that claims to be longer than memory is refused at
// its first impossible entry.
class Cursor {
 public:
  Cursor(const FileToRead& file, std::uint64_t begin, std::uint64_t end)
      : file_(file), at_(begin), end_(end), state_(XXH3_createState()) {
    if (state_ != nullptr) XXH3_64bits_reset(state_.get());
  }

  std::uint64_t left() const { return end_ - at_ + (piece_.size() - used_); }
  std::uint64_t checksum() const { return XXH3_64bits_digest(state_.get()); }  // of all that was read from the file

  absl::Status read(std::span<std::uint8_t> out) {
    if (state_ == nullptr) return absl::ResourceExhaustedError("no memory for a checksum");
    if (out.size() > left()) return absl::DataLossError("an index that ends too early");
    while (!out.empty()) {
      if (used_ == piece_.size()) {
        piece_.resize(std::min<std::uint64_t>(kPiece, end_ - at_));
        used_ = 0;
        RETURN_IF_ERROR(file_.read(at_, piece_));
        at_ += piece_.size();
        XXH3_64bits_update(state_.get(), piece_.data(), piece_.size());
      }
      const std::size_t taken = std::min(out.size(), piece_.size() - used_);
      std::memcpy(out.data(), piece_.data() + used_, taken);
      used_ += taken;
      out = out.subspan(taken);
    }
    return absl::OkStatus();
  }

 private:
  static constexpr std::uint64_t kPiece = 1 << 16;
  struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  const FileToRead& file_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::vector<std::uint8_t> piece_;
  std::size_t used_ = 0;
  std::unique_ptr<XXH3_state_t, FreeState> state_;
};

}  // namespace

absl::Status damaged_table(const std::string& path, const std::string& what) {
  return absl::DataLossError(absl::StrCat(path, " is damaged: ", what, ". Remove this file and solve again"));
}

absl::Status TableReader::damaged(const std::string& what) const { return damaged_table(path(), what); }

absl::StatusOr<std::shared_ptr<TableReader>> TableReader::open(const std::string& path) {
  ASSIGN_OR_RETURN(FileToRead file, FileToRead::open(path));
  std::shared_ptr<TableReader> reader(new TableReader(std::move(file)));
  RETURN_IF_ERROR(reader->read_ends());
  return reader;
}

// Prologue, header, trailer, footer, index.
absl::Status TableReader::read_ends() {
  const std::uint64_t all = file_.bytes();
  if (all == 0) return damaged("it is empty");
  TablePrologue prologue;
  const std::size_t begins = std::min<std::uint64_t>(all, sizeof(prologue));
  RETURN_IF_ERROR(file_.read(0, as_writable_bytes(prologue).first(begins)));
  if (std::memcmp(prologue.magic.data(), kTableMagic.data(), std::min(begins, kTableMagic.size())) != 0)
    return absl::FailedPreconditionError(
        absl::StrCat(path(), " is not a table of a solved game (or its first bytes are damaged)"));
  if (all < sizeof(TablePrologue) + sizeof(TableTrailer)) return damaged("it was cut short");
  if (prologue.checksum != own_checksum(prologue)) return damaged("its first 40 bytes are not as they were written");
  if (prologue.version != kTableFormatVersion)
    return absl::UnimplementedError(absl::StrCat(path(), " has version ", prologue.version,
                                                 " of the format of table files, and this program reads version ",
                                                 kTableFormatVersion, " alone"));
  if (!valid_block_bytes(prologue.block_bytes)) return damaged("it claims an impossible size of blocks");
  block_bytes_ = prologue.block_bytes;

  TableTrailer trailer;
  const std::uint64_t trailer_begin = all - sizeof(trailer);
  RETURN_IF_ERROR(file_.read(trailer_begin, as_writable_bytes(trailer)));
  if (trailer.magic != kTableEndMagic || trailer.checksum != own_checksum(trailer) || trailer.file_bytes != all)
    return damaged("it was cut short, or its end is not as it was written");
  const std::uint64_t header_most = std::min(kMostHeaderBytes, trailer_begin - sizeof(prologue));
  if (prologue.header_bytes > header_most) return damaged("it claims an impossible length of its header");
  const std::uint64_t blocks_begin = sizeof(prologue) + prologue.header_bytes;
  if (trailer.index_begin < blocks_begin || trailer.footer_begin < trailer.index_begin ||
      trailer_begin < trailer.footer_begin || trailer_begin - trailer.footer_begin > kMostHeaderBytes)
    return damaged("it claims impossible places of its parts");

  header_.resize(prologue.header_bytes);
  RETURN_IF_ERROR(file_.read(sizeof(prologue), as_writable_bytes(header_)));
  if (checksum_of(bytes_of(header_)) != prologue.header_checksum) return damaged("its header is not as it was written");
  footer_.resize(trailer_begin - trailer.footer_begin);
  RETURN_IF_ERROR(file_.read(trailer.footer_begin, as_writable_bytes(footer_)));
  if (checksum_of(bytes_of(footer_)) != trailer.footer_checksum) return damaged("its footer is not as it was written");
  block_begin_ = {blocks_begin};
  absl::Status index = read_index(trailer.index_begin, trailer.footer_begin, trailer.index_checksum);
  if (index.code() == absl::StatusCode::kDataLoss) return damaged("its index is not as it was written");
  return index;
}

// Any kDataLoss means that the index is damaged.
absl::Status TableReader::read_index(std::uint64_t begin, std::uint64_t end, std::uint64_t checksum) {
  const auto impossible = [] { return absl::DataLossError("an impossible index"); };
  Cursor cursor(file_, begin, end);
  std::uint32_t layers = 0;
  std::set<std::string> names;
  RETURN_IF_ERROR(cursor.read(as_writable_bytes(layers)));
  for (std::uint32_t i = 0; i < layers; ++i) {
    Layer layer;
    std::uint32_t name_bytes = 0;
    RETURN_IF_ERROR(cursor.read(as_writable_bytes(layer.bytes)));
    RETURN_IF_ERROR(cursor.read(as_writable_bytes(name_bytes)));
    if (name_bytes == 0 || name_bytes > kMostNameBytes) return impossible();
    layer.name.resize(name_bytes);
    RETURN_IF_ERROR(cursor.read(as_writable_bytes(layer.name)));
    if (!valid_layer_name(layer.name) || !names.insert(layer.name).second) return impossible();
    layers_.push_back(std::move(layer));
  }

  std::uint64_t left = cursor.left() / sizeof(std::uint32_t);  // blocks
  if (cursor.left() % sizeof(std::uint32_t) != 0) return impossible();
  for (Layer& layer : layers_) {
    first_block_.push_back(blocks());
    const std::uint64_t blocks_here = layer.bytes / block_bytes_ + (layer.bytes % block_bytes_ != 0 ? 1 : 0);
    if (blocks_here > left) return impossible();
    left -= blocks_here;
    const std::uint64_t layer_begin = block_begin_.back();
    for (std::uint64_t b = 0; b < blocks_here; ++b) {
      std::uint32_t length = 0;
      RETURN_IF_ERROR(cursor.read(as_writable_bytes(length)));
      const std::uint64_t most = std::min(block_bytes_, layer.bytes - b * block_bytes_);
      if (length == 0 || length > most || kChecksumBytes + length > begin - block_begin_.back()) return impossible();
      block_begin_.push_back(block_begin_.back() + kChecksumBytes + length);
    }
    layer.stored_bytes = block_begin_.back() - layer_begin;
  }
  if (left != 0 || block_begin_.back() != begin || cursor.checksum() != checksum) return impossible();
  block_begin_.shrink_to_fit();
  return absl::OkStatus();
}

std::optional<std::size_t> TableReader::find_layer(std::string_view name) const {
  const auto found =
      std::find_if(layers_.begin(), layers_.end(), [&](const Layer& layer) { return layer.name == name; });
  if (found == layers_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - layers_.begin());
}

std::size_t TableReader::layer_of(std::uint64_t block) const {  // empty layers have no blocks
  const auto after = std::upper_bound(first_block_.begin(), first_block_.end(), block);
  return static_cast<std::size_t>(after - first_block_.begin()) - 1;
}

std::size_t TableReader::length(std::uint64_t block, std::size_t layer) const {
  return std::min(block_bytes_, layers_[layer].bytes - (block - first_block_[layer]) * block_bytes_);
}

absl::Status TableReader::unpack(std::uint64_t block, std::size_t layer, std::span<std::uint8_t> out) const {
  Unpacker& own = unpacker();
  if (own.context == nullptr) return absl::ResourceExhaustedError(absl::StrCat("no memory to unpack ", path()));
  own.stored.resize(block_begin_[block + 1] - block_begin_[block]);
  RETURN_IF_ERROR(file_.read(block_begin_[block], own.stored));
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, own.stored.data(), kChecksumBytes);
  const std::span body = std::span<const std::uint8_t>(own.stored).subspan(kChecksumBytes);
  bool whole = checksum_of(body, block) == checksum;
  if (whole && body.size() == out.size()) {
    std::memcpy(out.data(), body.data(), body.size());
  } else if (whole) {
    whole = ZSTD_decompressDCtx(own.context.get(), out.data(), out.size(), body.data(), body.size()) == out.size();
  }
  if (whole) return absl::OkStatus();
  const std::uint64_t begin = (block - first_block_[layer]) * block_bytes_;
  return damaged(absl::StrCat("bytes ", begin, " to ", begin + out.size() - 1, " of its layer \"", layers_[layer].name,
                              "\" are not as they were written"));
}

absl::Status TableReader::read(std::size_t layer, std::uint64_t offset, std::span<std::uint8_t> out) const {
  if (layer >= layers_.size() || offset > layers_[layer].bytes || out.size() > layers_[layer].bytes - offset)
    return absl::OutOfRangeError(
        absl::StrCat(path(), " has no layer ", layer, " with ", out.size(), " bytes at ", offset));
  if (keeps()) return read_kept(layer, offset, out);
  while (!out.empty()) {
    const std::uint64_t block = first_block_[layer] + offset / block_bytes_;
    const std::uint64_t skipped = offset % block_bytes_;
    const std::uint64_t whole = length(block, layer);
    const std::size_t taken = std::min<std::uint64_t>(out.size(), whole - skipped);
    if (taken == whole) {
      RETURN_IF_ERROR(unpack(block, layer, out.first(taken)));
    } else {
      CachedBlock& cached = cache_[block % cache_.size()];
      const std::lock_guard lock(cached.busy);
      if (cached.number != block) {
        cached.number = kNoBlock;
        cached.bytes.resize(whole);
        RETURN_IF_ERROR(unpack(block, layer, cached.bytes));
        cached.number = block;
      }
      std::memcpy(out.data(), cached.bytes.data() + skipped, taken);
    }
    offset += taken;
    out = out.subspan(taken);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::uint8_t> TableReader::byte(std::size_t layer, std::uint64_t offset) const {
  std::uint8_t out = 0;
  RETURN_IF_ERROR(read(layer, offset, {&out, 1}));
  return out;
}

std::uint64_t TableReader::layer_bytes() const {
  std::uint64_t out = 0;
  for (const Layer& layer : layers_) out += layer.bytes;
  return out;
}

void TableReader::keep() {
  if (keeps()) return;
  std::vector<BigBytes> kept;
  for (const Layer& layer : layers_) kept.emplace_back(layer.bytes, BigBytes::Pages::small);
  is_kept_ = std::vector<std::atomic<bool>>(blocks());
  kept_ = std::move(kept);
}

absl::Status TableReader::read_kept(std::size_t layer, std::uint64_t offset, std::span<std::uint8_t> out) const {
  if (out.empty()) return absl::OkStatus();
  const std::uint64_t last = first_block_[layer] + (offset + out.size() - 1) / block_bytes_;
  for (std::uint64_t block = first_block_[layer] + offset / block_bytes_; block <= last; ++block) {
    if (is_kept_[block].load(std::memory_order_acquire)) continue;
    const std::lock_guard lock(cache_[block % cache_.size()].busy);
    if (is_kept_[block].load(std::memory_order_relaxed)) continue;
    std::uint8_t* const place = kept_[layer].data() + (block - first_block_[layer]) * block_bytes_;
    RETURN_IF_ERROR(unpack(block, layer, {place, length(block, layer)}));
    is_kept_[block].store(true, std::memory_order_release);
  }
  std::memcpy(out.data(), kept_[layer].data() + offset, out.size());
  return absl::OkStatus();
}

absl::Status TableReader::check(const TableProgressFn& progress) const {
  constexpr std::uint64_t kPiece = 64;       // blocks that a thread takes at once
  constexpr std::uint64_t kPieces = 64;      // between two calls of `progress`
  std::vector<absl::Status> first(kPieces);  // error of each piece
  for (std::uint64_t begin = 0; begin < blocks(); begin += kPiece * kPieces) {
    for_each_index(kPieces, [&](std::size_t piece) {
      const std::uint64_t from = begin + piece * kPiece;
      std::vector<std::uint8_t> bytes(block_bytes_);
      for (std::uint64_t block = from; block < std::min(from + kPiece, blocks()) && first[piece].ok(); ++block) {
        const std::size_t layer = layer_of(block);
        first[piece] = unpack(block, layer, std::span(bytes).first(length(block, layer)));
      }
    });
    for (const absl::Status& status : first) {
      if (!status.ok()) return status;
    }
    const std::uint64_t done = std::min(begin + kPiece * kPieces, blocks());
    if (progress && !progress(block_begin_[done] - block_begin_[0], block_begin_.back() - block_begin_[0]))
      return absl::CancelledError(absl::StrCat("stopped while checking ", path()));
  }
  return absl::OkStatus();
}

}  // namespace plenum
