// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/ranked_table.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::uint64_t kGroupsARound = 8;  // of each rank

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

absl::Status RankedTable::create(const std::string& path, const std::string& header) {
  absl::Status begun;
  Parcel name;
  if (ranks_.root()) {
    absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, header);
    begun = writer.status();
    if (writer.ok()) {
      writer_ = *std::move(writer);
      put(name, std::uint64_t{path.size()});
      put(name, std::span<const char>(path));
      put(name, std::span<const char>(writer_->unfinished()));
    }
  }
  RETURN_IF_ERROR(ranks_.agree(begun));
  const Parcel names = ranks_.broadcast(0, std::move(name));
  ParcelReader reader(names);
  const std::string target = text_of(reader.bytes(reader.get<std::uint64_t>()));
  absl::StatusOr<FileToPlace> file = FileToPlace::open(text_of(reader.bytes(reader.left())), target);
  if (file.ok()) file_ = std::make_unique<FileToPlace>(std::move(*file));
  return ranks_.agree(file.status());
}

absl::Status RankedTable::write(const std::string& layer, std::uint64_t length, std::span<const Segment> own) {
  const auto ranks = static_cast<std::uint64_t>(ranks_.size());
  const auto rank = static_cast<std::uint64_t>(ranks_.rank());
  RETURN_IF_ERROR(ranks_.agree(ranks_.root() ? writer_->begin_layer(layer) : absl::OkStatus()));
  const std::uint64_t groups = (length + kTableGroupBytes - 1) / kTableGroupBytes;
  std::size_t next = 0;  // of own, the first that is not wholly sent
  for (std::uint64_t begin = 0; begin < groups; begin += kGroupsARound * ranks) {
    const std::uint64_t end = std::min(groups, begin + kGroupsARound * ranks);
    std::vector<Parcel> to(ranks);
    for (std::uint64_t g = begin; g < end; ++g) {
      const std::uint64_t from = g * kTableGroupBytes;
      const std::uint64_t until = std::min(length, from + kTableGroupBytes);
      while (next < own.size() && own[next].begin + own[next].bytes.size() <= from) ++next;
      for (std::size_t k = next; k < own.size() && own[k].begin < until; ++k) {
        const std::uint64_t a = std::max(from, own[k].begin);
        const std::uint64_t b = std::min(until, own[k].begin + own[k].bytes.size());
        if (a >= b) continue;
        put(to[g % ranks], a);
        put(to[g % ranks], b - a);
        put(to[g % ranks], own[k].bytes.subspan(a - own[k].begin, b - a));
      }
    }
    const std::vector<Parcel> from = ranks_.exchange(std::move(to));
    std::vector<std::vector<std::uint8_t>> group;  // those that this rank packs, in their order
    const std::uint64_t first_own = begin + (rank + ranks - begin % ranks) % ranks;
    for (std::uint64_t g = first_own; g < end; g += ranks)
      group.emplace_back(std::min<std::uint64_t>(kTableGroupBytes, length - g * kTableGroupBytes));
    for (const Parcel& parcel : from) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        const auto at = reader.get<std::uint64_t>();
        const auto bytes = reader.bytes(reader.get<std::uint64_t>());
        const std::uint64_t g = at / kTableGroupBytes;
        std::memcpy(group[(g - first_own) / ranks].data() + at % kTableGroupBytes, bytes.data(), bytes.size());
      }
    }
    std::uint64_t blocks = ranks_.root() ? writer_->blocks() : 0;
    blocks = ranks_.sum(blocks);
    absl::Status status;
    std::vector<PackedBlocks> packed;
    for (std::size_t k = 0; k < group.size() && status.ok(); ++k) {
      const std::uint64_t g = first_own + k * ranks;
      absl::StatusOr<PackedBlocks> one =
          pack_blocks(group[k], kTableBlockBytes, blocks + (g - begin) * (kTableGroupBytes / kTableBlockBytes));
      status = one.status();
      if (one.ok()) packed.push_back(*std::move(one));
    }
    RETURN_IF_ERROR(ranks_.agree(status));
    const std::uint64_t bytes = std::min(length, end * kTableGroupBytes) - begin * kTableGroupBytes;
    RETURN_IF_ERROR(place(packed, bytes));
  }
  return absl::OkStatus();
}

// What every rank packed of one round, whose groups went round from the first rank on.
absl::Status RankedTable::place(const std::vector<PackedBlocks>& packed, std::uint64_t bytes) {
  Parcel own;
  for (const PackedBlocks& one : packed) {
    put(own, static_cast<std::uint64_t>(one.bytes.size()));
    put(own, static_cast<std::uint64_t>(one.lengths.size()));
    put(own, std::span<const std::uint32_t>(one.lengths));
  }
  const std::vector<Parcel> all = ranks_.gather(own);
  std::vector<ParcelReader> readers(all.begin(), all.end());
  std::uint64_t at = ranks_.sum(ranks_.root() ? writer_->next_begins() : 0);
  std::vector<std::uint32_t> lengths;
  absl::Status status;
  // Rounds begin with a group of rank 0, as they are whole but for the last.
  for (std::size_t k = 0;; ++k) {
    const std::size_t r = k % readers.size();
    if (readers[r].empty()) break;
    const auto size = readers[r].get<std::uint64_t>();
    const auto more = readers[r].get_all<std::uint32_t>(readers[r].get<std::uint64_t>());
    lengths.insert(lengths.end(), more.begin(), more.end());
    if (static_cast<int>(r) == ranks_.rank() && status.ok())
      status = file_->write(at, packed[k / readers.size()].bytes);
    at += size;
  }
  if (status.ok() && ranks_.root()) status = writer_->add_placed(bytes, lengths);
  return ranks_.agree(status);
}

absl::Status RankedTable::finish(const std::string& footer) {
  RETURN_IF_ERROR(ranks_.agree(file_->sync()));
  return ranks_.agree(ranks_.root() ? writer_->finish(footer) : absl::OkStatus());
}

}  // namespace plenum
