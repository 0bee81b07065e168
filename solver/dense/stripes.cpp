// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/stripes.h"

#include <cstring>
#include <utility>

#include "solver/support/memory.h"

namespace plenum {
namespace {

// Calls fn(from, to) for pieces of [begin, end) that are exchanged at a time.
template <typename Fn>
void in_pieces(std::uint64_t begin, std::uint64_t end, std::size_t arrays, const Fn& fn) {
  constexpr std::uint64_t kAtATime = std::uint64_t{1} << 22;
  const std::uint64_t each = std::max<std::uint64_t>(1, kAtATime / std::max<std::size_t>(1, arrays));
  for (std::uint64_t from = begin; from < end; from += each) fn(from, std::min(end, from + each));
}

}  // namespace

void fetch_stripes(Ranks& ranks, const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays) {
  if (!ranks.several() || arrays.empty()) return;
  in_pieces(begin, end, arrays.size(), [&](std::uint64_t from, std::uint64_t to) {
    Parcel own;
    own.reserve((to - from) * arrays.size() / stripes.ranks() + 1);
    for (const BigBytes* const bytes : arrays) {
      stripes.for_own(from, to, [&](std::uint64_t a, std::uint64_t b) {
        put(own, std::span<const std::uint8_t>(bytes->data() + a, b - a));
      });
    }
    const std::vector<Parcel> all = ranks.gather(std::span<const std::uint8_t>(own));
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (static_cast<int>(r) == ranks.rank()) continue;
      ParcelReader reader(all[r]);
      for (BigBytes* const bytes : arrays) {
        stripes.for_rank(r, from, to, [&](std::uint64_t a, std::uint64_t b) {
          std::memcpy(bytes->data() + a, reader.bytes(b - a).data(), b - a);
        });
      }
    }
  });
}

void deliver_stripes(Ranks& ranks, const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays) {
  if (!ranks.several() || arrays.empty()) return;
  in_pieces(begin, end, arrays.size(), [&](std::uint64_t from, std::uint64_t to) {
    std::vector<Parcel> parcels(stripes.ranks());
    for (std::uint32_t k = 0; k < arrays.size(); ++k) {
      for (std::uint64_t r = 0; r < parcels.size(); ++r) {
        if (static_cast<int>(r) == ranks.rank()) continue;
        stripes.for_rank(r, from, to, [&](std::uint64_t a, std::uint64_t b) {
          const std::span<const std::uint8_t> bytes(arrays[k]->data() + a, b - a);
          if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) return;
          put(parcels[r], k);
          put(parcels[r], a);
          put(parcels[r], b - a);
          put(parcels[r], bytes);
        });
      }
    }
    for (const Parcel& parcel : ranks.exchange(std::move(parcels))) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        BigBytes& bytes = *arrays[reader.get<std::uint32_t>()];
        const auto at = reader.get<std::uint64_t>();
        const auto bits = reader.bytes(reader.get<std::uint64_t>());
        for (std::size_t i = 0; i < bits.size(); ++i) bytes[at + i] |= bits[i];
      }
    }
  });
  release_stripes(stripes, begin, end, arrays);
}

void release_stripes(const Stripes& stripes, std::uint64_t begin, std::uint64_t end, ByteArrays arrays) {
  if (stripes.ranks() == 1) return;
  for (BigBytes* const bytes : arrays) {
    stripes.for_others(begin, end, [&](std::uint64_t a, std::uint64_t b) { clear_pages(bytes->data() + a, b - a); });
  }
}

void add_own(const Stripes& stripes, const BigBytes& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t at,
             std::vector<Segment>& to) {
  stripes.for_own(begin, end, [&](std::uint64_t a, std::uint64_t b) {
    to.push_back({at + a - begin, {bytes.data() + a, b - a}});
  });
}

}  // namespace plenum
