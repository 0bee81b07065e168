// SPDX-License-Identifier: Apache-2.0
// For the tests of reach: games with goals, and checks of what a search says: by its other ways, and layer by layer over unreduced
// positions by the program's rules.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/study/reach.h"
#include "tests/variants_testing.h"
#include "variants/rules/goal.h"

namespace plenum::variants_testing {

inline Variant with_goal(const std::string& text, const std::string& goal,
                         const std::vector<std::string>& settings = {}) {
  absl::StatusOr<Description> description = parse_description({"test.toml", text, true}, PLENUM_DATA_FOLDER);
  for (const std::string& setting : settings) {
    const absl::Status set = description->set_option(Span::whole("--set", setting));
    if (!set.ok()) throw std::runtime_error(std::string(set.message()));
  }
  return sure(Variant::make(sure(std::move(description)), Span::whole("--goal", goal)));
}
inline Variant game_with_goal(const std::string& name, const std::string& goal,
                              const std::vector<std::string>& settings = {}) {
  return with_goal("name = \"T\"\nextends = \"" + name + "\"\n", goal, settings);
}
inline Reach found(const Variant& v, const ReachOptions& options = {}) {
  return sure(reach(v, Goal(v.rules()), v.rules().start(), options));
}
inline std::string line_of(const Reach& r) {
  std::string out;
  if (r.line) {
    for (const LineMove& move : r.line->moves) out += (out.empty() ? "" : " ") + move.text;
  }
  return out;
}

// What the same search says by other ways: without the bound, without symmetries, with a limit of plies.
inline void check_alike(const Variant& v, const Position& start, const Reach& whole) {
  const Goal goal(v.rules());
  const Variant plain = v.without_symmetries();
  for (const auto& [other, use_bound] : {std::pair{&v, false}, {&plain, true}, {&plain, false}}) {
    ReachOptions options;
    options.use_bound = use_bound;
    const Reach again = sure(reach(*other, goal, start, options));
    RC_ASSERT(again.line.has_value() == whole.line.has_value());
    RC_ASSERT(again.lines == whole.lines);
    RC_ASSERT(line_of(again) == line_of(whole));
    RC_ASSERT(again.exhausted == whole.exhausted);
    RC_ASSERT(again.moves_cut == 0 || use_bound);
    if (!use_bound && other == &plain && whole.unreduced && whole.moves_cut == 0)
      RC_ASSERT(*whole.unreduced == again.looked_at);
  }
  const int plies = whole.line ? static_cast<int>(whole.line->moves.size()) : static_cast<int>(*below(6));
  for (const int depth : {plies - 1, plies}) {
    if (depth < 0) continue;
    ReachOptions options;
    options.depth = depth;
    const Reach again = sure(reach(v, goal, start, options));
    RC_ASSERT(again.line.has_value() == (whole.line && depth == plies));
    if (again.line) {
      RC_ASSERT(again.lines == whole.lines);
      RC_ASSERT(line_of(again) == line_of(whole));
    } else {
      RC_ASSERT(again.exhausted || again.proven_plies == depth);
      RC_ASSERT(!again.exhausted || !whole.line);
    }
  }
}

// No bound is more than what it takes.
inline void check_bound(const Variant& v, const Reach& whole) {
  const std::unique_ptr<const GoalBound> bound = v.rules().goal_bound();
  if (!whole.line) return;
  int left = static_cast<int>(whole.line->moves.size());
  RC_ASSERT(bound->plies(whole.line->begin) <= left);
  for (const LineMove& move : whole.line->moves) RC_ASSERT(bound->plies(move.after) <= --left);
}

// Layer by layer over unreduced positions: how many lines lead on to the goal, and the first of them in board order.
inline void check_by_positions(const Variant& v, std::size_t most) {
  const Rules& rules = v.rules();
  const Goal goal(v.rules());
  struct Node {
    Position position;
    std::vector<Successor> moves;
    std::uint64_t lines = 0;  // from here
  };
  std::vector<std::map<std::string, Node>> layers(1);
  std::set<std::string> seen = {rules.write(v.rules().start())};
  layers[0][*seen.begin()].position = v.rules().start();
  bool reached = false;
  for (;;) {
    for (auto& [text, node] : layers.back()) {
      node.lines = goal.holds(node.position) ? 1 : 0;
      reached |= node.lines > 0;
    }
    if (reached || layers.back().empty()) break;
    if (seen.size() > most) return;
    std::map<std::string, Node> next;
    for (auto& [text, node] : layers.back()) {
      PositionBatch batch = rules.batch();
      batch.push(node.position);
      Rules::Scratch scratch(v.rules());
      std::vector<std::uint8_t> ended;
      std::vector<std::int64_t> margin;
      v.rules().judge(batch, scratch, ended, margin);
      if (ended[0] != 0) continue;
      node.moves = sure(successors(v.rules(), node.position));
      for (const Successor& s : node.moves) {
        if (seen.insert(rules.write(s.position)).second) next[rules.write(s.position)].position = s.position;
      }
    }
    layers.push_back(std::move(next));
  }
  std::string first;
  if (reached) {
    for (std::size_t i = layers.size() - 1; i-- > 0;) {
      for (auto& [text, node] : layers[i]) {
        for (const Successor& s : node.moves) {
          const auto to = layers[i + 1].find(rules.write(s.position));
          node.lines += to == layers[i + 1].end() ? 0 : to->second.lines;
        }
      }
    }
    const Node* at = &layers[0].begin()->second;
    for (std::size_t i = 1; i < layers.size(); ++i) {
      for (const Successor& s : at->moves) {
        const auto to = layers[i].find(rules.write(s.position));
        if (to == layers[i].end() || to->second.lines == 0) continue;
        first += (first.empty() ? "" : " ") + s.text;
        at = &to->second;
        break;
      }
    }
  }
  const Reach whole = sure(reach(v, goal, v.rules().start(), {}));
  RC_ASSERT(whole.line.has_value() == reached);
  RC_ASSERT(line_of(whole) == first);
  RC_ASSERT(whole.lines == (reached ? layers[0].begin()->second.lines : 0));
  if (!reached && whole.unreduced && whole.moves_cut == 0) RC_ASSERT(*whole.unreduced == seen.size());
  check_alike(v, v.rules().start(), whole);
  check_bound(v, whole);
}

}  // namespace plenum::variants_testing
