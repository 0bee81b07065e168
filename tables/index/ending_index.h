// SPDX-License-Identifier: Apache-2.0
// All placements of the men of an ending as numbers, up to the symmetries of the board that the men allow.
//
// The places of the men that promote make a slice: no move inside a slice changes them. In a slice the two kings come
// first, as one of the classes of pairs under what symmetry the slice has left; then the other men, equal ones as a multiset
// of cells. Without pawns there is one slice, and the symmetries are up to eight; with pawns they are those that keep forward
// forward. Where both players have the same men, a position and the one with the players exchanged and the board turned round are
// one: without pawns, positions are numbered with first to move alone; with pawns, one of two slices is numbered.
//
// Places are dense but for pairs of kings that a symmetry leaves as they are: there the images of the other men are
// numbered too, and one of them, the least, is meant (`canonical`). Nothing is known here of what is legal.
//
// Source: king-pair classes and combinatorial numbers as in the endgame tables of Nalimov and of Syzygy.
// Thread-safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "variants/pieces/piece_set.h"

namespace plenum {

// How many men of each kind each player has; the royal ones too.
struct Material {
  std::array<std::vector<std::uint8_t>, 2> men;  // by owner and kind
  friend bool operator==(const Material&, const Material&) = default;
  friend auto operator<=>(const Material&, const Material&) = default;

  Material exchanged() const { return {{men[1], men[0]}}; }
  bool has_pawns(const PieceSet& set) const;
  int count() const;
};
Material material_of(const PieceSet& set, const Position& position);
std::string to_text(const PieceSet& set, const Material& material);  // "KRvK"

class EndingIndex {
 public:
  EndingIndex(const PieceSet& set, Material material);

  struct Place {
    std::uint32_t slice = 0;
    std::uint64_t local = 0;  // in the slice, both sides to move
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Equal men of one player.
  struct Group {
    std::size_t owner = 0;
    std::size_t kind = 0;
    int men = 0;
    bool pawns = false;
    std::uint32_t size = 1;  // of its multisets
  };
  using Permutation = std::array<Cell, kMaxCells>;
  // Pairs of kings up to the symmetries that leave a slice's pawns as they are.
  struct Pairs {
    std::vector<std::uint8_t> elements;   // that these are, as numbers of permutations
    std::vector<std::uint32_t> class_of;  // by 64 * first's + second's
    std::vector<std::uint8_t> to_least;   // likewise: the permutation to the least pair of the class
    std::vector<std::pair<Cell, Cell>> least;
    std::vector<std::vector<std::uint8_t>> stabilizer;  // by class; empty: the identity alone
  };

  const Material& material() const { return material_; }
  // Whether positions of the slice stand for their exchanged ones too.
  bool stands_for_exchanged(std::uint32_t slice) const { return one_sided_ || slices_[slice].twin; }
  std::size_t slices() const { return slices_.size(); }
  std::uint64_t size(std::uint32_t slice) const { return slices_[slice].half * (one_sided_ ? 1 : 2); }
  std::uint64_t base(std::uint32_t slice) const { return slices_[slice].base; }
  std::uint64_t size() const { return size_; }
  Place place_at(std::uint64_t number) const;  // base(slice) + local
  // The ranks that the pawns of a slice have gone together: a move of a pawn raises it.
  int progress(std::uint32_t slice) const { return slices_[slice].progress; }

  // The men in one row: first's king, second's, the pawns group by group, the others likewise. A placement is a cell for each.
  struct OneMan {
    std::size_t owner = 0;
    std::size_t kind = 0;
  };
  const std::vector<OneMan>& men() const { return men_; }
  std::size_t others_begin() const { return 2 + pawn_men_; }
  const std::vector<Cell>& pawns(std::uint32_t slice) const { return slices_[slice].pawns; }
  const Pairs& pairs(std::uint32_t slice) const { return pairs_[slices_[slice].group]; }
  const std::vector<Permutation>& symmetry() const { return permutations_; }
  bool one_sided() const { return one_sided_; }

  // Of a placement, equal men in any order. Cost: some 10 ns.
  Place place(const Cell* men, bool second_moves) const;
  // Of a position of this material; `turned`: of the exchanged one.
  Place place(const Position& position, bool turned) const;
  // The placement that stands there, whether or not it can be said in a position; true: second moves.
  bool placement(Place place, Cell* men) const;
  // What stands there: the inverse, without what is noted besides the men and the player to move. False: more equal men on one
  // cell than a position can say.
  bool position(Place place, Position& out) const;
  bool position(const Cell* men, bool second_moves, Position& out) const;
  // Whether the position's place is `at`, from which it was made.
  bool canonical(Place at, const Position& position) const {
    return slices_plain_[slices_[at.slice].group] || place(position, false) == at;
  }
  // How many positions are images of a canonical one, itself included, under the symmetries used.
  std::uint32_t images(Place at, const Cell* men) const;
  std::size_t symmetries() const { return permutations_.size(); }
  std::vector<std::vector<Cell>> permutations() const;  // the symmetries, as what cell c goes to
  Position image(const Position& position, std::size_t symmetry) const;

 private:
  struct Slice {
    std::vector<Cell> pawns;  // in the order of the groups, sorted within one
    std::uint64_t base = 0;
    std::uint64_t half = 0;   // positions with one side to move
    std::uint32_t group = 0;  // of symmetries that leave the pawns: number of its Pairs
    int progress = 0;
    bool twin = false;  // its exchanged slice is another one, which is not numbered
  };
  using Cells = std::array<Cell, kMaxCells>;

  CellSet image(CellSet set, std::size_t symmetry) const;

  void find_symmetries();
  void line_up();
  void make_slices();
  std::uint32_t pairs_of(const std::vector<std::uint8_t>& elements);
  std::uint32_t rank(const Cell* cells, int men, bool pawns) const;
  void unrank(std::uint32_t number, int men, bool pawns, Cell* cells) const;
  std::uint32_t rank_any(const Cell* cells, int men, bool pawns) const;  // in any order
  std::uint64_t rank_rest(const Cell* rest, const Permutation& by) const;
  void exchange(const Cell* men, Cells& out) const;
  int read(const Position& position, bool turned, const Group& group, Cell* cells) const;

  const PieceSet* set_;
  Material material_;
  bool exchangeable_ = false;  // both players have the same men
  bool one_sided_ = false;
  int cells_ = 0;
  std::vector<Permutation> permutations_;  // the identity first
  std::vector<Group> pawns_;
  std::vector<Group> rest_;
  std::uint64_t rest_size_ = 1;
  bool all_different_ = true;  // no equal men but pawns
  std::vector<OneMan> men_;
  std::size_t pawn_men_ = 0;
  std::vector<std::uint8_t> exchanged_man_;      // by man: who stands for it once the players are exchanged
  std::vector<Cell> zone_;                       // where pawns may stand
  std::array<std::uint8_t, kMaxCells> in_zone_;  // the number of a cell among these
  std::vector<std::vector<std::uint32_t>> choose_;
  std::vector<std::uint32_t> slice_of_;  // by number of the pawns' places
  std::vector<std::uint8_t> to_slice_;   // likewise: the permutation to the slice's
  std::vector<bool> exchanged_;          // likewise: it is the exchanged position that has a slice
  std::vector<Slice> slices_;
  std::vector<Pairs> pairs_;
  std::vector<bool> slices_plain_;  // by Pairs: no pair has a stabilizer
  std::uint64_t size_ = 0;
};

}  // namespace plenum
