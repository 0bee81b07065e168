// SPDX-License-Identifier: Apache-2.0
// Goals of `reach`: the first byte chooses a game, the second how far to look, the rest is the goal. What is found with the goal's bound, without
// it, and by trying all moves has to be the same.
#include <algorithm>
#include <array>
#include <tuple>

#include "solver/study/reach.h"
#include "tests/fuzz/fuzz.h"
#include "variants/rules/goal.h"

namespace plenum::fuzz {
namespace {

constexpr const char* kPieces = R"toml(
name = "Few"
options.board = { default = "square:4x4" }
pieces.K = { betza = "K", royal = true }
pieces.R = "R"
pieces.N = "N"
pieces.P = { betza = "mfWcfF", promotes = "'RN'" }
play.array = "'kr2/p3/3P/2RK w - -'"
play.crowd = "'safety'"
)toml";

const Description& chosen(std::size_t n) {
  const auto small = [](const char* name, const char* board) {
    Description out = sure(load_description(name, PLENUM_DATA_FOLDER), name);
    require(out.set_option(Span::whole("--set", std::string("board=") + board)).ok(), name);
    return out;
  };
  static const std::array games = {
      small("populace", "path:4"),
      small("tic-tac-toe", "square:3x3"),
      sure(described(kPieces), "pieces"),
      small("taifas", "square:2x2"),
      sure(load_description("morris", PLENUM_DATA_FOLDER), "morris"),
      small("breakthrough", "square:3x4"),
      small("othello", "square:4x4"),
  };
  return games[n % games.size()];
}

// The least number of plies up to `most`, by all moves.
int nearest(const Variant& variant, const Goal& goal, int most) {
  const auto order = [](const Position& a, const Position& b) {
    return std::tie(a.planes, a.state, a.passes, a.mover) < std::tie(b.planes, b.state, b.passes, b.mover);
  };
  std::vector<Position> layer = {variant.rules().start()};
  for (int plies = 0;; ++plies) {
    if (std::any_of(layer.begin(), layer.end(), [&](const Position& p) { return goal.holds(p); })) return plies;
    if (plies == most) return -1;
    std::vector<Position> next;
    for (const Position& p : layer) {
      if (sure(end_state(variant.rules(), p), "end").ended) continue;
      for (const Successor& s : sure(successors(variant.rules(), p), "moves")) next.push_back(s.position);
    }
    std::sort(next.begin(), next.end(), order);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layer = std::move(next);
  }
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  const Description& description = fuzz::chosen(in.byte());
  const int depth = static_cast<int>(in.below(3));
  const std::string text = in.rest();
  const absl::StatusOr<Variant> variant = Variant::make(description, Span::whole("--goal", text));
  if (!variant.ok()) return fuzz::for_people(variant.status());
  const Goal goal(variant->rules());
  const Position start = variant->rules().start();
  ReachOptions options;
  options.depth = depth;
  const Reach found = fuzz::sure(reach(*variant, goal, start, options), "reach");
  options.use_bound = false;
  const Reach plain = fuzz::sure(reach(*variant, goal, start, options), "reach");
  fuzz::require(found.line.has_value() == plain.line.has_value(), "the bound changes whether it is reached");
  fuzz::require(found.lines == plain.lines, "the bound changes how many lines there are");
  const int plies = fuzz::nearest(*variant, goal, depth);
  fuzz::require((plies >= 0) == found.line.has_value(), "reached, or not, against all moves");
  if (found.line) fuzz::require(static_cast<int>(found.line->moves.size()) == plies, "another number of plies");
  return 0;
}
