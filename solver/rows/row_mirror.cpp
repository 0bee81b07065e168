// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/row_mirror.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "solver/support/memory.h"

namespace plenum {
namespace {

RowDeal deal_of(const DenseIndex& index, int stones, const Ranks& ranks) {
  const std::size_t blocks = stones > index.cells() ? 0 : index.first_block(stones + 1) - index.first_block(stones);
  return {blocks, ranks.rank(), ranks.size()};
}

// Bits of a row: those that are not 0 by their places, or all of them.
constexpr std::uint32_t kAllOfRow = ~std::uint32_t{0};

void put_bits(Parcel& to, std::span<const std::uint8_t> row) {
  const auto zeros = static_cast<std::size_t>(std::count(row.begin(), row.end(), 0));
  const std::size_t some = row.size() - zeros;
  if (some * (sizeof(std::uint32_t) + 1) >= row.size()) {
    put(to, kAllOfRow);
    put(to, row);
    return;
  }
  put(to, static_cast<std::uint32_t>(some));
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0) continue;
    put(to, static_cast<std::uint32_t>(i));
    put(to, row[i]);
  }
}

bool add_bits(ParcelReader& from, std::span<std::uint8_t> row) {
  std::uint8_t fresh = 0;
  const auto add = [&](std::uint8_t& to, std::uint8_t bits) {
    fresh |= static_cast<std::uint8_t>(bits & ~to);
    to |= bits;
  };
  const auto some = from.get<std::uint32_t>();
  if (some == kAllOfRow) {
    const auto bits = from.bytes(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) add(row[i], bits[i]);
  } else {
    for (std::uint32_t n = 0; n < some; ++n) {
      const auto i = from.get<std::uint32_t>();
      add(row[i], from.get<std::uint8_t>());
    }
  }
  return fresh != 0;
}

}  // namespace

BoardBytes make_board_bytes(std::uint32_t states, BoardIndex boards) {
  BoardBytes out;
  for (std::uint32_t state = 0; state < states; ++state) out.emplace_back(boards, BigBytes::Pages::small);
  return out;
}

std::vector<Share> own_boards(const DenseIndex& index, int stones, int until, const Ranks& ranks) {
  std::vector<Share> out;
  for (int k = stones; k < until && k <= index.cells(); ++k) {
    const RowDeal deal = deal_of(index, k, ranks);
    if (deal.blocks() == 0) continue;
    const BoardIndex begin = index.begin(k);
    const BoardIndex size = (index.begin(k + 1) - begin) / deal.blocks();
    deal.for_own([&](std::size_t from, std::size_t to) {
      if (!out.empty() && out.back().end == begin + from * size) {
        out.back().end = begin + to * size;
      } else {
        out.push_back({begin + from * size, begin + to * size});
      }
    });
  }
  return out;
}

RowMirror::RowMirror(const RowDeal& deal, BlockIndex first, std::size_t block_bytes, Ranks& ranks)
    : ranks_(ranks),
      deal_(deal),
      first_(first),
      positions_(block_bytes),
      taken_(static_cast<std::size_t>(ranks.size())),
      given_(static_cast<std::size_t>(ranks.size())),
      reader_begin_(deal_.own() + 1, 0) {}

RowMirror::RowMirror(const DenseIndex& index, int stones, Ranks& ranks)
    : RowMirror(deal_of(index, stones, ranks),
                stones > index.cells() ? static_cast<BlockIndex>(index.blocks().size()) : index.first_block(stones),
                stones > index.cells() ? 1 : index.size(index.blocks()[index.first_block(stones)]), ranks) {
  begin_ = index.begin(stones);
}

void RowMirror::read(const std::vector<std::uint8_t>& read) {
  if (!ranks_.several()) return;
  std::vector<Parcel> to(taken_.size());
  for (std::size_t i = 0; i < deal_.blocks(); ++i) {
    if (read[i] == 0 || deal_.is_own(i)) continue;
    taken_[deal_.owner(i)].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t r = 0; r < to.size(); ++r) put(to[r], std::span<const std::uint32_t>(taken_[r]));
  const std::vector<Parcel> from = ranks_.exchange(std::move(to));
  std::vector<std::vector<std::uint32_t>> readers(deal_.own());
  for (std::size_t r = 0; r < from.size(); ++r) {
    given_[r] = ParcelReader(from[r]).get_all<std::uint32_t>(from[r].size() / sizeof(std::uint32_t));
    for (const std::uint32_t i : given_[r]) readers[deal_.local(i)].push_back(static_cast<std::uint32_t>(r));
  }
  readers_.clear();
  for (std::size_t k = 0; k < readers.size(); ++k) {
    readers_.insert(readers_.end(), readers[k].begin(), readers[k].end());
    reader_begin_[k + 1] = readers_.size();
  }
  empty_ = !ranks_.any(!readers_.empty());
}

template <typename Fn>
void RowMirror::in_rounds(std::size_t states, const Fn& fn) const {
  const std::size_t each = std::max<std::size_t>(1, kRowExchangeBytes / std::max<std::size_t>(1, states * positions_));
  for (std::size_t begin = 0; begin < deal_.blocks() && !empty_ && states != 0; begin += each)
    fn(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(deal_.blocks(), begin + each)));
}

void RowMirror::fetch(BoardBytes& bytes) const {
  const auto for_part = [](const std::vector<std::uint32_t>& list, std::uint32_t begin, std::uint32_t end,
                           const auto& fn) {
    for (auto i = std::lower_bound(list.begin(), list.end(), begin); i != list.end() && *i < end; ++i) fn(*i);
  };
  in_rounds(bytes.size(), [&](std::uint32_t begin, std::uint32_t end) {
    std::vector<Parcel> to(given_.size());
    for (std::size_t r = 0; r < to.size(); ++r) {
      std::size_t blocks = 0;
      for_part(given_[r], begin, end, [&](std::uint32_t /*i*/) { ++blocks; });
      to[r].reserve(blocks * bytes.size() * positions_);
      for_part(given_[r], begin, end, [&](std::uint32_t i) {
        for (std::size_t state = 0; state < bytes.size(); ++state)
          put(to[r], std::span<const std::uint8_t>(at(bytes, state, i), positions_));
      });
    }
    const std::vector<Parcel> from = ranks_.exchange(std::move(to));
    for (std::size_t r = 0; r < from.size(); ++r) {
      ParcelReader reader(from[r]);
      for_part(taken_[r], begin, end, [&](std::uint32_t i) {
        for (std::size_t state = 0; state < bytes.size(); ++state)
          std::memcpy(at(bytes, state, i), reader.bytes(positions_).data(), positions_);
      });
    }
  });
}

void RowMirror::fill(BoardBytes& bytes, std::uint8_t byte) const {
  for (const auto& list : taken_) {
    for (const std::uint32_t i : list) {
      for (std::size_t state = 0; state < bytes.size(); ++state) std::memset(at(bytes, state, i), byte, positions_);
    }
  }
}

void RowMirror::release(BoardBytes& bytes) const {
  if (empty_) return;
  deal_.for_others([&](std::size_t begin, std::size_t end) {
    for (std::size_t state = 0; state < bytes.size(); ++state)
      clear_pages(at(bytes, state, begin), (end - begin) * positions_);
  });
}

void RowMirror::deliver(BoardBytes& bytes, const std::vector<std::uint8_t>& marked,
                        const std::function<void(std::size_t k)>& added) const {
  in_rounds(bytes.size(), [&](std::uint32_t begin, std::uint32_t end) {
    std::vector<Parcel> to(taken_.size());
    for (std::uint32_t i = begin; i < end; ++i) {
      if (marked[i] == 0 || deal_.is_own(i)) continue;
      Parcel& parcel = to[deal_.owner(i)];
      put(parcel, i);
      for (std::size_t state = 0; state < bytes.size(); ++state)
        put_bits(parcel, std::span<const std::uint8_t>(at(bytes, state, i), positions_));
    }
    for (const Parcel& parcel : ranks_.exchange(std::move(to))) {
      for (ParcelReader reader(parcel); !reader.empty();) {
        const auto i = reader.get<std::uint32_t>();
        bool fresh = false;
        for (std::size_t state = 0; state < bytes.size(); ++state)
          fresh = add_bits(reader, std::span(at(bytes, state, i), positions_)) || fresh;
        if (fresh) added(deal_.local(i));
      }
    }
  });
}

}  // namespace plenum
