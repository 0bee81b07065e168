// SPDX-License-Identifier: Apache-2.0
// Counting the positions of an ending: all of them, and up to symmetry.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include <absl/strings/str_cat.h>

#include "solver/endings/ending.h"
#include "solver/support/parallel.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kPart = 4096;  // positions looked at in one go

}  // namespace

std::size_t EndingTables::parts() const {
  const std::uint64_t size = find(material_).table->index.size();
  return static_cast<std::size_t>((size + kPart - 1) / kPart);
}

template <typename See>
void EndingTables::each_placed(const Found& found, std::size_t part, const See& see) const {
  const EndingIndex& index = found.table->index;
  const std::uint64_t end = std::min<std::uint64_t>(index.size(), (part + 1) * kPart);
  EndingIndex::Place place = index.place_at(part * kPart);
  Placed placed;
  for (placed.number = part * kPart; placed.number < end; ++placed.number, ++place.local) {
    if (place.local == index.size(place.slice)) place = {place.slice + 1, 0};
    placed.known = found.table->layers.at(placed.number);
    if (!placed.known.has_value()) continue;
    placed.second_moves = index.placement(place, placed.men.data());
    placed.images = index.images(place, placed.men.data());
    placed.twice = index.stands_for_exchanged(place.slice);
    see(placed);
  }
}

void EndingTables::each(std::size_t part, const std::function<void(const Seen&)>& see) const {
  const Found found = find(material_);
  const EndingIndex& index = found.table->index;
  each_placed(found, part, [&](const Placed& placed) {
    Seen seen;
    index.position(placed.men.data(), placed.second_moves, seen.position);
    seen.images = placed.images;
    const auto show = [&](bool exchanged) {
      if (exchanged) seen.position = exchanged_of(seen.position);
      seen.value = value_of(placed.known, seen.position);
      see(seen);
    };
    show(found.turned);
    if (placed.twice) show(true);
  });
}

void EndingTables::each_value(std::size_t part,
                              const std::function<void(const PositionValue&, std::uint32_t images)>& see) const {
  const Found found = find(material_);
  const EndingIndex& index = found.table->index;
  each_placed(found, part, [&](const Placed& placed) {
    const auto stuck = [&] {
      Position position;
      index.position(placed.men.data(), placed.second_moves, position);
      return !PieceBoard(*set_, position).has_move();
    };
    const bool second_moves = placed.second_moves != found.turned;
    const Player mover = second_moves ? Player::second : Player::first;
    see(value_of(placed.known, mover, stuck), placed.images);
    if (placed.twice) see(value_of(placed.known, other(mover), stuck), placed.images);
  });
}

// The players exchanged, and the board turned round.
Position EndingTables::exchanged_of(const Position& position) const {
  Position out = position;
  const int cells = set_->width * set_->height;
  for (int k = 0; k < 2 * set_->own_planes(); ++k) {
    CellSet image = 0;
    for (CellSet rest = position.planes[static_cast<std::size_t>(k)]; rest != 0; rest &= rest - 1)
      image |= cell_bit(static_cast<Cell>(cells - 1 - std::countr_zero(rest)));
    out.planes[static_cast<std::size_t>(k)] = image;
  }
  out.mover = other(position.mover);
  return out;
}

// Whether the mover, for whom the names of the counts are first's, would rather have the other player move.
MutualZugzwangs EndingTables::zugzwang(const Placed& placed, const Found& found) const {
  MutualZugzwangs out;
  const MarginRank here = placed.known.value();
  if (here > 0) return out;
  const EndingIndex& index = found.table->index;
  const EndingIndex::Place passed = index.place(placed.men.data(), !placed.second_moves);
  const KnownEnding there = found.table->layers.at(index.base(passed.slice) + passed.local);
  if (!there.has_value()) return out;
  if (here == 0) {
    out.first = there.value() < 0 ? 1 : 0;
  } else {
    out.both = there.value() < 0 ? 1 : 0;
    out.second = there.value() == 0 ? 1 : 0;
  }
  return out;
}

// Whether some cell holds two men.
bool EndingTables::crowded(const Placed& placed) const {
  if (!set_->crowds()) return false;
  CellSet occupied = 0;
  const int men = material_.count();
  for (int i = 0; i < men; ++i) occupied |= cell_bit(placed.men[static_cast<std::size_t>(i)]);
  return std::popcount(occupied) < men;
}

EndingStatistics EndingTables::statistics(Stop* stop) const {
  // Plain counters, added up at the end.
  struct Tally {
    std::array<std::array<std::uint64_t, kMostEndingPlies + 1>, 2> won = {};  // by winner
    std::uint64_t tie = 0;
    std::uint64_t cycle = 0;
  };
  using Tallies = std::array<Tally, 8>;  // crowded, player to move, canonical
  using Zugzwangs = decltype(EndingStatistics::zugzwangs);
  constexpr std::size_t kGroup = 64;  // parts counted together
  std::vector<Tallies> tallies((parts() + kGroup - 1) / kGroup);
  std::vector<Zugzwangs> zugzwangs(tallies.size());
  const Found found = find(material_);
  for_each_index(tallies.size(), [&](std::size_t g) {
    if (stop != nullptr && stop->ask()) return;
    for (std::size_t part = g * kGroup; part < std::min(parts(), (g + 1) * kGroup); ++part) {
      each_placed(found, part, [&](const Placed& placed) {
        const bool second_moves = placed.second_moves != found.turned;
        if (!second_moves || placed.twice) {  // each is looked at once, first being to move
          const MutualZugzwangs one = zugzwang(placed, found);
          if (one.sum() != 0) {
            zugzwangs[g].canonical.add(one);
            for (std::uint32_t k = 0; k < placed.images; ++k) zugzwangs[g].all.add(one);
          }
        }
        const MarginRank value = placed.known.value();
        const bool tie = (placed.known.facts() & (kMoverEnds | kOtherEnds)) != 0;
        const bool crowds = crowded(placed);
        for (const bool exchanged : {false, true}) {
          if (exchanged && !placed.twice) break;
          const std::size_t mover = second_moves != exchanged ? 1 : 0;
          for (const std::size_t canonical : {0U, 1U}) {
            Tally& t = tallies[g][(crowds ? 4U : 0U) + 2 * mover + canonical];
            const std::uint64_t n = canonical != 0 ? 1 : placed.images;
            if (value == 0) (tie ? t.tie : t.cycle) += n;
            if (value != 0) t.won[value > 0 ? mover : 1 - mover][placed.known.plies] += n;
          }
        }
      });
    }
  });
  EndingStatistics out;
  for (const Zugzwangs& some : zugzwangs) {
    out.zugzwangs.all.add(some.all);
    out.zugzwangs.canonical.add(some.canonical);
  }
  for (const Tallies& all : tallies) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      EndingSide& side = out.sides[i / 4][i / 2 % 2];
      EndingCounts& to = i % 2 != 0 ? side.canonical : side.all;
      to.tie += all[i].tie;
      to.cycle += all[i].cycle;
      to.legal += all[i].tie + all[i].cycle;
      for (std::size_t who = 0; who < 2; ++who) {
        for (std::uint32_t plies = 0; plies <= kMostEndingPlies; ++plies) {
          const std::uint64_t n = all[i].won[who][plies];
          if (n == 0) continue;
          (who == 0 ? to.first : to.second) += n;
          to.legal += n;
          to.remoteness[who][plies] += n;
        }
      }
    }
  }
  return out;
}

absl::StatusOr<EndingLayers> read_layers(const TableReader& table, std::uint64_t positions) {
  const auto codes = table.find_layer("codes");
  const auto plies = table.find_layer("plies");
  if (table.layers().size() != 2 || !codes || !plies || table.layers()[*codes].bytes != positions ||
      table.layers()[*plies].bytes != positions)
    return damaged_table(table.path(),
                         absl::StrCat("its layers are not those of an ending of ", positions, " positions"));
  EndingLayers out;
  out.codes.resize(positions);
  out.plies.resize(positions);
  absl::Status read = table.read(*codes, 0, out.codes);
  if (read.ok()) read = table.read(*plies, 0, out.plies);
  RETURN_IF_ERROR(read);
  return out;
}

Summary EndingTables::summary(Stop* stop) const {
  Summary out;
  out.variant = variant_;
  out.method = "ending";
  EndingSummary& ending = out.ending.emplace();
  ending.material = to_text(*set_, material_);
  ending.crowds = set_->crowds();
  ending.statistics = statistics(stop);
  ending.sizes = sizes();
  ending.bytes = bytes();
  ending.edges = edges_;
  ending.found = found_;
  for (const Size& size : ending.sizes) out.stored += size.positions;
  return out;
}

}  // namespace plenum
