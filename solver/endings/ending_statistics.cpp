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

void EndingTables::each(std::size_t part, const std::function<void(const Seen&)>& see) const {
  const Found found = find(material_);
  const EndingIndex& index = found.table->index;
  const int men = material_.count();
  const std::uint64_t end = std::min<std::uint64_t>(index.size(), (part + 1) * kPart);
  Seen seen;
  for (std::uint64_t at = part * kPart; at < end; ++at) {
    const KnownEnding here = found.table->layers.at(at);
    if (!here.has_value()) continue;
    const EndingIndex::Place place = index.place_at(at);
    index.position(place, seen.position);
    const PositionValue value = value_of(here, seen.position.mover, false);
    seen.outcome = value.outcome;
    seen.plies = here.plies;
    seen.images = index.images(seen.position);
    seen.crowded = std::popcount(PieceBoard(*set_, seen.position).occupied()) < men;
    const Seen exchanged = exchanged_of(seen);
    see(found.turned ? exchanged : seen);
    if (index.stands_for_exchanged(place.slice)) see(found.turned ? seen : exchanged);
  }
}

// The players exchanged, and the board turned round.
EndingTables::Seen EndingTables::exchanged_of(const Seen& seen) const {
  Seen out = seen;
  const int cells = set_->width * set_->height;
  for (int k = 0; k < 2 * set_->own_planes(); ++k) {
    CellSet image = 0;
    for (CellSet rest = seen.position.planes[static_cast<std::size_t>(k)]; rest != 0; rest &= rest - 1)
      image |= cell_bit(static_cast<Cell>(cells - 1 - std::countr_zero(rest)));
    out.position.planes[static_cast<std::size_t>(k)] = image;
  }
  out.position.mover = other(seen.position.mover);
  if (seen.outcome == Outcome::first) out.outcome = Outcome::second;
  if (seen.outcome == Outcome::second) out.outcome = Outcome::first;
  return out;
}

// Whether it is one, first being to move: each is looked at once.
MutualZugzwangs EndingTables::zugzwang(const Seen& seen) const {
  MutualZugzwangs out;
  if (seen.position.mover != Player::first || seen.outcome == Outcome::first) return out;
  Position passed = seen.position;
  passed.mover = Player::second;
  const auto own = static_cast<std::ptrdiff_t>(set_->own_planes());
  std::rotate(passed.planes.begin(), passed.planes.begin() + own, passed.planes.begin() + 2 * own);
  const Found found = find(material_);
  const KnownEnding there = found.table->layers.at(found.number(passed));
  if (!there.has_value()) return out;
  const Outcome after = value_of(there, Player::second, false).outcome;
  if (seen.outcome == Outcome::second) {
    if (after == Outcome::first) out.both = 1;
    if (after != Outcome::first && after != Outcome::second) out.second = 1;
  } else if (after == Outcome::first) {
    out.first = 1;
  }
  return out;
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
  for_each_index(tallies.size(), [&](std::size_t g) {
    if (stop != nullptr && stop->ask()) return;
    for (std::size_t part = g * kGroup; part < std::min(parts(), (g + 1) * kGroup); ++part) {
      each(part, [&](const Seen& seen) {
        if (const MutualZugzwangs one = zugzwang(seen); one.sum() != 0) {
          zugzwangs[g].canonical.add(one);
          for (std::uint32_t k = 0; k < seen.images; ++k) zugzwangs[g].all.add(one);
        }
        const std::size_t first = (seen.crowded ? 4U : 0U) + (seen.position.mover == Player::first ? 0U : 2U);
        for (const std::size_t canonical : {0U, 1U}) {
          Tally& t = tallies[g][first + canonical];
          const std::uint64_t n = canonical != 0 ? 1 : seen.images;
          if (seen.outcome == Outcome::tie) t.tie += n;
          if (seen.outcome == Outcome::cycle) t.cycle += n;
          if (seen.outcome == Outcome::first) t.won[0][seen.plies] += n;
          if (seen.outcome == Outcome::second) t.won[1][seen.plies] += n;
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
