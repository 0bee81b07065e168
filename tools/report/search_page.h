// SPDX-License-Identifier: Apache-2.0
// What a search found out, as a page and as JSON: the keys of a solved game, null where only solving all positions would tell.
#pragma once

#include <string>

#include "solver/search/searched_game.h"
#include "tools/report/json_report.h"

namespace plenum {

// `why`: why the game was not solved whole; may be empty.
std::string search_page(const Variant& variant, const SearchedGame& game, const std::string& why, const Cost& cost);
Json search_json(const Variant& variant, const SearchedGame& game, const Cost& cost);

}  // namespace plenum
