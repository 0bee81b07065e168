// SPDX-License-Identifier: Apache-2.0
// What a page counts: the positions of a game by who wins them, and how many there are. Of what a method has not found out, nothing is
// written.
//
// Thread-safety: pure functions.
#pragma once

#include "solver/result/measures.h"
#include "solver/result/summary.h"
#include "solver/study/histograms.h"
#include "tools/report/page_text.h"

namespace plenum::pages {

// What a look at all positions found; null where there was none.
struct Studies {
  const Histograms* lengths = nullptr;  // how long wins take
  const Measures* measures = nullptr;
};

// Sections: draws, cycles, random play, measures, margins, how long wins take; who wins by stones, of a game solved by bits; of an ending, by
// player to move.
void write_counts(const Summary& game, const Studies& studies, Text& out);
// How many positions, and how many of them are stored: lines of a section.
void write_size(const Summary& game, Text& out);

}  // namespace plenum::pages
