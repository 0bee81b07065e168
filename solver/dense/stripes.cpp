// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/stripes.h"

#include <cstring>
#include <utility>

#include "solver/support/memory.h"

namespace plenum {
namespace {

constexpr std::uint64_t kSentAtATime = std::uint64_t{1} << 22;  // bytes that a rank sends
constexpr std::uint64_t kLeastSent = std::uint64_t{1} << 12;    // to each

// A list of stretches, some of it at a time.
class ShareReader {
 public:
  explicit ShareReader(std::span<const Share> list) : list_(list) {}
  // Calls fn(from, to) for the next `most` things.
  template <typename Fn>
  void next(std::uint64_t most, const Fn& fn) {
    while (most > 0 && at_ < list_.size()) {
      const std::uint64_t from = list_[at_].begin + taken_;
      const std::uint64_t to = std::min(list_[at_].end, from + most);
      fn(from, to);
      most -= to - from;
      taken_ += to - from;
      if (to < list_[at_].end) continue;
      ++at_;
      taken_ = 0;
    }
  }

 private:
  std::span<const Share> list_;
  std::size_t at_ = 0;
  std::uint64_t taken_ = 0;  // of that one
};

std::uint64_t length(std::span<const Share> list) {
  std::uint64_t out = 0;
  for (const Share& one : list) out += one.size();
  return out;
}

// In how many pieces of `each` all ranks have done theirs. Collective.
std::uint64_t pieces_of_all(Ranks& ranks, std::uint64_t most, std::uint64_t each) {
  std::uint64_t out = 0;
  for (const std::uint64_t one : ranks.gather((most + each - 1) / each)) out = std::max(out, one);
  return out;
}

}  // namespace

void fetch_stripes(Ranks& ranks, const Stripes& stripes, std::span<const Share> wanted, ByteArrays arrays) {
  if (!ranks.several() || arrays.empty()) return;
  const auto own = static_cast<std::size_t>(ranks.rank());
  std::vector<std::vector<Share>> taken(stripes.ranks());
  for (const Share& one : wanted) {
    stripes.for_each(one.begin, one.end, [&](std::uint64_t owner, std::uint64_t from, std::uint64_t to) {
      if (owner != own) taken[owner].push_back({from, to});
    });
  }
  std::vector<Parcel> asked(taken.size());
  for (std::size_t r = 0; r < taken.size(); ++r) put(asked[r], std::span<const Share>(taken[r]));
  std::vector<std::vector<Share>> given;
  for (const Parcel& parcel : ranks.exchange(std::move(asked)))
    given.push_back(ParcelReader(parcel).get_all<Share>(parcel.size() / sizeof(Share)));

  const std::uint64_t each = std::max(kLeastSent, kSentAtATime / stripes.ranks()) / arrays.size() + 1;
  std::uint64_t most = 0;
  for (const std::vector<Share>& list : taken) most = std::max(most, length(list));
  std::vector<ShareReader> to_take(taken.begin(), taken.end());
  std::vector<ShareReader> to_give(given.begin(), given.end());
  for (std::uint64_t left = pieces_of_all(ranks, most, each); left > 0; --left) {
    std::vector<Parcel> to(taken.size());
    for (std::size_t r = 0; r < to.size(); ++r) {
      to_give[r].next(each, [&](std::uint64_t a, std::uint64_t b) {
        for (const BigBytes* const bytes : arrays) put(to[r], std::span<const std::uint8_t>(bytes->data() + a, b - a));
      });
    }
    const std::vector<Parcel> from = ranks.exchange(std::move(to));
    for (std::size_t r = 0; r < from.size(); ++r) {
      ParcelReader reader(from[r]);
      to_take[r].next(each, [&](std::uint64_t a, std::uint64_t b) {
        for (BigBytes* const bytes : arrays) std::memcpy(bytes->data() + a, reader.bytes(b - a).data(), b - a);
      });
    }
  }
}

void deliver_stripes(Ranks& ranks, const Stripes& stripes, std::span<const Share> added, ByteArrays arrays) {
  if (!ranks.several() || arrays.empty()) return;
  const auto own = static_cast<std::size_t>(ranks.rank());
  const std::uint64_t each = std::max(kLeastSent, kSentAtATime / stripes.ranks()) / arrays.size() + 1;
  ShareReader pieces(added);
  for (std::uint64_t left = pieces_of_all(ranks, length(added), each); left > 0; --left) {
    std::vector<Parcel> to(stripes.ranks());
    const auto add = [&](std::uint64_t owner, std::uint64_t a, std::uint64_t b) {
      for (std::uint32_t k = 0; k < arrays.size() && owner != own; ++k) {
        const std::span<const std::uint8_t> bytes(arrays[k]->data() + a, b - a);
        if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) continue;
        put(to[owner], k);
        put(to[owner], a);
        put(to[owner], b - a);
        put(to[owner], bytes);
      }
    };
    pieces.next(each, [&](std::uint64_t from, std::uint64_t until) { stripes.for_each(from, until, add); });
    for (const Parcel& parcel : ranks.exchange(std::move(to))) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        BigBytes& bytes = *arrays[reader.get<std::uint32_t>()];
        const auto at = reader.get<std::uint64_t>();
        const auto bits = reader.bytes(reader.get<std::uint64_t>());
        for (std::size_t i = 0; i < bits.size(); ++i) bytes[at + i] |= bits[i];
      }
    }
  }
  for (const Share& one : added) release_stripes(stripes, one, arrays);
}

void release_stripes(const Stripes& stripes, Share of, ByteArrays arrays) {
  if (stripes.ranks() == 1) return;
  for (BigBytes* const bytes : arrays) {
    stripes.for_others(of.begin, of.end,
                       [&](std::uint64_t a, std::uint64_t b) { clear_pages(bytes->data() + a, b - a); });
  }
}

void add_own(const Stripes& stripes, const BigBytes& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t at,
             std::vector<Segment>& to) {
  stripes.for_own(begin, end, [&](std::uint64_t a, std::uint64_t b) {
    to.push_back({at + a - begin, {bytes.data() + a, b - a}});
  });
}

}  // namespace plenum
