// SPDX-License-Identifier: Apache-2.0
// Betza's notation for how a piece goes, read strictly: "mRcpR" goes like a rook and captures over a hurdle.
//
// Sources: R. Betza's notation, in the dialect of H. G. Muller's "Betza 2.0" as far as it goes here. What dialects read
// differently, and what says nothing, is refused.
//
// A text is one or more of: [modifiers] ATOM [range]. Modifiers belong to the one atom after them, in any order.
//
//     atom  step     atom  step     atom     step     atom  is
//     W     (0,1)    F     (1,1)    N        (1,2)    R     W0
//     D     (0,2)    A     (2,2)    C and L  (1,3)    B     F0
//     H     (0,3)    G     (3,3)    Z        (2,3)    Q     R and B
//                                                     K     W and F
//
//     range    a number: most steps (R4, N2); 0 or the letter twice: no limit (W0, WW); none: 1, of R B Q no limit
//     m  c     only moves to empty squares; only captures. Neither or both: both
//     i        only from where such pieces begin
//     n        lame, one step: the squares between are empty: of D A H G on the line, of N its orthogonal neighbour
//     j        one step of D A H G: at least one of the squares between is occupied
//     p        over a hurdle: a ride of two steps or more that passes exactly one occupied stop
//     f b l r  forward, backward, left, right; s = lr, v = fb; h as told below. They stand together
//
// Directions of orthogonal atoms (W D H R): a letter is a direction, several are a union: frlR, fsR.
// Of diagonal atoms (F A G B): f b l r are two steps each, fl fr bl br one. s and v say nothing there and are refused.
// Of oblique atoms (N C Z), shown for N:
//
//     f or ff  the two foremost, (-1,2) (1,2); b l r likewise
//     s  v     the four of l and r; of f and b
//     fs       the forward two of s, (-2,1) (2,1); bs lv rv likewise
//     fh       the forward four; bh lh rh likewise
//     ffr frr  the one (1,2), the one (2,1); with b, l likewise
//
// Groups of two and three letters may be joined, a union: ffbsN, fllfrrN; a single letter stands alone or with its
// opposite: fbN. Likewise on diagonal atoms: flbrF, fbF. Others read fr on N in several ways: refused.
// K and Q: their orthogonal and their diagonal part, each by its own rule; the letters must say something for both.
//
//     fsRbWbF  fhNsbWbF  mfWcfF  imfnD  mRcpR  nN
//
// Thread-safety: values.
#pragma once

#include <string>
#include <vector>

#include "variants/text/diagnostic.h"

namespace plenum {

// A displacement: files to the right and ranks forward, as the piece's owner sees the board.
struct Offset {
  int dx = 0;
  int dy = 0;
  friend auto operator<=>(const Offset&, const Offset&) = default;
};

// One way for a piece to go: a step along a straight line, once or again and again.
struct BetzaAtom {
  enum class Path {
    free,    // whatever stands between start and the first stop is leapt over; a ride stops at the first occupied stop
    lame,    // n: one step, and the squares `between` must be empty
    over,    // j: one step, and at least one of the squares `between` must be occupied
    hurdle,  // p: a ride over exactly one occupied stop, to any stop beyond it up to the next occupied one
  };
  Offset step;
  int range = 1;  // most steps, from the start; 0: as many as the board has
  Path path = Path::free;
  std::vector<Offset> between;  // of lame and over; on the way, from the start outwards
  bool moves = true;            // to an empty square
  bool captures = true;
  bool initial = false;  // i: only from where such pieces begin
  friend auto operator<=>(const BetzaAtom&, const BetzaAtom&) = default;
};

// Sorted, without doubles: what goes the same way by moving and by capturing is one BetzaAtom with both, and what another
// BetzaAtom of the same step allows anyway is left out (RK is RF). No parse leaves two BetzaAtoms that differ only in `moves`
// and `captures`. Errors: with a caret at the letter and a suggestion. Texts are short: 200 letters at most.
absl::StatusOr<std::vector<BetzaAtom>> parse_betza(const Span& text);

}  // namespace plenum
