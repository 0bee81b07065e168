// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_layers.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "solver/graph/graph_table.h"
#include "solver/graph_ranks/ranked_values.h"
#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kSampled = 256;

// The first eight bytes of a key as a number that sorts like them.
std::uint64_t key_prefix(const std::uint8_t* key, std::size_t bytes) {
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < 8; ++k) out = out << 8 | (k < bytes ? key[k] : 0);
  return out;
}

// A record as another rank sent it.
struct Came {
  std::uint64_t prefix;
  const std::uint8_t* record;
};

// By eleven bits of the prefixes at a time, from the lowest that keys have; longer keys by comparison.
void sort_by_key(std::vector<Came>& records, std::size_t key_bytes) {
  if (key_bytes > sizeof(std::uint64_t)) {
    std::sort(records.begin(), records.end(), [&](const Came& a, const Came& b) {
      if (a.prefix != b.prefix) return a.prefix < b.prefix;
      return std::memcmp(a.record, b.record, key_bytes) < 0;
    });
    return;
  }
  constexpr int kDigit = 11;
  std::vector<Came> sorted(records.size());
  for (int shift = 64 - static_cast<int>(8 * key_bytes); shift < 64; shift += kDigit) {
    std::array<std::size_t, (std::size_t{1} << kDigit) + 1> next = {};
    const auto digit = [&](const Came& one) { return one.prefix >> shift & ((std::uint64_t{1} << kDigit) - 1); };
    for (const Came& one : records) ++next[digit(one) + 1];
    for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
    for (const Came& one : records) sorted[next[digit(one)]++] = one;
    records.swap(sorted);
  }
}

// Which rank has a key, of what lies next to one another: about as many for each. Collective to make.
class KeySplits {
 public:
  KeySplits(const RankedGraph& graph, Ranks& ranks) : bytes_(graph.key_bytes) {
    Parcel some;
    const std::size_t n = std::min<std::size_t>(graph.size(), kSampled);
    for (std::size_t k = 0; k < n; ++k) put(some, std::span(graph.keys).subspan(k * graph.size() / n * bytes_, bytes_));
    std::vector<std::vector<std::uint8_t>> all;
    for (const Parcel& parcel : ranks.gather(some)) {
      for (ParcelReader reader(parcel); !reader.empty();) all.push_back(reader.get_all<std::uint8_t>(bytes_));
    }
    std::sort(all.begin(), all.end());
    for (std::size_t r = 1; r < graph.ranks(); ++r) first_.push_back(all[r * all.size() / graph.ranks()]);
  }
  std::size_t rank_of(const std::uint8_t* key) const {
    std::size_t r = 0;
    while (r < first_.size() && std::memcmp(key, first_[r].data(), bytes_) >= 0) ++r;
    return r;
  }

 private:
  std::size_t bytes_;
  std::vector<std::vector<std::uint8_t>> first_;  // of each rank but the root
};

}  // namespace

absl::StatusOr<std::shared_ptr<const RankedLayers>> RankedLayers::of(const Variant& variant, const RankedGraph& graph,
                                                                     const Solution& solution, const RankedLifts& lifts,
                                                                     Ranks& ranks) {
  absl::Status fits;
  for (const Margin margin : graph.level) {
    if (margin.units != static_cast<std::int32_t>(margin.units))
      fits = absl::UnimplementedError("a margin is too large for a table of positions");
  }
  RETURN_IF_ERROR(ranks.agree(fits));
  const std::size_t group_bytes = (variant.symmetries().size() + 7) / 8;
  const std::size_t record_bytes = graph.key_bytes + 9 + group_bytes;
  const KeySplits splits(graph, ranks);
  std::vector<std::size_t> records(graph.ranks(), 0);
  const auto key_of = [&](PositionIndex p) { return graph.keys.data() + p * graph.key_bytes; };
  for (PositionIndex p = 0; p < graph.size(); ++p) ++records[splits.rank_of(key_of(p))];
  std::vector<Parcel> parcels;
  std::vector<std::uint8_t*> next;
  next.reserve(records.size());
  for (const std::size_t n : records) next.push_back(parcels.emplace_back(n * record_bytes).data());
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    std::uint8_t*& to = next[splits.rank_of(key_of(p))];
    const auto add = [&](const void* from, std::size_t bytes) {
      std::memcpy(to, from, bytes);
      to += bytes;
    };
    const auto margin = static_cast<std::int32_t>(graph.margin(solution.value[p]).margin.units);
    const std::uint32_t plies = solution.remoteness[p].count;
    const auto facts =
        static_cast<std::uint8_t>((solution.facts[p] & ~kSomeEnd) | (graph.ended(p) ? kGraphEndedBit : 0));
    add(key_of(p), graph.key_bytes);
    add(&margin, sizeof(margin));
    add(&plies, sizeof(plies));
    add(&facts, sizeof(facts));
    lifts.write_reached(p, {to, group_bytes});
    to += group_bytes;
  }
  const std::vector<Parcel> came = ranks.exchange(std::move(parcels));
  std::vector<Came> sorted;
  for (const Parcel& parcel : came) {
    for (std::size_t at = 0; at < parcel.size(); at += record_bytes)
      sorted.push_back({key_prefix(parcel.data() + at, graph.key_bytes), parcel.data() + at});
  }
  sort_by_key(sorted, graph.key_bytes);
  const std::shared_ptr<RankedLayers> out(new RankedLayers(GraphTable(variant, sorted.size())));
  const std::vector<std::uint64_t> sizes = ranks.gather(sorted.size());
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    out->all_ += sizes[r];
    if (r < graph.rank) out->before_ += sizes[r];
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ParcelReader reader(std::span(sorted[i].record, record_bytes));
    GraphRecord record;
    record.key = reader.bytes(graph.key_bytes);
    record.margin = reader.get<std::int32_t>();
    record.plies = reader.get<std::uint32_t>();
    record.facts = reader.get<std::uint8_t>();
    record.reached = reader.bytes(group_bytes);
    out->own_.set(i, record);
  }
  return out;
}

}  // namespace plenum
