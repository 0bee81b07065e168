// SPDX-License-Identifier: Apache-2.0
// A shared table of positions with bounds of their values, for searching: lossy, never wrong.
//
// A bucket is one cache line (two for very long entries). An entry holds the whole rest of a key that its bucket does not tell,
// so two positions are never taken for one: keys are mixed by a bijection, the low bits are the bucket's number and the others are
// stored (quotienting; Cleary 1984). With short keys and few values an entry is one word and is read and written at
// once; longer ones stand in buckets with a version number that is odd while somebody writes (a sequence lock whose
// readers take a change for a miss and whose writers give way), so nobody ever waits.
//
// Entries are true for ever: bounds are only ever narrowed, and when a bucket is full the entry that took the least work to find
// makes room. The table begins small and is doubled in place, as grow() is called, within the address space reserved for it.
//
// Thread-safety: probe() and store() from any thread; grow() while nobody does either; sizes at any time.
// Cost: 8 bytes an entry where key, bounds and work fit 64 bits, else 16 and more; a probe is one cache miss.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "tables/index/packing.h"
#include "variants/graph/rule_graph.h"

namespace plenum {

// Memory that is reserved at once and taken page by page as it is touched, all zero at first.
class LazyMemory {
 public:
  // Reserves as much as it can get, at most `bytes`, and at least 4096; throws std::bad_alloc where even that is refused.
  explicit LazyMemory(std::uint64_t bytes);
  ~LazyMemory();
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t* words() const { return words_; }

 private:
  std::uint64_t* words_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// How much work found something out: nodes of a search, as a power of two.
using Work = std::uint8_t;
inline constexpr int kWorkBits = 6;
inline Work work_of(std::uint64_t nodes) { return static_cast<Work>(std::bit_width(nodes)); }

template <std::size_t kWords>
class TranspositionTable {
 public:
  // Keys of so many bits, values within `values`, at most so much memory.
  TranspositionTable(int key_bits, Interval values, std::uint64_t most_bytes)
      : key_bits_(key_bits),
        values_(values),
        value_bits_(std::bit_width(static_cast<std::uint64_t>(values.greatest - values.least))),
        memory_(std::bit_floor(std::max<std::uint64_t>(most_bytes, kLeastBytes))) {
    const int word_bits = key_bits_ < 64 ? key_bits_ : 64;
    mask_ = word_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << word_bits) - 1;
    half_ = std::max(1, word_bits / 2);
    // The least size at which entries are one word, if it is a small one.
    const int rest = 64 - 2 * value_bits_ - kWorkBits;
    const int reserved = std::bit_width(memory_.bytes() / kLineBytes) - 1;
    int bits = std::min(kFirstBits, reserved);
    compact_ = rest > 0 && key_bits_ - std::min(kCompactBits, reserved) <= rest;
    if (compact_) bits = std::max(bits, key_bits_ - rest);
    bits = std::min(bits, word_bits);
    most_bits_ = std::min(reserved, word_bits);
    if (!compact_) {
      const int entry_bits = key_bits_ + 2 * value_bits_ + kWorkBits;
      entry_words_ = static_cast<std::size_t>((entry_bits + 63) / 64);
      bucket_words_ = entry_words_ < kLineWords ? kLineWords : 2 * kLineWords;
      entries_ = (bucket_words_ - 1) / entry_words_;
      if (bucket_words_ > kLineWords) --most_bits_;
      bits = std::min(bits, most_bits_);
    }
    index_bits_ = bits;
  }

  std::uint64_t bytes() const { return buckets() * bucket_words_ * 8; }
  std::uint64_t capacity() const { return buckets() * entries_; }
  bool can_grow() const { return index_bits() < most_bits_; }

  // A key as the table takes it.
  Key<kWords> mixed(Key<kWords> key) const {
    if constexpr (kWords > 1) {
      std::uint64_t others = 0;
      for (std::size_t i = 1; i < kWords; ++i) others = (others ^ key[i]) * 0x9E3779B97F4A7C15ULL;
      key[0] ^= others ^ (others >> 32);
    }
    std::uint64_t x = key[0];
    x = ((x ^ (x >> half_)) * 0xD6E8FEB86659FD93ULL) & mask_;
    x = ((x ^ (x >> half_)) * 0x9E3779B97F4A7C15ULL) & mask_;
    key[0] = x ^ (x >> half_);
    return key;
  }

  void prefetch(const Key<kWords>& mixed) const { __builtin_prefetch(bucket(mixed)); }

  // The bounds known of a position; `whole` if none are.
  // Always inlined: as a call it cost a search 5 %, and the compiler decides by what else is in the source.
  [[gnu::always_inline]] Interval probe(const Key<kWords>& mixed, Interval whole) const {
    const std::uint64_t* const b = bucket(mixed);
    if (compact_) {
      const std::uint64_t rest = rest_of(mixed);
      for (std::size_t i = 0; i < kLineWords; ++i) {
        const std::uint64_t e = load(b + i);
        if (e >> low_bits() == rest && e != 0) return meet(decode(e), whole);
      }
      return whole;
    }
    const std::uint64_t version = std::atomic_ref<const std::uint64_t>(*b).load(std::memory_order_acquire);
    if ((version & 1) != 0) return whole;
    Interval out = whole;
    const std::size_t i = find(b, mixed);
    if (i < entries_) {
      out = meet(bounds_in(entry(b, i)), whole);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return load(b) == version ? out : whole;
  }

  // Notes bounds; returns whether a place that was free is taken.
  bool store(const Key<kWords>& mixed, Interval bounds, Work work) {
    work = std::max<Work>(1, std::min<Work>(work, (1 << kWorkBits) - 1));
    std::uint64_t* const b = bucket(mixed);
    return compact_ ? store_word(b, mixed, bounds, work) : store_entry(b, mixed, bounds, work);
  }

  // Twice the buckets; each gives up those of its entries that belong in its twin. Requires can_grow().
  template <typename ForRanges>
  void grow(const ForRanges& for_ranges) {
    const std::uint64_t count = buckets();
    for_ranges(count, [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) split(i, i + count);
    });
    index_bits_.store(index_bits() + 1, std::memory_order_relaxed);
  }

 private:
  std::uint64_t buckets() const { return std::uint64_t{1} << index_bits(); }
  // Looked at from outside while the table grows, when nobody reads or writes entries.
  int index_bits() const { return index_bits_.load(std::memory_order_relaxed); }

  static constexpr std::size_t kLineWords = 8;
  static constexpr std::uint64_t kLineBytes = 64;
  static constexpr std::uint64_t kLeastBytes = 1 << 14;
  static constexpr int kFirstBits = 13;    // half a megabyte
  static constexpr int kCompactBits = 18;  // 16 megabytes

  static Interval meet(Interval a, Interval b) {
    return {std::max(a.least, b.least), std::min(a.greatest, b.greatest)};
  }
  // Words are read and written by many threads at once; relaxed, they cost no more than plain ones.
  static std::uint64_t load(const std::uint64_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
  static void put(std::uint64_t* word, std::uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

  std::uint64_t index(const Key<kWords>& mixed) const { return mixed[0] & (buckets() - 1); }
  const std::uint64_t* bucket(const Key<kWords>& mixed) const { return memory_.words() + index(mixed) * bucket_words_; }
  std::uint64_t* bucket(const Key<kWords>& mixed) { return memory_.words() + index(mixed) * bucket_words_; }

  // --- entries of one word: rest of the key, greatest, least, work; never 0, since work is not
  int low_bits() const { return 2 * value_bits_ + kWorkBits; }
  std::uint64_t rest_of(const Key<kWords>& mixed) const {
    std::uint64_t out = mixed[0] >> index_bits();
    if constexpr (kWords > 1) {
      if (key_bits_ > 64) out |= mixed[1] << (64 - index_bits());
    }
    return out;
  }
  // As they are stored: less the least of values_.
  Interval bounds_of(std::uint64_t low, std::uint64_t high) const {
    return {values_.least + static_cast<std::int64_t>(low), values_.least + static_cast<std::int64_t>(high)};
  }
  std::uint64_t encode(std::uint64_t rest, Interval bounds, Work work) const {
    const auto low = static_cast<std::uint64_t>(bounds.least - values_.least);
    const auto high = static_cast<std::uint64_t>(bounds.greatest - values_.least);
    return (((rest << value_bits_ | high) << value_bits_ | low) << kWorkBits) | work;
  }
  Interval decode(std::uint64_t e) const {
    const std::uint64_t ones = (std::uint64_t{1} << value_bits_) - 1;
    return bounds_of(e >> kWorkBits & ones, e >> (kWorkBits + value_bits_) & ones);
  }
  static Work work_in(std::uint64_t e) { return e & ((1 << kWorkBits) - 1); }

  bool store_word(std::uint64_t* b, const Key<kWords>& mixed, Interval bounds, Work work) {
    const std::uint64_t rest = rest_of(mixed);
    std::size_t victim = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < kLineWords; ++i) {
      const std::uint64_t e = load(b + i);
      if (e >> low_bits() == rest && e != 0) {
        const Interval both = meet(decode(e), bounds);
        put(b + i, encode(rest, both, std::max(work, work_in(e))));
        return false;
      }
      const std::uint64_t rank = work_in(e);  // 0 where nothing is
      if (rank < least) {
        least = rank;
        victim = i;
      }
    }
    put(b + victim, encode(rest, bounds, work));
    return least == 0;
  }

  // --- entries of several words, after a word with the version: work, least, greatest, the key
  std::size_t entry_at(std::size_t i) const { return 1 + i * entry_words_; }
  const std::uint64_t* entry(const std::uint64_t* b, std::size_t i) const { return b + entry_at(i); }
  static std::uint64_t field(const std::uint64_t* e, int at, int width) {
    if (width == 0) return 0;
    const int shift = at % 64;
    std::uint64_t out = load(e + at / 64) >> shift;
    if (shift + width > 64) out |= load(e + at / 64 + 1) << (64 - shift);
    return width == 64 ? out : out & ((std::uint64_t{1} << width) - 1);
  }
  static void set_field(std::uint64_t* e, int at, int width, std::uint64_t value) {
    if (width == 0) return;
    const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const int shift = at % 64;
    std::uint64_t* const word = e + at / 64;
    put(word, (load(word) & ~(ones << shift)) | value << shift);
    if (shift + width > 64) put(word + 1, (load(word + 1) & ~(ones >> (64 - shift))) | value >> (64 - shift));
  }
  Interval bounds_in(const std::uint64_t* e) const {
    return bounds_of(field(e, kWorkBits, value_bits_), field(e, kWorkBits + value_bits_, value_bits_));
  }
  // How many bits of the key its word i has.
  int key_width(std::size_t i) const { return std::clamp(key_bits_ - 64 * static_cast<int>(i), 0, 64); }
  bool holds(const std::uint64_t* e, const Key<kWords>& mixed) const {
    int at = kWorkBits + 2 * value_bits_;
    for (std::size_t i = 0; i < kWords; at += key_width(i), ++i) {
      if (field(e, at, key_width(i)) != mixed[i]) return false;
    }
    return field(e, 0, kWorkBits) != 0;
  }
  std::size_t find(const std::uint64_t* b, const Key<kWords>& mixed) const {
    std::size_t i = 0;
    while (i < entries_ && !holds(entry(b, i), mixed)) ++i;
    return i;
  }
  void write(std::uint64_t* e, const Key<kWords>& mixed, Interval bounds, Work work) const {
    set_field(e, 0, kWorkBits, work);
    set_field(e, kWorkBits, value_bits_, static_cast<std::uint64_t>(bounds.least - values_.least));
    set_field(e, kWorkBits + value_bits_, value_bits_, static_cast<std::uint64_t>(bounds.greatest - values_.least));
    int at = kWorkBits + 2 * value_bits_;
    for (std::size_t i = 0; i < kWords; at += key_width(i), ++i) set_field(e, at, key_width(i), mixed[i]);
  }
  bool store_entry(std::uint64_t* b, const Key<kWords>& mixed, Interval bounds, Work work) {
    std::atomic_ref<std::uint64_t> version(*b);
    std::uint64_t seen = version.load(std::memory_order_relaxed);
    if ((seen & 1) != 0 || !version.compare_exchange_strong(seen, seen + 1, std::memory_order_acquire)) return false;
    std::atomic_thread_fence(std::memory_order_release);
    std::size_t at = find(b, mixed);
    bool fresh = false;
    if (at < entries_) {
      const std::uint64_t* const e = entry(b, at);
      bounds = meet(bounds_in(e), bounds);
      work = std::max(work, static_cast<Work>(field(e, 0, kWorkBits)));
    } else {
      std::uint64_t least = ~std::uint64_t{0};
      for (std::size_t i = 0; i < entries_; ++i) {
        const std::uint64_t rank = field(entry(b, i), 0, kWorkBits);
        if (rank < least) {
          least = rank;
          at = i;
        }
      }
      fresh = least == 0;
    }
    write(b + entry_at(at), mixed, bounds, work);
    version.store(seen + 2, std::memory_order_release);
    return fresh;
  }

  void split(std::uint64_t from, std::uint64_t to) {
    std::uint64_t* const a = memory_.words() + from * bucket_words_;
    std::uint64_t* const b = memory_.words() + to * bucket_words_;
    if (compact_) {
      std::size_t moved = 0;
      for (std::size_t i = 0; i < kLineWords; ++i) {
        const std::uint64_t e = a[i];
        if (e == 0) continue;
        const std::uint64_t rest = e >> low_bits();
        const std::uint64_t shorter = (rest >> 1) << low_bits() | (e & ((std::uint64_t{1} << low_bits()) - 1));
        a[i] = (rest & 1) == 0 ? shorter : 0;
        if ((rest & 1) != 0) b[moved++] = shorter;
      }
      return;
    }
    std::size_t moved = 0;
    for (std::size_t i = 0; i < entries_; ++i) {
      std::uint64_t* const e = a + entry_at(i);
      if (field(e, 0, kWorkBits) == 0) continue;
      const std::uint64_t first = field(e, kWorkBits + 2 * value_bits_, key_width(0));
      if ((first >> index_bits() & 1) == 0) continue;
      std::copy(e, e + entry_words_, b + entry_at(moved++));
      std::fill(e, e + entry_words_, 0);
    }
  }

  int key_bits_;
  Interval values_;
  int value_bits_;
  LazyMemory memory_;
  std::uint64_t mask_ = 0;
  int half_ = 1;
  bool compact_ = true;
  std::size_t entry_words_ = 1;
  std::size_t bucket_words_ = kLineWords;
  std::size_t entries_ = kLineWords;
  std::atomic<int> index_bits_{0};
  int most_bits_ = 0;
};

}  // namespace plenum
