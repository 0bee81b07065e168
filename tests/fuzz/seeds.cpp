// SPDX-License-Identifier: Apache-2.0
// Writes first inputs for the table target into a folder: tables of small games and endings, solved in every way, whole and in parts.
//
//     fuzz_seeds tests/fuzz/corpus/table
#include <cstdio>

#include <absl/strings/str_cat.h>

#include "solver/bits/bit_pass.h"
#include "solver/graph/solve.h"
#include "solver/method/all_methods.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/table_input.h"
#include "tools/session/tables.h"

namespace plenum::fuzz {
namespace {

constexpr const char* kRows = R"toml(
name = "Rows"
options.board = { default = "path:4" }
moves.place.to = "empty"
moves.move = { from = "mine", to = "empty", step = "adjacent" }
moves.pass = {}
end = { when = "passes == 2", score = "count(mine)" }
)toml";
constexpr const char* kPlacing = R"toml(
name = "Placing"
options.board = { default = "square:2x3" }
options.k = { default = 2, range = [1, 3] }
state.last = { type = "player" }
moves.place = { to = "empty", then = ["if any(placed & near(mine) > 0): last = me"] }
end = { when = "!any(empty) | count(stones) == 5", score = "count(groups(mine)) * k", tiebreak = "last == me" }
)toml";
constexpr const char* kFilling = R"toml(
name = "Filling"
options.board = { default = "square:2x2" }
moves.place.to = "empty"
end = { when = "!any(empty)", wins = "any(line(mine, 2))", score = "0" }
)toml";

// Rooks and pawns that become rooks.
constexpr const char* kEnding = R"toml(
name = "Ending"
options.board = { default = "square:3x3" }
options.material = { default = "", about = "men" }
pieces.K = { betza = "K", royal = true }
pieces.R = "R"
pieces.P = { betza = "mfWcfF", promotes = "'R'" }
play.array = "'k2/3/2K w - -'"
play.material = "material"
)toml";

void write(const std::string& folder, const std::string& name, const std::string& path) {
  const TableParts parts = parts_of(path);
  for (const char how : {'P', 'G'})
    write_file(absl::StrCat(folder, "/", name, "-", std::string(1, how)), how + text_of(parts));
  const std::string small = file_of(parts);
  for (const char how : {'F', 'M'}) write_file(absl::StrCat(folder, "/", name, "-", std::string(1, how)), how + small);
}

void solve_to(const std::string& folder, const std::string& name, const char* text, bool remoteness,
              std::optional<MethodId> by = std::nullopt) {
  const Variant variant = sure(Variant::make(sure(described(text), name)), name);
  Request request;
  request.wanted.remoteness = remoteness;
  const Game game(variant, variant.rules().start());
  const MethodId dense = game.rows().ok() ? MethodId::rows : MethodId::one_pass;
  const auto solved = sure(method_of(by.value_or(dense)).solve(game, request), name);
  const std::string path = own_folder() + "/" + name;
  require(write_table(path, *solved).ok(), path);
  write(folder, name, path);
}

void solve_material_to(const std::string& folder, const std::string& name, const std::string& material,
                       const std::string& board) {
  Description description = sure(described(kEnding), name);
  for (const std::string& setting : {"board=" + board, "material=" + material}) {
    const absl::Status set = description.set_option(Span::whole("--set", setting));
    require(set.ok(), std::string(set.message()));
  }
  const Variant variant = sure(Variant::make(description), name);
  const std::string path = own_folder() + "/" + name;
  EndingOptions options;
  options.keep = [&](const std::string& solved, const EndingLayers& layers) {
    if (solved == material)
      require(
          write_part(path, description, variant.board().name(), variant.identity(), method_of(MethodId::ending), layers)
              .ok(),
          path);
  };
  sure(solve_ending(variant, options), name);
  write(folder, name, path);
}

}  // namespace
}  // namespace plenum::fuzz

int main(int argc, char** argv) {
  using namespace plenum;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::string folder = argv[1];
  fuzz::solve_to(folder, "rows", fuzz::kRows, true);
  fuzz::solve_to(folder, "rows-values", fuzz::kRows, false);
  fuzz::solve_to(folder, "placing", fuzz::kPlacing, true);
  fuzz::solve_to(folder, "filling", fuzz::kFilling, false);
  fuzz::solve_to(folder, "graph", fuzz::kRows, true, MethodId::graph);
  fuzz::solve_material_to(folder, "ending", "KRvK", "square:3x3");
  fuzz::solve_material_to(folder, "ending-pawn", "KPvK", "square:2x4");
  return 0;
}
