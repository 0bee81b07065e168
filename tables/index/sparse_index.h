// SPDX-License-Identifier: Apache-2.0
// The sparse index: a hash table of the positions met, in shards that are filled in parallel.
//
// A shard is an open-addressing table (linear probing) of numbers into a list of packed keys. Positions are put in by
// shard, one thread a shard, in an order that does not depend on the number of threads; so a position's address
// (shard, place in its list) is the same in every run. When all are in, number() gives the final numbers, tier by tier, and settle()
// puts the keys into their order. From number() on there is no hash table: find() makes another when it is first called, so that
// it takes no memory while a game is solved.
//
// Thread-safety: insert() into different shards at the same time; everything const from any thread.
// Cost: 8 bytes a key word and up to a quarter more, 4 to 11 bytes of slots a position; 4 more between number() and settle().
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "tables/for_each_index.h"
#include "tables/index/packing.h"
#include "tables/position_store.h"

namespace plenum {

// Where a position is stored before it has its number.
using Address = std::uint32_t;
inline constexpr int kShardBits = 6;
inline constexpr std::size_t kShards = std::size_t{1} << kShardBits;
inline constexpr int kPlaceBits = 32 - kShardBits;
inline constexpr std::size_t kMaxPlaces = (std::size_t{1} << kPlaceBits) - 1;

constexpr Address address(std::size_t shard, std::size_t place) {
  return static_cast<Address>(place << kShardBits | shard);
}
constexpr std::size_t shard_of(Address a) { return a & (kShards - 1); }
constexpr std::size_t place_of(Address a) { return a >> kShardBits; }

template <std::size_t kWords>
std::uint64_t hash_key(const Key<kWords>& key) {
  std::uint64_t h = 0;
  for (const std::uint64_t word : key) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93ULL;
    h ^= h >> 32;
  }
  return h;
}
// Word by word: what the standard library makes of it calls a function.
template <std::size_t kWords>
bool same_key(const Key<kWords>& a, const Key<kWords>& b) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < kWords; ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}
inline std::size_t shard_of_hash(std::uint64_t hash) { return hash >> (64 - kShardBits); }

template <std::size_t kWords>
class SparseIndex final : public PositionStore {
 public:
  explicit SparseIndex(Packing packing) : packing_(std::move(packing)), shards_(kShards) {}

  const Packing& packing() const { return packing_; }

  struct Inserted {
    Address address = 0;
    bool fresh = false;
  };
  // Requires shard == shard_of_hash(hash) and fewer than kMaxPlaces positions in the shard.
  Inserted insert(std::size_t shard, const Key<kWords>& key, std::uint64_t hash) {
    Shard& s = shards_[shard];
    if ((s.keys.size() + 1) * 4 > s.slots.size() * 3) grow(s);
    const std::size_t mask = s.slots.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      if (s.slots[i] == kFree) {
        const std::size_t place = s.keys.size();
        s.slots[i] = static_cast<std::uint32_t>(place);
        // By quarters: doubling would leave a third unused on average, in all shards at the same time.
        if (place == s.keys.capacity()) s.keys.reserve(place + place / 4 + 64);
        s.keys.push_back(key);
        return {plenum::address(shard, place), true};
      }
      if (same_key(s.keys[s.slots[i]], key)) return {plenum::address(shard, s.slots[i]), false};
    }
  }

  // Brings near what insert() of a hash will look at: at first the slot, and a while later the key in it.
  void prefetch_slot(std::size_t shard, std::uint64_t hash) const {
    const Shard& s = shards_[shard];
    if (!s.slots.empty()) __builtin_prefetch(&s.slots[hash & (s.slots.size() - 1)], 1);
  }
  void prefetch_key(std::size_t shard, std::uint64_t hash) const {
    const Shard& s = shards_[shard];
    if (s.slots.empty()) return;
    const std::uint32_t place = s.slots[hash & (s.slots.size() - 1)];
    if (place != kFree) __builtin_prefetch(&s.keys[place]);
  }

  // Where the key is stored, before it has its number.
  std::optional<Address> locate(const Key<kWords>& key, std::uint64_t hash) const {
    const std::size_t shard = shard_of_hash(hash);
    const Shard& s = shards_[shard];
    if (s.slots.empty()) return std::nullopt;
    const std::size_t mask = s.slots.size() - 1;
    for (std::size_t i = hash & mask; s.slots[i] != kFree; i = (i + 1) & mask) {
      if (same_key(s.keys[s.slots[i]], key)) return plenum::address(shard, s.slots[i]);
    }
    return std::nullopt;
  }
  // What a shard may come to hold while `more` keys are put in: lists and tables double, the old beside the new.
  std::size_t bytes_after(std::size_t shard, std::size_t more) const {
    const Shard& s = shards_[shard];
    const std::size_t wanted = s.keys.size() + more;
    std::size_t keys = s.keys.capacity();
    if (wanted > keys) keys = keys + std::max(keys + keys / 4 + 64, wanted + wanted / 4 + 64);
    std::size_t slots = std::max<std::size_t>(64, s.slots.size());
    while ((wanted + 1) * 4 > slots * 3) slots *= 2;
    return keys * sizeof(Key<kWords>) + slots * sizeof(std::uint32_t);
  }

  std::size_t places(std::size_t shard) const { return shards_[shard].keys.size(); }
  const Key<kWords>& key(Address a) const { return shards_[shard_of(a)].keys[place_of(a)]; }

  // Forgets the hash table: insert() and locate() no longer work.
  void end_inserting() {
    for (Shard& s : shards_) {
      std::vector<std::uint32_t>().swap(s.slots);
      s.keys.shrink_to_fit();
    }
  }

  // Gives the final numbers: `index_of[shard][place]` is a permutation of 0..size-1.
  void number(std::vector<std::vector<PositionIndex>> index_of) {
    index_of_ = std::move(index_of);
    end_inserting();
  }
  PositionIndex index_of(Address a) const { return index_of_[shard_of(a)][place_of(a)]; }
  // Forgets the addresses: from now on only find() and position() work. What holds them before is given back shard by shard.
  void settle() {
    std::size_t n = 0;
    for (const Shard& s : shards_) n += s.keys.size();
    keys_.resize(n);
    for_each_index(kShards, [&](std::size_t shard) {
      Shard& s = shards_[shard];
      std::vector<PositionIndex>& numbers = index_of_[shard];
      for (std::size_t place = 0; place < s.keys.size(); ++place) keys_[numbers[place]] = s.keys[place];
      std::vector<Key<kWords>>().swap(s.keys);
      std::vector<PositionIndex>().swap(numbers);
    });
    index_of_.clear();
  }

  std::size_t size() const override { return keys_.size(); }
  std::optional<PositionIndex> find(const Position& canonical) const override {
    std::call_once(listed_, [this] { list_keys(); });
    const Key<kWords> key = packing_.pack<kWords>(canonical);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_key(key) & mask; slots_[i] != kFree; i = (i + 1) & mask) {
      if (same_key(keys_[slots_[i]], key)) return slots_[i];
    }
    return std::nullopt;
  }
  Position position(PositionIndex index) const override { return packing_.unpack<kWords>(keys_[index]); }
  std::size_t bytes() const override {
    std::size_t out = keys_.capacity() * sizeof(Key<kWords>) + slots_.capacity() * sizeof(std::uint32_t);
    for (const Shard& s : shards_)
      out += s.keys.capacity() * sizeof(Key<kWords>) + s.slots.capacity() * sizeof(std::uint32_t);
    for (const auto& list : index_of_) out += list.capacity() * sizeof(PositionIndex);
    return out;
  }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  struct Shard {
    std::vector<Key<kWords>> keys;
    std::vector<std::uint32_t> slots;
  };

  static void grow(Shard& s) {
    const std::size_t wanted = std::max<std::size_t>(64, 2 * s.slots.size());
    s.slots.assign(wanted, kFree);
    for (std::size_t place = 0; place < s.keys.size(); ++place) {
      std::size_t i = hash_key(s.keys[place]) & (wanted - 1);
      while (s.slots[i] != kFree) i = (i + 1) & (wanted - 1);
      s.slots[i] = static_cast<std::uint32_t>(place);
    }
  }

  void list_keys() const {
    std::size_t wanted = 64;
    while (keys_.size() * 4 > wanted * 3) wanted *= 2;
    slots_.assign(wanted, kFree);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      std::size_t i = hash_key(keys_[k]) & (wanted - 1);
      while (slots_[i] != kFree) i = (i + 1) & (wanted - 1);
      slots_[i] = static_cast<std::uint32_t>(k);
    }
  }

  Packing packing_;
  std::vector<Shard> shards_;
  std::vector<std::vector<PositionIndex>> index_of_;
  std::vector<Key<kWords>> keys_;  // by number
  mutable std::once_flag listed_;
  mutable std::vector<std::uint32_t> slots_;  // numbers, by hash
};

}  // namespace plenum
