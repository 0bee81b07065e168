// SPDX-License-Identifier: Apache-2.0
#include "tools/report/cycles_report.h"

#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "tools/report/describe.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMostShown = 12;      // positions of a trap; of a larger one those of its shortest cycle
constexpr std::size_t kMostSizesShown = 8;  // of components
constexpr const char* kTrapsTitle = "Traps: positions that neither player can leave without losing";

Json mistakes_json(const std::vector<LineMove>& moves) {
  return json_list(moves, [](const LineMove& move) { return move.gives_away; });
}

Json valued_moves_json(const Variant& variant, const std::vector<ValuedMove>& moves) {
  return json_list(moves, [&](const ValuedMove& move) { return move_json(variant, move); });
}

Json trap_json(const Variant& variant, const Trap& trap, bool all_found) {
  const auto written = [&](const TrapPosition& p) { return variant.rules().write(p.position); };
  return {{"size", trap.size},
          {"like_it", all_found ? Json(trap.like_it) : Json()},
          {"smallest_proven", all_found},
          {"complete", trap.complete},
          {"positions", json_list(trap.positions, written)},
          {"moves", json_list(trap.positions, [&](const auto& p) { return valued_moves_json(variant, p.moves); })},
          {"cycle_length", trap.cycle},  // the first so many positions, in the order of play
          {"line", line_json(trap.line.moves)},
          {"line_gives_away", mistakes_json(trap.line.moves)}};
}

void write_sizes_of_components(const Components& c, Text& out) {
  std::vector<std::string> sizes;
  for (auto size = c.sizes.rbegin(); size != c.sizes.rend() && sizes.size() < kMostSizesShown; ++size)
    sizes.push_back(absl::StrCat(number(size->second), " of ", number(size->first)));
  if (c.sizes.size() > kMostSizesShown) sizes.emplace_back("smaller ones");
  out.line(absl::StrCat(count(c.positions, "position lies", "positions lie"), " on cycles, in ",
                        count(c.count, "component"), sizes.empty() ? "" : ": " + absl::StrJoin(sizes, ", ")));
}

void write_cycle_counts(const Summary& game, const CycleStudy& study, Text& out) {
  const CycleCounts& s = study.all;
  const Variant& variant = *game.variant;
  out.line(absl::StrCat(variant.description().name, " on ", variant.board().name(),
                        game.ending ? ", " + game.ending->material : "", ": ", cycle_headline(game, study), "."),
           0, 2);
  out.section("How many");
  out.line(absl::StrCat(count(study.positions, "position"), game.ending ? " are legal; " : " are reachable; ",
                        number(s.going_on), " have not ended"));
  if (game.components) {
    write_sizes_of_components(*game.components, out);
  } else {
    out.line(absl::StrCat("solved by ", game.method,
                          ", without the moves between positions: which positions lie on cycles is not known",
                          game.ending ? "" : "; --method graph finds it where it fits"));
  }
  out.line(absl::StrCat(count(s.cycle, "position is", "positions are"),
                        " worth a cycle: neither player can make the game end without losing"));
  out.line(absl::StrCat(count(s.forced_cycle, "of them is", "of them are"),
                        " forced: the players cannot even agree to end it level"));
  if (game.cyclic == std::optional<bool>(false) || (!study.graph_known && s.cycle == 0)) return;
  out.section("Where: by the stones on the board");
  out.raw(
      absl::StrFormat("  %6s  %14s  %14s  %14s  %14s", "stones", "not ended", "on cycles", "worth a cycle", "forced"));
  for (const auto& [stones, n] : study.by_stones) {
    out.raw(absl::StrFormat("  %6d  %14s  %14s  %14s  %14s", stones, number(n.going_on),
                            study.graph_known ? number(n.on_cycles) : "-", number(n.cycle), number(n.forced_cycle)));
  }
}

bool any_mistake(const std::vector<LineMove>& moves) {
  return std::any_of(moves.begin(), moves.end(), [](const LineMove& m) { return m.gives_away; });
}

void write_line(const Variant& variant, const Line& line, Text& out) {
  if (line.moves.empty()) {
    out.line("it is there from the start");
    return;
  }
  out.line(absl::StrCat("a shortest line from the start: ", line_words(line.moves),
                        any_mistake(line.moves) ? "  (?: gives value away)" : "  (all of it best play)"));
  out.line(absl::StrCat("to ", variant.rules().write(line.end())));
}

// What becomes of the player to move by moves that do not keep the value.
std::string loss_words(const Variant& variant, const PositionValue& after) {
  std::string out = variant.rule_set().outcome_only
                        ? std::string("loses")
                        : absl::StrCat("loses by ", variant.margin_text(Margin{std::abs(after.margin.margin.units)}));
  if (after.ended) return out + " at once";
  if (after.plies) absl::StrAppend(&out, " in ", plies(after.plies->count + std::uint64_t{1}));
  return out;
}

// Moves that do not keep the value, those that lose alike together.
void write_losses(const Variant& variant, const std::vector<ValuedMove>& moves, Text& out) {
  std::vector<std::pair<std::string, std::vector<std::string>>> losses;
  for (const ValuedMove& move : moves) {
    if (move.keeps) continue;
    const std::string loss = loss_words(variant, move.after);
    auto known = std::find_if(losses.begin(), losses.end(), [&](const auto& l) { return l.first == loss; });
    if (known == losses.end()) known = losses.insert(losses.end(), {loss, {}});
    known->second.push_back(move.successor.text);
  }
  for (const auto& [loss, texts] : losses)
    out.line(absl::StrCat(absl::StrJoin(texts, ", "), texts.size() == 1 ? ": " : ": each ", loss), 7, 9);
}

void write_position(const Variant& variant, const std::string& label, const Position& position, Text& out) {
  out.line(absl::StrCat(label, variant.rules().write(position), "   ", player_word(position.mover), " to move"), 1, 7);
  for (const std::string& line : draw_position(variant, position, kPageColumns - 7)) out.raw("       " + line);
}

void write_trap(const Summary& game, const CycleStudy& study, Text& out) {
  const Variant& variant = *game.variant;
  const Trap& trap = *study.trap;
  out.section(kTrapsTitle);
  if (study.graph_known) {
    out.line(absl::StrCat(count(study.traps.count, "trap is reachable", "traps are reachable"), ", with ",
                          count(study.traps.positions, "position"), " in all; the smallest ",
                          trap.like_it == 1 ? "has " : "have ", number(trap.size),
                          trap.like_it == 1 ? "" : absl::StrCat(" each (", number(trap.like_it), " of them)"),
                          "; all were found, so no smaller one exists"));
    out.section(absl::StrCat("The smallest trap nearest the start: ", count(trap.size, "position")));
  } else {
    out.line("there may be others, and smaller ones");
    out.section(absl::StrCat("A trap: ", count(trap.size, "position")));
  }
  write_line(variant, trap.line, out);
  const bool all = trap.complete && trap.size <= kMostShown;
  const std::size_t shown = all ? trap.positions.size() : std::min(trap.cycle, trap.positions.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const TrapPosition& p = trap.positions[i];
    out.raw("");
    write_position(variant, absl::StrFormat("%3d.  ", i + 1), p.position, out);
    std::vector<std::string> elsewhere;
    for (std::size_t m = 0; m < p.moves.size(); ++m) {
      if (!p.moves[m].keeps) continue;
      if (p.leads_to[m] < shown) {
        out.line(absl::StrCat(p.moves[m].successor.text, ": keeps, to ", p.leads_to[m] + 1), 7, 9);
      } else {
        elsewhere.push_back(p.moves[m].successor.text);
      }
    }
    if (!elsewhere.empty())
      out.line(absl::StrCat(absl::StrJoin(elsewhere, ", "), elsewhere.size() == 1 ? ": keeps" : ": each keeps",
                            ", to positions of the trap that are not shown"),
               7, 9);
    write_losses(variant, p.moves, out);
  }
  std::string round;
  for (std::size_t i = 0; i < trap.cycle; ++i) {
    const TrapPosition& p = trap.positions[i];
    const std::size_t next = (i + 1) % trap.cycle;
    const auto move = std::find(p.leads_to.begin(), p.leads_to.end(), next) - p.leads_to.begin();
    absl::StrAppend(&round, i + 1, " ", p.moves[static_cast<std::size_t>(move)].successor.text, " ");
  }
  out.raw("");
  if (trap.cycle > 0)
    out.line(
        absl::StrCat(trap.complete ? "a shortest way round, " : "a way round, ", plies(trap.cycle), ": ", round, "1"));
  if (!all)
    out.line(absl::StrCat("these are the positions of that cycle; --json ",
                          trap.complete ? "lists all " : "lists more of the ", number(trap.size),
                          ", --dot and --graphml write them as a graph"));
}

void write_example(const Summary& game, const CycleExample& example, Text& out) {
  const Variant& variant = *game.variant;
  const bool cycle = example.value.outcome == Outcome::cycle;
  if (game.ending) {
    out.section(example.value.forced_cycle ? "A position where play can be forced to go round"
                                           : "A position that is worth a cycle");
  } else {
    out.section(cycle ? "The position nearest the start that is worth a cycle"
                      : "The position nearest the start that can come back");
    write_line(variant, example.line, out);
    out.raw("");
  }
  write_position(variant, "", example.line.end(), out);
  out.line(value_words(variant, example.value), 7, 9);
  if (cycle) {
    std::vector<std::string> keeping;
    for (const ValuedMove& move : example.moves) {
      if (move.keeps) keeping.push_back(absl::StrCat(move.successor.text, " (", value_words(variant, move.after), ")"));
    }
    out.line(absl::StrCat("moves that keep the value: ", absl::StrJoin(keeping, ", ")), 7, 9);
    write_losses(variant, example.moves, out);
  }
  if (!example.round.empty()) {
    out.raw("");
    out.line(absl::StrCat(cycle ? "best play from there, until a position comes back, " : "a shortest way back to it, ",
                          plies(example.round.size()), ": ", line_words(example.round),
                          !cycle && any_mistake(example.round) ? "  (?: gives value away)" : ""));
  }
}

}  // namespace

std::string cycle_headline(const Summary& game, const CycleStudy& study) {
  const CycleCounts& s = study.all;
  if (game.cyclic == std::optional<bool>(false)) return "no position can come back, so every game ends";
  if (s.cycle == 0 && !game.cyclic)
    return "one player or the other can always end the game without losing; whether positions can come back is not "
           "known";
  if (s.cycle == 0)
    return "positions can come back, but one player or the other can always end the game without losing";
  if (s.forced_cycle == 0) return "play can be made to go round for ever, unless both agree to end it level";
  return "play can be forced to go round for ever: whoever leaves loses";
}

std::string no_trap_found() {
  return absl::StrCat(
      "there are some, as play can be forced to go round, but none to show: no forced cycle was found among the ",
      number(Result::kMostLooked), " positions nearest the start, or from the nearest one play can go to more than ",
      number(kMostListed), " positions without a mistake; --method graph finds the smallest where it fits");
}

Json cycle_study_json(const Summary& game, const CycleStudy& study, const Cost& cost) {
  const Variant& variant = *game.variant;
  const std::optional<Components>& c = game.components;
  const auto known = [&](const auto& n) { return study.graph_known ? Json(n) : Json(); };
  Json out = headed_json(variant);
  const auto stones_json = [&](const auto& stones_counts) -> Json {
    const auto& [stones, counts] = stones_counts;
    return {{"stones", stones},
            {"going_on", counts.going_on},
            {"on_cycles", known(counts.on_cycles)},
            {"cycle", counts.cycle},
            {"forced_cycle", counts.forced_cycle}};
  };
  out.update({{"reachable", game.statistics ? Json(study.positions) : Json()},
              {"legal", game.ending ? Json(study.positions) : Json()},
              {"method", game.method},
              {"says", cycle_headline(game, study)},
              {"cyclic", or_null(game.cyclic)},
              {"cycle", study.all.cycle},
              {"forced_cycle", study.all.forced_cycle},
              {"components", c ? Json(c->count) : Json()},
              {"largest", c ? Json(c->largest) : Json()},
              {"positions", c ? Json(c->positions) : Json()},
              {"sizes", c ? counts_json(c->sizes) : Json()},
              {"by_stones", json_list(study.by_stones, stones_json)},
              {"traps",
               {{"count", known(study.traps.count)},
                {"positions", known(study.traps.positions)},
                {"sizes", known(counts_json(study.traps.sizes))}}},
              {"trap", study.trap ? trap_json(variant, *study.trap, study.graph_known) : Json()},
              {"example", nullptr}});
  if (study.example) {
    Json& e = out["example"];
    e["position"] = variant.rules().write(study.example->line.end());
    e.update(value_json(variant, study.example->value));
    e.update({{"line", line_json(study.example->line.moves)},
              {"line_gives_away", mistakes_json(study.example->line.moves)},
              {"moves", valued_moves_json(variant, study.example->moves)},
              {"round", line_json(study.example->round)}});
  }
  out["cost"] = cost_json(cost);
  return out;
}

std::string cycle_study_page(const Summary& game, const CycleStudy& study) {
  Text out;
  write_cycle_counts(game, study, out);
  if (study.trap) write_trap(game, study, out);
  if (study.trap_not_found) {
    out.section(kTrapsTitle);
    out.line(no_trap_found());
  }
  if (study.example) write_example(game, *study.example, out);
  return out.text();
}

}  // namespace plenum
