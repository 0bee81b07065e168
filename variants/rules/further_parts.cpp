// SPDX-License-Identifier: Apache-2.0
// The parts of a turn after the first: breadth first, all turns that have come as far at once.
#include <algorithm>

#include <absl/container/flat_hash_set.h>
#include <absl/strings/str_cat.h>

#include "variants/rules/cell_rules.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMaxWays = 4'000'000;                  // that the turns of a batch have come to
constexpr std::size_t kMaxLongMoves = std::size_t{1} << 24;  // what a part's number, from and to tell apart

}  // namespace

// Of ways to one position from which the turn goes on alike, the first made is kept.
void CellRules::merge_ways(std::size_t from, Scratch& s) const {
  using Key = std::vector<std::uint64_t>;
  absl::flat_hash_set<Key> seen;
  Key key;
  Space& own = space(s);
  std::size_t kept = from;
  for (std::size_t i = from; i < s.successors.size; ++i) {
    key.assign({s.parent[i], own.placed[i], own.taken[i], reads_trail_ ? own.trail[i] : 0});
    for (const auto& plane : s.successors.planes) key.push_back(plane[i]);
    for (const auto& slot : s.successors.state) key.push_back(slot[i]);
    if (!seen.insert(key).second) continue;
    if (kept != i) {
      s.successors.copy(i, kept);
      s.parent[kept] = s.parent[i];
      s.move[kept] = s.move[i];
      own.placed[kept] = own.placed[i];
      own.taken[kept] = own.taken[i];
      if (reads_trail_) own.trail[kept] = own.trail[i];
    }
    ++kept;
  }
  s.successors.size = kept;
}

// Takes the turns from `from` on off the list.
void CellRules::begin_level(std::size_t depth, std::size_t from, Scratch& s) const {
  if (space(s).levels.size() <= depth) space(s).levels.emplace_back().batch = batch();
  Space::Level& level = space(s).levels[depth];
  const auto count = static_cast<std::ptrdiff_t>(s.successors.size - from);
  level.batch.take(s.successors, from);
  const auto take = [&](const auto& of, auto& into) {
    const auto first = of.begin() + static_cast<std::ptrdiff_t>(from);
    into.assign(first, first + count);
  };
  take(s.parent, level.parent);
  take(s.move, level.move);
  take(space(s).placed, level.placed);
  take(space(s).taken, level.taken);
  if (reads_trail_) take(space(s).trail, level.trail);
  s.successors.size = from;
}

// False if there are too many long moves to tell apart.
bool CellRules::add_part(const Part& part, std::size_t depth, PackedMove& move, Scratch& s) {
  if (depth < move.further.size()) {
    move.further[depth] = part;
    return true;
  }
  std::vector<Part> parts(move.further.begin(), move.further.end());
  if (depth > move.further.size()) parts = s.long_moves[move.further[0].list()];
  parts.push_back(part);
  const std::size_t number = s.long_moves.size();
  if (number >= kMaxLongMoves) return false;
  s.long_moves.push_back(std::move(parts));
  const auto byte = [&](int shift) { return static_cast<std::uint8_t>(number >> shift); };
  move.further = {Part{kLongMove, byte(16), byte(8), byte(0)}, Part{}};
  return true;
}

absl::Status CellRules::too_many_ways(const MoveRule& part, const std::string& what, const Position& position) const {
  return absl::ResourceExhaustedError(
      absl::StrCat("turns with the part '", part.name, "' ", what, ", as from\n    ", write(position),
                   "\n  end them sooner, by 'when' or with 'trail'; where the order of the parts means nothing, "
                   "any_order = true counts the ways to one position once"));
}

// Every way to make one further part of the turns that have come to this depth: they are added to the list.
absl::Status CellRules::make_part(std::size_t part, std::size_t depth, std::vector<Onwards>& onwards,
                                  Scratch& s) const {
  const Step& step = parts_[part];
  const MoveRule& rule = *step.rule;
  const Program& program = part_programs_[part];
  Space::Level& level = space(s).levels[depth];
  level.sets.resize(std::max(level.sets.size(), program.roots()));
  for (auto& set : level.sets) set.resize(kLanes);
  const std::uint64_t* const trail = reads_trail_ ? level.trail.data() : nullptr;
  for (std::size_t begin = 0; begin < onwards.size(); begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, onwards.size() - begin);
    InputPointers pointers;
    const ProgramInput in = program_input(level.batch, begin, pointers);
    pointers.cells[kPlaced] = level.placed.data() + begin;
    pointers.cells[kTaken] = level.taken.data() + begin;
    if (reads_trail_) pointers.cells[kTrail] = trail + begin;
    program.run(in, lanes, space(s).work);
    for (std::size_t r = 0; r < program.roots(); ++r) program.read_set(r, lanes, space(s).work, level.sets[r].data());
    const std::size_t start = s.successors.size;
    generate(step, static_cast<std::uint8_t>(part),
             {level.batch, begin, lanes, level.sets, level.placed.data(), level.taken.data(), trail}, s);
    copy_state(level.batch, start, Passes::stand, s);
    RETURN_IF_ERROR(finish(step, level.batch, start, s, trail));
    for (std::size_t i = start; i < s.successors.size; ++i) {
      const std::size_t at = s.parent[i];
      onwards[at].made = true;
      PackedMove whole = level.move[at];
      if (!add_part(s.move[i].first, depth, whole, s) || i >= kMaxWays)
        return too_many_ways(rule, absl::StrCat("can be made in more than ", kMaxWays, " ways"), level.batch.at(at));
      s.move[i] = whole;
      s.parent[i] = level.parent[at];
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (level.sets[static_cast<std::size_t>(step.when)][lane] == 0) continue;
      Onwards& turn = onwards[begin + lane];
      turn.applies = true;
      turn.optional |= rule.optional;
      turn.required |= rule.required;
    }
  }
  return absl::OkStatus();
}

// The turns from `from` on are taken off the list, and each is put back with every way to make one of `parts`, and all that
// follows; as it is where none of these applies, one may be left out, or none can be made and none must be.
absl::Status CellRules::go_on(const std::vector<int>& parts, std::size_t depth, std::size_t from, Scratch& s) const {
  const auto rule_of = [&](int part) -> const MoveRule& { return *parts_[static_cast<std::size_t>(part)].rule; };
  if (std::any_of(parts.begin(), parts.end(), [&](int part) { return rule_of(part).any_order; })) merge_ways(from, s);
  begin_level(depth, from, s);
  Space::Level& level = space(s).levels[depth];
  std::vector<Onwards> onwards(level.parent.size());
  if (onwards.empty()) return absl::OkStatus();
  if (depth + 2 > kMaxParts)
    return too_many_ways(rule_of(parts[0]), absl::StrCat("have more than ", kMaxParts, " parts"), level.batch.at(0));
  for (const int part : parts) {
    const std::size_t begin = s.successors.size;
    RETURN_IF_ERROR(make_part(static_cast<std::size_t>(part), depth, onwards, s));
    if (!rule_of(part).next.empty()) RETURN_IF_ERROR(go_on(rule_of(part).next, depth + 1, begin, s));
  }
  for (std::size_t at = 0; at < onwards.size(); ++at) {
    if (!onwards[at].stays()) continue;
    add_unchanged(level.batch, at, level.move[at], s);
    s.successors.copy_state(level.batch, at, s.successors.size - 1);
    s.parent[s.successors.size - 1] = level.parent[at];
  }
  return absl::OkStatus();
}

}  // namespace plenum
