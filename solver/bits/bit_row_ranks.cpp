// SPDX-License-Identifier: Apache-2.0
// A tier of one threshold by several ranks: what each knows of the others' blocks.
//
// As long as there is room, a rank has copies of all blocks that its own ones read, and is told what changes in them, some times a sweep.
// Otherwise it goes over its blocks in rounds, fetches before each what that reads, and drops it afterwards; then nothing is followed back.
// That a sweep finds nothing new is the end in both cases: what was read in it was as it is now.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "solver/bits/bit_row_solver.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr std::size_t kPartsOfSweep = 8;  // after each of which the ranks tell one another what is new, at the least
constexpr std::uint32_t kAllWords = ~std::uint32_t{0};
struct SweepHead {
  std::uint64_t found = 0;
  std::uint64_t stopped = 0;
};

void mark(std::vector<std::uint8_t>& marks, std::size_t i) {
  std::atomic_ref<std::uint8_t>(marks[i]).store(1, std::memory_order_relaxed);
}

}  // namespace

BitRowCopies::BitRowCopies(BitRowTier& tier, const std::vector<std::uint8_t>& read)
    : tier_(tier), mirror_(tier.deal(), tier.first_block(), tier.block_bytes(), tier.ranks()) {
  mirror_.read(read);
  mirror_.fetch(tier.all_planes());
}

BitRowCopies::~BitRowCopies() { mirror_.release(tier_.all_planes()); }

// False: to be stopped. The others hear of that with what is exchanged next.
bool BitRowSolver::ask(const GoOn& go_on) {
  stopped_ = stopped_ || (tier_.ranks().root() && !go_on());
  return !stopped_;
}

void BitRowSolver::mark_read(std::size_t number, std::vector<std::uint8_t>& here,
                             std::vector<std::uint8_t>* above) const {
  const CellSet set = index_.blocks()[tier_.first_block() + number].set;
  game_.rules().ways(set, [&](const RowWays& ways) {
    for (CellSet rest = ways.to & ~set; rest != 0; rest &= rest - 1) {
      const CellSet to = rest & -rest;
      if (ways.from) {
        mark(here, tier_.number(index_.block_of((set & ~cell_bit(ways.from->cell)) | to)));
      } else if (above != nullptr) {
        mark(*above, above_->number(index_.block_of(set | to)));
      }
    }
    return true;
  });
}

// Blocks of this tier, or of the one above, that these own ones read.
std::vector<std::uint8_t> BitRowSolver::read_by(Share own, bool above) const {
  std::vector<std::uint8_t> here(tier_.blocks());
  std::vector<std::uint8_t> over(above ? above_->blocks() : 0);
  for_each_index(own.size(),
                 [&](std::size_t k) { mark_read(tier_.deal().number(own.begin + k), here, above ? &over : nullptr); });
  return above ? over : here;
}

// In how many rounds own blocks are gone over, so that there is room for what each reads of others' in that tier. Collective.
std::size_t BitRowSolver::rounds_for(const BitRowTier& of, bool above) const {
  Ranks& ranks = of.ranks();
  if (!ranks.several()) return 1;
  const std::uint64_t bytes = of.block_bytes() * game_.states();
  const std::uint64_t room = std::max(copies_take_, of.blocks() / static_cast<std::uint64_t>(ranks.size()) * bytes);
  for (std::size_t rounds = 1;; rounds *= 2) {
    std::uint64_t most = 0;
    for (std::size_t n = 0; n < rounds; ++n) {
      const Share own = share_of(tier_.deal().own(), static_cast<int>(n), static_cast<int>(rounds));
      const std::vector<std::uint8_t> read = read_by(own, above);
      std::uint64_t others = 0;
      for (std::size_t i = 0; i < read.size(); ++i) others += read[i] != 0 && !of.deal().is_own(i) ? 1 : 0;
      most = std::max(most, others);
    }
    // Ranks may differ in what they have left.
    if (!ranks.any(most * bytes > room) || rounds >= tier_.blocks()) return rounds;
  }
}

// In so many parts each rank goes over its own blocks; after each they exchange something.
std::size_t BitRowSolver::sweep_parts() const {
  const std::uint64_t bytes = tier_.blocks() * tier_.block_bytes() * game_.states();
  const auto ranks = static_cast<std::size_t>(tier_.ranks().size());
  if (ranks == 1 || rounds_ > 1) return rounds_;
  return std::clamp<std::size_t>(tier_.blocks() / ranks, 1, std::max(kPartsOfSweep, bytes / kRowExchangeBytes));
}

// What is new of an own block is put down for the ranks that read it: words with their places, or all of them. Before it is entered.
void BitRowSolver::tell(std::size_t number, const BitWord* fresh) {
  if (!copies_) return;
  const auto readers = copies_->mirror().readers(tier_.deal().local(number));
  if (readers.empty()) return;
  const std::size_t words = 2 * tier_.words();
  const std::size_t all = words * game_.states();
  Parcel news;
  put(news, static_cast<std::uint32_t>(number));
  put(news, std::uint32_t{0});
  std::uint32_t count = 0;
  constexpr std::size_t kWordBytes = sizeof(std::uint32_t) + sizeof(BitWord);
  for (std::size_t i = 0; i < all && count * kWordBytes < all * sizeof(BitWord); ++i) {
    if (tier_.planes(static_cast<std::uint32_t>(i / words), number)[i % words] == fresh[i]) continue;
    put(news, static_cast<std::uint32_t>(i));
    put(news, fresh[i]);
    ++count;
  }
  if (count * kWordBytes >= all * sizeof(BitWord)) {
    count = kAllWords;
    news.resize(2 * sizeof(std::uint32_t));
    put(news, std::span(fresh, all));
  }
  std::memcpy(news.data() + sizeof(std::uint32_t), &count, sizeof count);
  for (const std::uint32_t r : readers) put(told_[r], std::span<const std::uint8_t>(news.data(), news.size()));
}

void BitRowSolver::enter(ParcelReader& from) {
  const std::size_t words = 2 * tier_.words();
  const std::size_t number = from.get<std::uint32_t>();
  const auto count = from.get<std::uint32_t>();
  if (count == kAllWords) {
    for (std::uint32_t s = 0; s < game_.states(); ++s)
      std::memcpy(tier_.planes(s, number), from.bytes(words * sizeof(BitWord)).data(), words * sizeof(BitWord));
    return;
  }
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::size_t at = from.get<std::uint32_t>();
    tier_.planes(static_cast<std::uint32_t>(at / words), number)[at % words] = from.get<BitWord>();
  }
}

// Collective: the ranks tell one another what is new, and how much they found, which is added up. kCancelled if one is to be stopped.
absl::Status BitRowSolver::share(std::uint64_t& changed) {
  Ranks& ranks = tier_.ranks();
  std::vector<Parcel> to(told_.size());
  for (std::size_t r = 0; r < to.size(); ++r) {
    put(to[r], SweepHead{found_, stopped_ ? 1U : 0U});
    put(to[r], std::span<const std::uint8_t>(told_[r].data(), told_[r].size()));
    told_[r].resize(0);
  }
  found_ = 0;
  for (const Parcel& parcel : ranks.exchange(std::move(to))) {
    ParcelReader reader(parcel);
    const auto head = reader.get<SweepHead>();
    changed += head.found;
    stopped_ = stopped_ || head.stopped != 0;
    while (!reader.empty()) enter(reader);
  }
  return stopped_ ? absl::CancelledError("interrupted") : absl::OkStatus();
}

}  // namespace plenum
