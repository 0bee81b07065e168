// SPDX-License-Identifier: Apache-2.0
#include "tables/index/ending_index.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include <absl/strings/str_cat.h>

namespace plenum {

bool Material::has_pawns(const PieceSet& set) const {
  for (std::size_t k = 0; k < set.kinds.size(); ++k) {
    if (!set.kinds[k].promotions.empty() && men[0][k] + men[1][k] > 0) return true;
  }
  return false;
}

int Material::count() const {
  return std::accumulate(men[0].begin(), men[0].end(), 0) + std::accumulate(men[1].begin(), men[1].end(), 0);
}

Material material_of(const PieceSet& set, const Position& position) {
  Material out;
  for (const Player owner : {Player::first, Player::second}) {
    auto& men = out.men[static_cast<std::size_t>(owner)];
    men.reserve(set.kinds.size());
    const bool movers = owner == position.mover;
    for (std::size_t k = 0; k < set.kinds.size(); ++k) {
      int n = std::popcount(position.planes[set.plane(movers, k)]);
      for (std::size_t more = 0; more < set.kinds[k].more_planes.size(); ++more)
        n += std::popcount(position.planes[set.plane(movers, set.kinds[k].more_planes[more])]) << more;
      men.push_back(static_cast<std::uint8_t>(n));
    }
  }
  return out;
}

std::string to_text(const PieceSet& set, const Material& material) {
  std::string out;
  for (const auto& men : material.men) {
    if (&men != material.men.data()) out += 'v';
    const auto add = [&](std::size_t k) {
      for (int n = 0; n < men[k]; ++n) out += set.kinds[k].letter;
    };
    add(set.royal);
    for (std::size_t k = 0; k < set.kinds.size(); ++k) {
      if (k != set.royal) add(k);
    }
  }
  return out;
}

EndingIndex::EndingIndex(const PieceSet& set, Material material)
    : set_(&set), material_(std::move(material)), cells_(set.width * set.height) {
  const int most = std::max(2, material_.count());
  choose_.assign(static_cast<std::size_t>(cells_ + most),
                 std::vector<std::uint32_t>(static_cast<std::size_t>(most) + 1));
  for (std::size_t n = 0; n < choose_.size(); ++n) {
    choose_[n][0] = 1;
    for (std::size_t k = 1; k < choose_[n].size(); ++k)
      choose_[n][k] = n == 0 ? 0 : choose_[n - 1][k - 1] + choose_[n - 1][k];
  }
  for (int c = 0; c < cells_; ++c) {
    const auto cell = static_cast<Cell>(c);
    in_zone_[cell] = static_cast<std::uint8_t>(zone_.size());
    if (((set.last_rank[0] | set.last_rank[1]) & cell_bit(cell)) == 0) zone_.push_back(cell);
  }
  for (std::size_t owner = 0; owner < 2; ++owner) {
    for (std::size_t k = 0; k < set.kinds.size(); ++k) {
      Group group{owner, k, material_.men[owner][k], !set.kinds[k].promotions.empty()};
      if (k == set.royal || group.men == 0) continue;
      const std::size_t over = group.pawns ? zone_.size() : static_cast<std::size_t>(cells_);
      group.size =
          over == 0 ? 0 : choose_[over + static_cast<std::size_t>(group.men) - 1][static_cast<std::size_t>(group.men)];
      if (group.pawns) {
        pawns_.push_back(group);
      } else {
        rest_size_ *= group.size;
        all_different_ = all_different_ && group.men == 1;
        rest_.push_back(group);
      }
    }
  }
  find_symmetries();
  line_up();
  make_slices();
}

// Among the symmetries of the rectangle those that the ways of these men allow.
void EndingIndex::find_symmetries() {
  const int w = set_->width;
  const int h = set_->height;
  std::vector<bool> used(set_->kinds.size());
  for (std::size_t k = 0; k < used.size(); ++k) used[k] = material_.men[0][k] + material_.men[1][k] > 0;
  const auto turned = [&](int way) {
    std::vector<Cell> out(static_cast<std::size_t>(cells_));
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        int to_x = (way & 1) != 0 ? w - 1 - x : x;
        int to_y = (way & 2) != 0 ? h - 1 - y : y;
        if ((way & 4) != 0) std::swap(to_x, to_y);
        out[static_cast<std::size_t>(y * w + x)] = static_cast<Cell>(to_y * w + to_x);
      }
    }
    return out;
  };
  for (int way = 0; way < (w == h ? 8 : 4); ++way) {
    const std::vector<Cell> permutation = turned(way);
    if (way != 0 && !set_->symmetric(permutation, false, used)) continue;
    Permutation& to = permutations_.emplace_back();
    to.fill(kNoCell);
    std::copy(permutation.begin(), permutation.end(), to.begin());
  }
  exchangeable_ = material_.men[0] == material_.men[1] && set_->symmetric(turned(3), true, used);
  one_sided_ = exchangeable_ && pawns_.empty();
}

// Puts the men in one row.
void EndingIndex::line_up() {
  men_ = {{0, set_->royal}, {1, set_->royal}};
  for (const auto* const groups : {&pawns_, &rest_}) {
    if (groups == &rest_) pawn_men_ = men_.size() - 2;
    for (const Group& group : *groups)
      men_.insert(men_.end(), static_cast<std::size_t>(group.men), {group.owner, group.kind});
  }
  if (!exchangeable_) return;
  for (std::size_t i = 0; i < men_.size(); ++i) {
    std::size_t nth = 0;  // among its equals
    for (std::size_t k = 0; k < i; ++k) nth += men_[k].owner == men_[i].owner && men_[k].kind == men_[i].kind ? 1 : 0;
    std::size_t other = 0;
    while (men_[other].owner == men_[i].owner || men_[other].kind != men_[i].kind || nth-- > 0) ++other;
    exchanged_man_.push_back(static_cast<std::uint8_t>(other));
  }
}

std::uint32_t EndingIndex::rank(const Cell* cells, int men, bool pawns) const {
  const auto number = [&](int i) { return static_cast<std::size_t>(pawns ? in_zone_[cells[i]] : cells[i]); };
  if (men == 1) return static_cast<std::uint32_t>(number(0));
  // A multiset a <= b <= c ... is the set a < b + 1 < c + 2 ...
  std::uint32_t out = 0;
  for (int i = 0; i < men; ++i)
    out += choose_[number(i) + static_cast<std::size_t>(i)][static_cast<std::size_t>(i) + 1];
  return out;
}

void EndingIndex::unrank(std::uint32_t number, int men, bool pawns, Cell* cells) const {
  if (men == 1) {
    cells[0] = pawns ? zone_[number] : static_cast<Cell>(number);
    return;
  }
  for (int i = men; i-- > 0;) {
    std::size_t n = static_cast<std::size_t>(i);
    while (n + 1 < choose_.size() && choose_[n + 1][static_cast<std::size_t>(i) + 1] <= number) ++n;
    number -= choose_[n][static_cast<std::size_t>(i) + 1];
    const std::size_t cell = n - static_cast<std::size_t>(i);
    cells[i] = pawns ? zone_[cell] : static_cast<Cell>(cell);
  }
}

std::uint32_t EndingIndex::pairs_of(const std::vector<std::uint8_t>& elements) {
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].elements == elements) return i;
  }
  Pairs& out = pairs_.emplace_back();
  out.elements = elements;
  constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  out.class_of.assign(std::size_t{64} * kMaxCells, kUnknown);
  out.to_least.assign(out.class_of.size(), 0);
  bool plain = true;
  for (int a = 0; a < cells_; ++a) {
    for (int b = 0; b < cells_; ++b) {
      if (out.class_of[static_cast<std::size_t>(64 * a + b)] != kUnknown) continue;
      const auto number = static_cast<std::uint32_t>(out.least.size());
      out.least.emplace_back(static_cast<Cell>(a), static_cast<Cell>(b));
      std::vector<std::uint8_t>& stabilizer = out.stabilizer.emplace_back();
      for (const std::uint8_t g : elements) {
        const Permutation& by = permutations_[g];
        const std::size_t image = std::size_t{64} * by[static_cast<std::size_t>(a)] + by[static_cast<std::size_t>(b)];
        if (image == static_cast<std::size_t>(64 * a + b)) stabilizer.push_back(g);
        if (out.class_of[image] != kUnknown) continue;
        out.class_of[image] = number;
        for (const std::uint8_t back : elements) {
          const Permutation& to = permutations_[back];
          if (to[image / 64] == a && to[image % 64] == b) out.to_least[image] = back;
        }
      }
      if (stabilizer.size() == 1) stabilizer.clear();
      plain = plain && stabilizer.empty();
    }
  }
  slices_plain_.push_back(plain);
  return static_cast<std::uint32_t>(pairs_.size() - 1);
}

void EndingIndex::make_slices() {
  std::uint32_t configurations = 1;
  for (const Group& group : pawns_) configurations *= group.size;
  constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  slice_of_.assign(configurations, kUnknown);
  to_slice_.assign(configurations, 0);
  exchanged_.assign(configurations, false);
  const std::size_t half_of_groups = pawns_.size() / 2;
  // The pawns of the exchanged position.
  const auto exchanged = [&](const std::vector<std::vector<Cell>>& by_group) {
    std::vector<Cell> out;
    for (std::size_t g = 0; g < by_group.size(); ++g) {
      for (const Cell c : by_group[(g + half_of_groups) % by_group.size()])
        out.push_back(static_cast<Cell>(cells_ - 1 - c));
    }
    return out;
  };
  const auto number_of = [&](const std::vector<Cell>& pawns, const Permutation& by) {
    std::uint32_t out = 0;
    std::size_t at = 0;
    for (const Group& group : pawns_) {
      std::array<Cell, kMaxCells> cells;
      for (int i = 0; i < group.men; ++i) cells[static_cast<std::size_t>(i)] = by[pawns[at++]];
      std::sort(cells.begin(), cells.begin() + group.men);
      out = out * group.size + rank(cells.data(), group.men, true);
    }
    return out;
  };
  for (std::uint32_t number = 0; number < configurations; ++number) {
    if (slice_of_[number] != kUnknown) continue;
    Slice slice;
    std::uint32_t rest = number;
    std::vector<std::vector<Cell>> by_group(pawns_.size());
    for (std::size_t g = pawns_.size(); g-- > 0;) {
      by_group[g].resize(static_cast<std::size_t>(pawns_[g].men));
      unrank(rest % pawns_[g].size, pawns_[g].men, true, by_group[g].data());
      rest /= pawns_[g].size;
      for (const Cell c : by_group[g])
        slice.progress += pawns_[g].owner == 0 ? set_->y(c) : set_->height - 1 - set_->y(c);
    }
    for (const auto& cells : by_group) slice.pawns.insert(slice.pawns.end(), cells.begin(), cells.end());
    std::vector<std::uint8_t> stabilizer;
    for (std::size_t g = 0; g < permutations_.size(); ++g) {
      const std::uint32_t image = number_of(slice.pawns, permutations_[g]);
      if (image == number) stabilizer.push_back(static_cast<std::uint8_t>(g));
      if (slice_of_[image] != kUnknown) continue;
      slice_of_[image] = static_cast<std::uint32_t>(slices_.size());
      // Back again: the pawns' symmetries are their own inverses or, without pawns, this is the identity.
      to_slice_[image] = static_cast<std::uint8_t>(g);
    }
    if (exchangeable_ && !pawns_.empty()) {
      const std::vector<Cell> other = exchanged(by_group);
      for (std::size_t g = 0; g < permutations_.size(); ++g) {
        const std::uint32_t image = number_of(other, permutations_[g]);
        if (slice_of_[image] != kUnknown) continue;
        slice_of_[image] = static_cast<std::uint32_t>(slices_.size());
        exchanged_[image] = true;
        slice.twin = true;
      }
    }
    slice.group = pairs_of(stabilizer);
    slice.half = pairs_[slice.group].least.size() * rest_size_;
    slice.base = size_;
    size_ += slice.half * (one_sided_ ? 1 : 2);
    slices_.push_back(std::move(slice));
  }
}

EndingIndex::Place EndingIndex::place_at(std::uint64_t number) const {
  const auto after = std::upper_bound(slices_.begin(), slices_.end(), number,
                                      [](std::uint64_t n, const Slice& slice) { return n < slice.base; });
  const auto slice = static_cast<std::uint32_t>(after - slices_.begin() - 1);
  return {slice, number - slices_[slice].base};
}

// The cells of a group's men, sorted; how many there are.
int EndingIndex::read(const Position& position, bool turned, const Group& group, Cell* cells) const {
  const bool first_moves = (position.mover == Player::first) != turned;
  const bool movers = (group.owner == 0) == first_moves;
  int n = 0;
  for (CellSet rest = position.planes[set_->plane(movers, group.kind)]; rest != 0; rest &= rest - 1) {
    const auto cell = static_cast<Cell>(std::countr_zero(rest));
    const int there = set_->kinds[group.kind].more_planes.empty() ? 1 : set_->count(position, movers, group.kind, cell);
    for (int k = 0; k < there; ++k) cells[n++] = turned ? static_cast<Cell>(cells_ - 1 - cell) : cell;
  }
  if (turned && n > 1) std::reverse(cells, cells + n);
  return n;
}

std::uint32_t EndingIndex::rank_any(const Cell* cells, int men, bool pawns) const {
  if (men == 1) return rank(cells, 1, pawns);
  Cells sorted;
  std::copy(cells, cells + men, sorted.begin());
  std::sort(sorted.begin(), sorted.begin() + men);
  return rank(sorted.data(), men, pawns);
}

std::uint64_t EndingIndex::rank_rest(const Cell* rest, const Permutation& by) const {
  std::uint64_t out = 0;
  std::size_t at = 0;
  for (const Group& group : rest_) {
    Cells cells;
    for (int i = 0; i < group.men; ++i) cells[static_cast<std::size_t>(i)] = by[rest[at++]];
    out = out * group.size + rank_any(cells.data(), group.men, false);
  }
  return out;
}

// The players exchanged, and the board turned round.
void EndingIndex::exchange(const Cell* men, Cells& out) const {
  for (std::size_t i = 0; i < men_.size(); ++i) out[i] = static_cast<Cell>(cells_ - 1 - men[exchanged_man_[i]]);
}

EndingIndex::Place EndingIndex::place(const Cell* men, bool second_moves) const {
  Cells other;
  if (one_sided_ && second_moves) {
    exchange(men, other);
    return place(other.data(), false);
  }
  std::uint32_t number = 0;
  const Cell* at = men + 2;
  for (const Group& group : pawns_) {
    number = number * group.size + rank_any(at, group.men, true);
    at += group.men;
  }
  if (exchanged_[number]) {
    exchange(men, other);
    return place(other.data(), !second_moves);
  }
  Place out;
  out.slice = slice_of_[number];
  const Slice& slice = slices_[out.slice];
  const Permutation& to_slice = permutations_[to_slice_[number]];
  const Pairs& pairs = pairs_[slice.group];
  const std::size_t pair = std::size_t{64} * to_slice[men[0]] + to_slice[men[1]];
  const std::uint32_t number_of_pair = pairs.class_of[pair];
  const Permutation& to_least = permutations_[pairs.to_least[pair]];
  const std::vector<std::uint8_t>& stabilizer = pairs.stabilizer[number_of_pair];
  std::uint64_t rest = 0;
  if (all_different_ && stabilizer.empty()) {  // a digit each
    for (const Group& group : rest_) rest = rest * group.size + to_least[to_slice[*at++]];
  } else {
    Cells cells;
    const std::size_t others = men_.size() - others_begin();
    for (std::size_t i = 0; i < others; ++i) cells[i] = to_least[to_slice[at[i]]];
    rest = rank_rest(cells.data(), permutations_[0]);
    for (const std::uint8_t g : stabilizer) {
      if (g != 0) rest = std::min(rest, rank_rest(cells.data(), permutations_[g]));
    }
  }
  out.local = number_of_pair * rest_size_ + rest + (second_moves ? slice.half : 0);
  return out;
}

EndingIndex::Place EndingIndex::place(const Position& position, bool turned) const {
  Cells men;
  for (const std::size_t owner : {0U, 1U}) read(position, turned, {owner, set_->royal, 1}, men.data() + owner);
  Cell* at = men.data() + 2;
  for (const Group& group : pawns_) at += read(position, turned, group, at);
  for (const Group& group : rest_) at += read(position, turned, group, at);
  return place(men.data(), (position.mover == Player::second) != turned);
}

bool EndingIndex::placement(Place place, Cell* men) const {
  const Slice& slice = slices_[place.slice];
  const bool second_moves = place.local >= slice.half;
  const std::uint64_t local = place.local - (second_moves ? slice.half : 0);
  std::tie(men[0], men[1]) = pairs_[slice.group].least[local / rest_size_];
  std::copy(slice.pawns.begin(), slice.pawns.end(), men + 2);
  std::uint64_t rest = local % rest_size_;
  Cell* end = men + men_.size();
  for (std::size_t g = rest_.size(); g-- > 0;) {
    end -= rest_[g].men;
    unrank(static_cast<std::uint32_t>(rest % rest_[g].size), rest_[g].men, false, end);
    rest /= rest_[g].size;
  }
  return second_moves;
}

bool EndingIndex::position(Place place, Position& out) const {
  Cells men;
  const bool second_moves = placement(place, men.data());
  return position(men.data(), second_moves, out);
}

bool EndingIndex::position(const Cell* men, bool second_moves, Position& out) const {
  out = {};
  out.mover = second_moves ? Player::second : Player::first;
  bool fits = true;
  for (std::size_t i = 0; i < men_.size(); ++i)
    fits &= set_->add(out, (men_[i].owner == 0) == (out.mover == Player::first), men_[i].kind, men[i]);
  return fits;
}

std::vector<std::vector<Cell>> EndingIndex::permutations() const {
  std::vector<std::vector<Cell>> out;
  for (const Permutation& p : permutations_) out.emplace_back(p.begin(), p.begin() + cells_);
  return out;
}

CellSet EndingIndex::image(CellSet set, std::size_t symmetry) const {
  CellSet out = 0;
  for (; set != 0; set &= set - 1)
    out |= cell_bit(permutations_[symmetry][static_cast<std::size_t>(std::countr_zero(set))]);
  return out;
}

Position EndingIndex::image(const Position& position, std::size_t symmetry) const {
  Position out = position;
  for (std::size_t k = 0; k < static_cast<std::size_t>(2 * set_->own_planes()); ++k)
    out.planes[k] = image(position.planes[k], symmetry);
  return out;
}

std::uint32_t EndingIndex::images(Place at, const Cell* men) const {
  const auto all = static_cast<std::uint32_t>(permutations_.size());
  const Slice& slice = slices_[at.slice];
  const std::uint64_t local = at.local >= slice.half ? at.local - slice.half : at.local;
  // What leaves the position as it is leaves its pawns and its kings.
  if (pairs_[slice.group].stabilizer[local / rest_size_].empty()) return all;
  Position position;
  this->position(men, false, position);
  const auto planes = static_cast<std::size_t>(2 * set_->own_planes());
  std::uint32_t same = 1;  // the identity
  for (std::size_t g = 1; g < permutations_.size(); ++g) {
    bool stays = true;
    for (std::size_t k = 0; k < planes && stays; ++k) stays = image(position.planes[k], g) == position.planes[k];
    same += stays ? 1 : 0;
  }
  return all / same;
}

}  // namespace plenum
