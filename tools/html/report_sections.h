// SPDX-License-Identifier: Apache-2.0
// The sections of a report (game_report.h), each as markup with its heading.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "solver/result/measures.h"
#include "tools/html/board_svg.h"
#include "tools/html/game_report.h"

namespace plenum::sections {

// Sentences that follow from the numbers.
std::string verdict(const GameReport& report);
std::string rules(const GameReport& report, const BoardPictures& pictures);
std::string openings(const GameReport& report, const BoardPictures& pictures);
std::string lines(const GameReport& report, const BoardPictures& pictures);
std::string spread(const GameReport& report);
std::string draws(const GameReport& report);
std::string cycles(const GameReport& report, const BoardPictures& pictures);
std::string readings(const GameReport& report);
std::string sweep(const GameReport& report);
std::string skill(const GameReport& report);
std::string method(const GameReport& report);

// Parts of sections, which the explorer shows by themselves. How positions are spread:
std::string spread_of(const Variant& variant, const Histograms& found);
// What the game is like to play, or why that is not known; and what the verdict says of it.
std::string skill_of(const Summary& game, const std::optional<Measures>& measures);
std::string skill_sentences(const StartMeasures& measures);
// How the values of the openings are spread; nothing where they are not all known.
std::string balance(const Summary& game);

// A figure of a board in a row of them.
std::string board_figure(const std::string& svg, const std::string& caption);
// A table of two columns, a row each: any texts.
std::string facts(const std::string& caption, const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace plenum::sections
