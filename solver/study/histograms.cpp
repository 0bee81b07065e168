// SPDX-License-Identifier: Apache-2.0
#include "solver/study/histograms.h"

#include <tuple>
#include <utility>
#include <vector>

#include "solver/study/look_through.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// A counter by key, with the last one met at hand: neighbours are alike.
template <typename Key, typename Count>
class Counters {
 public:
  Counters() = default;
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  Count& operator[](const Key& key) {
    if (last_ == nullptr || last_->first != key) last_ = &*counts_.try_emplace(key).first;
    return last_->second;
  }
  const std::map<Key, Count>& all() const { return counts_; }

 private:
  std::map<Key, Count> counts_;
  std::pair<const Key, Count>* last_ = nullptr;
};

// Of a group of positions; wins by winner and plies.
struct Spread {
  std::uint64_t positions = 0;
  std::uint64_t ended = 0;
  Counters<FirstValue, std::uint64_t> margins;
  Counters<int, Histograms::Outcomes> stones;
  std::array<std::vector<std::uint64_t>, 2> wins;
};

void count_values(std::span<const Result::Glance> all, Spread& to) {
  for (const Result::Glance& seen : all) {
    if (seen.value.ended) {
      to.ended += seen.images;
      continue;
    }
    to.positions += seen.images;
    to.margins[seen.value.margin] += seen.images;
    if (seen.value.plies && seen.value.margin.margin.units != 0) {
      const std::uint32_t plies = seen.value.plies->count;
      const std::size_t winner = seen.value.margin.margin.units > 0 ? 0 : 1;
      std::vector<std::uint64_t>& wins = to.wins[winner];
      if (wins.size() <= plies) wins.resize(plies + 1);
      wins[plies] += seen.images;
    }
    to.stones[seen.stones][static_cast<std::size_t>(seen.value.outcome)] += seen.images;
  }
}

void merge(const Spread& part, Histograms& to) {
  to.positions += part.positions;
  to.ended += part.ended;
  for (const auto& [margin, n] : part.margins.all()) to.margins[margin] += n;
  for (std::size_t who = 0; who < to.wins.size(); ++who) {
    for (std::size_t plies = 0; plies < part.wins[who].size(); ++plies) {
      const std::uint64_t n = part.wins[who][plies];
      if (n == 0) continue;
      to.plies[static_cast<std::uint32_t>(plies)] += n;
      to.wins[who][static_cast<std::uint32_t>(plies)] += n;
    }
  }
  for (const auto& [stones, outcomes] : part.stones.all()) {
    for (std::size_t k = 0; k < outcomes.size(); ++k) to.stones[stones][k] += outcomes[k];
  }
}

// An order that has nothing to do with that in which a method hands out positions.
bool comes_before(const Position& a, const Position& b) {
  const auto parts = [](const Position& p) { return std::tie(p.mover, p.planes, p.state, p.passes); };
  return parts(a) < parts(b);
}

// Takes the place of `first` if it takes longer, or as long and comes before it.
void put_first(const LongestWin& one, std::optional<LongestWin>& first) {
  if (first && one.plies < first->plies) return;
  if (first && one.plies == first->plies && !comes_before(one.position, first->position)) return;
  first = one;
}

// Puts into `first` a position of these parts that is won by one player in so many plies.
absl::Status look_for_won(const Result& game, std::size_t begin, std::size_t end, std::size_t winner,
                          std::uint32_t plies, std::optional<LongestWin>& first) {
  for (std::size_t part = begin; part < end; ++part) {
    RETURN_IF_ERROR(game.each(part, Result::Fold::images, [&](std::span<const Result::Visit> visits) {
      for (const Result::Visit& seen : visits) {
        const std::int64_t units = seen.value.margin.margin.units;
        if (seen.value.ended || !seen.value.plies || seen.value.plies->count != plies) continue;
        if (winner == 0 ? units > 0 : units < 0) put_first({plies, seen.position}, first);
      }
      return absl::OkStatus();
    }));
  }
  return absl::OkStatus();
}

template <typename Map>
void put_counts(Parcel& to, const Map& counts) {
  put(to, counts.size());
  for (const auto& [key, n] : counts) {
    put(to, key);
    put(to, n);
  }
}
template <typename Map, typename Add>
void add_counts(ParcelReader& reader, Map& counts, const Add& add) {
  for (auto left = reader.get<std::size_t>(); left > 0; --left) {
    auto& of = counts[reader.get<typename Map::key_type>()];
    add(of, reader.get<typename Map::mapped_type>());
  }
}

Parcel to_parcel(const Histograms& own) {
  Parcel out;
  put(out, own.positions);
  put(out, own.ended);
  put_counts(out, own.margins);
  put_counts(out, own.plies);
  put_counts(out, own.stones);
  for (const auto& wins : own.wins) put_counts(out, wins);
  for (const auto& longest : own.longest) {
    put(out, longest.has_value());
    if (longest) put(out, *longest);
  }
  return out;
}

void add_parcel(const Parcel& parcel, Histograms& to) {
  ParcelReader reader(parcel);
  const auto sum = [](std::uint64_t& all, std::uint64_t n) { all += n; };
  to.positions += reader.get<std::uint64_t>();
  to.ended += reader.get<std::uint64_t>();
  add_counts(reader, to.margins, sum);
  add_counts(reader, to.plies, sum);
  add_counts(reader, to.stones, [](Histograms::Outcomes& all, const Histograms::Outcomes& n) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += n[k];
  });
  for (auto& wins : to.wins) add_counts(reader, wins, sum);
  for (auto& longest : to.longest) {
    if (!reader.get<bool>()) continue;
    put_first(reader.get<LongestWin>(), longest);
  }
}

// Of what this rank looks at.
absl::StatusOr<Histograms> own_histograms(const Result& game, const Ranks& ranks, const GoOnFn& go_on) {
  const auto see = [](std::span<const Result::Glance> seen, Spread& to) {
    count_values(seen, to);
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const auto groups, look_at_values<Spread>(game, ranks, go_on, see));
  Histograms out;
  for (const Spread& group : groups) merge(group, out);
  const PartGroups by(game.parts());
  for (std::size_t winner = 0; winner < out.wins.size(); ++winner) {
    if (out.wins[winner].empty()) continue;
    const std::uint32_t plies = out.wins[winner].rbegin()->first;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].wins[winner].size() != plies + 1) continue;
      RETURN_IF_ERROR(look_for_won(game, by.begin(g), by.end(g), winner, plies, out.longest[winner]));
    }
  }
  return out;
}

}  // namespace

absl::StatusOr<Histograms> histograms(const Result& game, Ranks& ranks, const GoOnFn& go_on) {
  const absl::StatusOr<Histograms> own = own_histograms(game, ranks, ranks.root() ? go_on : GoOnFn());
  RETURN_IF_ERROR(ranks.agree(own.status()));
  Histograms out;
  for (const Parcel& parcel : ranks.gather(to_parcel(*own))) add_parcel(parcel, out);
  return out;
}

}  // namespace plenum
