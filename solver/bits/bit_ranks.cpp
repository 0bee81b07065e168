// SPDX-License-Identifier: Apache-2.0
// Solving by bits by several ranks: what each fetches of the others' rows, some pieces at a time.
//
// A rank works on the rows of its own pieces, and reads rows of the next tier. Before each round it fetches the pieces with those that are
// not its own; it keeps as many as it has itself, for later rounds read much the same.
#include <algorithm>
#include <cstring>

#include "solver/bits/bit_pass_solver.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::size_t kFetchedAtOnce = std::size_t{32} << 20;  // bytes

}  // namespace

// Pieces of the next tier with rows that own rows of the round read.
std::vector<std::size_t> BitPass::needed_pieces(std::size_t from, std::size_t to) const {
  if (next_.stones < 0 || next_.states.empty()) return {};
  const BitPlane& plane = next_.states[0].not_won;
  std::vector<bool> needed(plane.pieces_of(next_.sets.size()));
  for (std::size_t n = from; n < to; ++n) {
    if (!is_own(n)) continue;
    const CellSet set = tier_.sets.set(static_cast<std::uint32_t>(n));
    for (CellSet rest = variant_.board().all() & ~set; rest != 0; rest &= rest - 1)
      needed[next_.sets.number(set | (rest & -rest)) >> plane.shift()] = true;
  }
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < needed.size(); ++p) {
    if (needed[p]) out.push_back(p);
  }
  return out;
}

// Collective: every rank gets the pieces that it wants and does not have, of all planes.
void BitPass::fetch(Tier& tier, std::vector<std::size_t> wanted) {
  std::vector<BitPlane*> planes;
  tier.each([&](BitPlane& plane) { planes.push_back(&plane); });
  std::erase_if(wanted, [&](std::size_t p) { return planes.empty() || planes[0]->piece(p) != nullptr; });
  const std::size_t piece_bytes = pieces_.words() * sizeof(Word);
  const std::size_t at_once =
      std::max<std::size_t>(1, kFetchedAtOnce / (piece_bytes * std::max<std::size_t>(1, planes.size())));
  const std::size_t ranks = share().ranks;
  for (std::size_t done = 0; ranks_.any(done < wanted.size());) {
    const std::size_t end = std::min(wanted.size(), done + at_once);
    std::vector<Parcel> asks(ranks);
    for (std::size_t k = done; k < end; ++k) put(asks[wanted[k] % ranks], static_cast<std::uint64_t>(wanted[k]));
    const std::vector<Parcel> asked = ranks_.exchange(asks);
    std::vector<Parcel> answers(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      for (ParcelReader reader(asked[r]); !reader.empty();) {
        const auto p = reader.get<std::uint64_t>();
        for (const BitPlane* const plane : planes)
          put(answers[r], std::span<const Word>(plane->piece(p), pieces_.words()));
      }
    }
    const std::vector<Parcel> got = ranks_.exchange(std::move(answers));
    for (std::size_t r = 0; r < ranks; ++r) {
      ParcelReader from(got[r]);
      for (ParcelReader reader(asks[r]); !reader.empty();) {
        const auto p = reader.get<std::uint64_t>();
        for (BitPlane* const plane : planes) {
          Word* const piece = pieces_.take();
          std::memcpy(piece, from.bytes(piece_bytes).data(), piece_bytes);
          plane->put(p, piece);
        }
      }
    }
    done = end;
  }
}

void BitPass::fetch_all(Tier& tier) {
  if (!ranks_.several() || tier.states.empty()) return;
  std::vector<std::size_t> all(tier.states[0].not_won.pieces_of(tier.sets.size()));
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = p;
  fetch(tier, std::move(all));
}

void BitPass::fetch_for(std::size_t from, std::size_t to) {
  if (!ranks_.several()) return;
  const std::vector<std::size_t> needed = needed_pieces(from, to);
  if (!next_.states.empty()) {
    // What is not read now goes first.
    const BitPlane& plane = next_.states[0].not_won;
    std::erase_if(fetched_, [&](std::size_t p) { return plane.piece(p) == nullptr; });
    const std::size_t most = std::max(needed.size(), plane.pieces_of(next_.sets.size()) / share().ranks);
    std::size_t too_many = fetched_.size() + needed.size() > most ? fetched_.size() + needed.size() - most : 0;
    std::erase_if(fetched_, [&](std::size_t p) {
      if (too_many == 0 || std::binary_search(needed.begin(), needed.end(), p)) return false;
      --too_many;
      next_.each([&](BitPlane& of) {
        pieces_.give(of.piece(p));
        of.put(p, nullptr);
      });
      return true;
    });
    for (const std::size_t p : needed) {
      if (plane.piece(p) == nullptr) fetched_.push_back(p);
    }
  }
  fetch(next_, needed);
}

}  // namespace plenum
