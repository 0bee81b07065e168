// SPDX-License-Identifier: Apache-2.0
// Loads a game that comes with Plenum, solves it, and prints who wins with best play: the library in twenty lines.
#include <iostream>

#include "solver/graph/analysis.h"
#include "variants/language/description.h"
#include "variants/rules/variant.h"

int main() {
  const auto description = plenum::load_description("tic-tac-toe", DATA_FOLDER);
  if (!description.ok()) return std::cerr << description.status() << "\n", 1;
  const auto variant = plenum::Variant::make(*description);
  if (!variant.ok()) return std::cerr << variant.status() << "\n", 1;
  const plenum::Position start = variant->rules().start();
  const auto game = plenum::solve_game(*variant, start, {});
  if (!game.ok()) return std::cerr << game.status() << "\n", 1;
  const plenum::PositionValue value = *game->value(start);
  const char* const outcomes[] = {"first wins", "second wins", "a tie", "a cycle"};
  std::cout << variant->description().name << ": " << outcomes[static_cast<int>(value.outcome)] << "\n";
}
