// SPDX-License-Identifier: Apache-2.0
// Many games solved, as maps over two options, or over an option and boards.
//
// Everything is read off the games' JSON (json_report.h), as it is kept in the cache.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/report/json_report.h"

namespace plenum {

struct SweptGame {
  Json result;             // as of solve; null where it was not solved
  std::string error = {};  // why
};

// Games that differ in the values of some options, the last varying fastest.
struct SweptGames {
  struct Dimension {
    std::string name;
    std::vector<std::string> values;
  };
  std::string title;
  std::vector<Dimension> dimensions;
  std::vector<SweptGame> games;
  std::string command;  // that solves them
};

// The last two dimensions across and down, a map of each measure for every choice of the others.
std::string heat_maps(const SweptGames& swept);
// The same as a document.
std::string sweep_html(const SweptGames& swept);

}  // namespace plenum
