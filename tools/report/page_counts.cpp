// SPDX-License-Identifier: Apache-2.0
// The counts of a page: draws, cycles, random play, margins, size; by tiers of a game solved by bits; of an ending.
#include "tools/report/page_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tools/report/draw.h"
#include "tools/report/json_report.h"

namespace plenum::pages {
namespace {

constexpr std::int64_t kMarginBins = 12;  // a side
constexpr std::uint32_t kPlyBins = 12;
constexpr double kBar = 50;  // columns

void write_draw_rates(const Summary& game, Text& out) {
  const Statistics& s = *game.statistics;
  const DrawRates rates = draw_rates(game);
  const auto of = [](const std::optional<double>& rate) { return rate ? percent(*rate) : std::string("none"); };
  const std::string lead = game.openings.size() == 1 ? " leads" : " lead";
  out.section("Draws, by what they are counted among");
  out.line(absl::StrCat("of the ", count(s.going_on(), "position"), " that ", s.going_on() == 1 ? "has" : "have",
                        " not ended, ", of(rates.positions), " are level (", count(s.tie, "tie"), ", ",
                        count(s.cycle, "cycle"), ")"));
  out.line(absl::StrCat("of the ", count(game.openings.size(), "first move"), ", ", of(rates.openings), lead,
                        " to a level game"));
  out.line(absl::StrCat("of the ", count(s.ended, "ended position"), ", ", of(rates.ends), " are level (",
                        number(s.ended_tie), ")"));
  const bool known = game.random_play && game.random_play->known();
  out.line(absl::StrCat("of games played at random, ", known ? of(rates.random_play) : "an unknown part",
                        known ? " end level or never" : " ends level or never"));
}

void write_cycles(const Summary& game, Text& out) {
  const Statistics& s = *game.statistics;
  out.section("Can play go round?");
  if (!game.components) {
    out.line("play can repeat: not counted");
  } else if (game.components->count == 0) {
    out.line("play can repeat: never, no position comes back");
  } else {
    const Components& c = *game.components;
    out.line(absl::StrCat("play can repeat: ", count(c.positions, "position lies", "positions lie"), " on cycles, in ",
                          count(c.count, "component"), " (", number(c.largest), " in the largest)"));
  }
  out.line(absl::StrCat("neither can end it without losing: ", count(s.cycle, "position"), " (cycles)"));
  if (!game.facts_known) {
    out.line("whether they could agree to end it, and who can play for ever, was left out (--no-remoteness)");
    return;
  }
  out.line(absl::StrCat("and they cannot even agree to end it: ", number(s.forced_cycle), " of these (forced cycles)"));
  const PositionValue& start = *game.start_value;
  const std::string who = start.endless_first && start.endless_second ? "either player"
                          : start.endless_first                       ? "first"
                          : start.endless_second                      ? "second"
                                                                      : "neither player";
  out.line(absl::StrCat("from the start, ", who, " can keep the game going for ever, whatever it costs"));
}

void write_random_games(const Summary& game, Text& out) {
  const Statistics& s = *game.statistics;
  out.section("Random play: all moves equally likely");
  const std::optional<RandomPlay>& random = game.random_play;
  if (!random || !random->known()) {
    out.line(random ? "not known: a large part that goes round could not be computed" : "not computed");
  } else {
    out.line(absl::StrCat("first wins ", percent(random->first), ", level ", percent(random->tie), ", second wins ",
                          percent(random->second), ", never ends ", percent(random->endless)));
    out.line(random->plies ? absl::StrCat(rounded(*random->plies), " plies on average")
                           : std::string("no average length, since play may never end"));
  }
  out.line(
      absl::StrCat("moves in a position that has not ended: ",
                   rounded(s.going_on() == 0 ? 0 : static_cast<double>(s.moves) / static_cast<double>(s.going_on())),
                   " on average, ", number(s.most_moves), " at most"));
}

void write_measures(const Measures& m, Text& out) {
  const auto of_all = [&](std::uint64_t n) {
    return percent(m.all.positions == 0 ? 0 : static_cast<double>(n) / static_cast<double>(m.all.positions));
  };
  out.section("Measures");
  out.line(absl::StrCat("one move alone keeps the value in ", of_all(m.all.critical),
                        " of the positions, every move in ", of_all(m.all.quiet), "; ", of_all(m.all.single),
                        " have a single move"));
  if (!m.from_start) return;
  const StartMeasures& from = *m.from_start;
  out.line(absl::StrCat("skill: ", rounded(from.skill), " (0: worth nothing, 1: the better player always wins)"));
  const PlayResult& result = from.erring.result;
  out.line(absl::StrCat("players who err at every tenth move: first wins ", percent(result.first), ", level ",
                        percent(result.tie), ", second wins ", percent(result.second),
                        result.endless > 0 ? absl::StrCat(", never ends ", percent(result.endless)) : ""));
  out.line(absl::StrCat("  the value changes ", rounded(from.erring.changes), " times, the lead ",
                        rounded(from.erring.lead_changes), " times; decided after ", rounded(from.erring.decisive_ply),
                        result.plies ? absl::StrCat(" of ", rounded(*result.plies)) : "", " plies"));
  if (from.lines) out.line(absl::StrCat("lines of play: ", *from.lines));
}

// Margins in at most kMarginBins steps a side, level apart.
void write_margins(const Summary& game, Text& out) {
  const Variant& variant = *game.variant;
  const Statistics& s = *game.statistics;
  out.section("Values of the positions that have not ended, for first");
  std::vector<std::int64_t> sizes;  // the distinct ones, level excluded
  for (const auto& [margin, n] : s.margins) sizes.push_back(std::abs(margin.margin.units));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase(sizes, 0);
  const std::size_t step = (sizes.size() + kMarginBins - 1) / kMarginBins;
  struct Bin {
    std::string label;
    std::uint64_t n = 0;
  };
  std::map<std::int64_t, Bin> bins;  // 0: level
  for (const auto& [margin, n] : s.margins) {
    const std::int64_t units = margin.margin.units;
    const auto place =
        static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), std::abs(units)) - sizes.begin());
    Bin& bin = bins[units == 0 ? 0 : (units > 0 ? 1 : -1) * static_cast<std::int64_t>(place / step + 1)];
    bin.n += n;
    if (!bin.label.empty()) continue;
    if (units == 0) {
      bin.label = "level";
    } else if (variant.rule_set().outcome_only) {
      bin.label = units > 0 ? "first" : "second";
    } else {
      const std::string sign = units > 0 ? "+" : "-";
      const std::size_t least = place / step * step;
      const std::size_t most = std::min(least + step, sizes.size()) - 1;
      bin.label = sign + variant.margin_text({sizes[least]});
      if (most > least) absl::StrAppend(&bin.label, "..", sign, variant.margin_text({sizes[most]}));
    }
  }
  std::uint64_t most = 1;
  std::size_t width = 0;
  for (const auto& [key, bin] : bins) {
    most = std::max(most, bin.n);
    width = std::max(width, bin.label.size());
  }
  for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) {
    const auto& [label, n] = bin->second;
    const auto length = static_cast<std::size_t>(std::ceil(kBar * share(n, most)));
    out.raw(absl::StrCat("  ", pad_left(label, width), "  ", std::string(length, '#'), " ", number(n), " (",
                         percent(share(n, s.going_on())), ")"));
  }
  if (bins.empty()) out.line("none");
}

void write_reachable(const Summary& game, Text& out) {
  const Statistics& s = *game.statistics;
  const auto& elements = game.variant->symmetries().elements();
  const auto exchanging = static_cast<std::uint64_t>(
      std::count_if(elements.begin(), elements.end(), [](const Symmetry& e) { return e.exchange; }));
  out.line(absl::StrCat(count(s.reachable, "position"), " are reachable, ", number(s.canonical), " up to symmetry; ",
                        number(s.ended), " of them ended"));
  if (const auto& all = game.whole_board) {
    out.line(absl::StrCat("the whole board has ", count(all->reachable, "position"), ", unreachable ones included, ",
                          number(all->canonical), " up to symmetry; ", number(all->ended),
                          " of them ended; of the others ", number(all->first), " are won by first, ",
                          number(all->second), " by second, ", count(all->tie, "tie"), ", ",
                          count(all->cycle, "cycle")));
  }
  out.line(elements.size() == 1
               ? std::string("no symmetry but the identity")
               : absl::StrCat(elements.size(), " symmetries used, the identity included; ", exchanging,
                              exchanging == 1 ? " of them exchanges" : " of them exchange", " the players"));
}

void write_winners_by_stones(const Summary& game, Text& out) {
  out.section("Who wins, by the number of stones");
  // Where play may go on for ever, the stones do not say who is to move: then first is, and second would fare alike.
  const bool either = !game.tiers[0].first_at_least.empty();
  out.line(absl::StrCat(
      "(of all ways to colour so many cells, with whatever may be flagged then; they need not be reachable",
      either ? "; with first to move, as second does as well" : "", ")"));
  std::size_t width = 0;
  for (const BitTier& tier : game.tiers) width = std::max(width, number(tier.positions).size());
  for (const BitTier& tier : game.tiers) {
    const auto part = [&](std::uint64_t n) { return pad_left(percent(share(n, tier.positions)), 8); };
    std::string line = absl::StrCat("  ", pad_left(absl::StrCat(tier.stones), 3), ", ",
                                    tier.mover == Player::first ? "first " : "second",
                                    " to move: ", pad_left(number(tier.positions), width), "  first ", part(tier.first),
                                    "  second ", part(tier.second));
    if (tier.tie) {
      absl::StrAppend(&line, "  tied ", part(*tier.tie), "  cycle ", part(tier.level - *tier.tie));
    } else if (tier.level > 0) {
      absl::StrAppend(&line, either ? "  level " : "  tied ", part(tier.level));
    }
    out.raw(line);
  }
  const BitTier all = whole_of(game.tiers);
  std::string sum = absl::StrCat(count(all.positions, "position"), " in all: ", number(all.first),
                                 " are won by first, ", number(all.second), " by second");
  if (all.tie) {
    absl::StrAppend(&sum, ", ", count(*all.tie, "tie"), ", ", count(all.level - *all.tie, "cycle"));
  } else {
    absl::StrAppend(&sum, ", ", either ? absl::StrCat(number(all.level), " are level") : count(all.level, "tie"));
  }
  if (!either) absl::StrAppend(&sum, "; ", number(all.ended), " of them have ended");
  out.line(sum);
  for (const auto& [units, n] : all.first_at_least) {
    if (units == 1) continue;
    out.line(absl::StrCat("by ", game.variant->margin_text({static_cast<std::int64_t>(units)}), " or more: ", number(n),
                          " by first, ", number(all.second_at_least.at(units)), " by second"));
  }
}

std::string to_move(Player player) { return player == Player::first ? "white to move" : "black to move"; }

void write_ending_counts(const std::string& what, const EndingCounts& counts, std::size_t width, Text& out) {
  const auto part = [&](std::uint64_t n) { return pad_left(percent(share(n, counts.legal)), 8); };
  out.raw(absl::StrCat("  ", pad_right(what, 28), pad_left(number(counts.legal), width), "  first ", part(counts.first),
                       "  second ", part(counts.second), "  tie ", part(counts.tie), "  cycle ", part(counts.cycle)));
}

void write_winners(const EndingSummary& ending, Text& out) {
  out.section("Who wins");
  const EndingStatistics& statistics = ending.statistics;
  const std::array<EndingSide, 2> sides = {statistics.to_move(Player::first), statistics.to_move(Player::second)};
  const std::size_t width = number(std::max(sides[0].all.legal, sides[1].all.legal)).size();
  for (const Player player : {Player::first, Player::second}) {
    const auto who = static_cast<std::size_t>(player);
    write_ending_counts(to_move(player), sides[who].all, width, out);
    if (ending.crowds) {
      write_ending_counts("  no two men on a cell", statistics.sides[0][who].all, width, out);
      write_ending_counts("  some share a cell", statistics.sides[1][who].all, width, out);
    }
    write_ending_counts("  up to symmetry", sides[who].canonical, width, out);
  }
  const MutualZugzwangs& all = statistics.zugzwangs.all;
  if (all.sum() == 0) {
    out.line("mutual zugzwang: nowhere");
    return;
  }
  const auto part = [](std::uint64_t n, const char* what) { return n == 0 ? "" : absl::StrCat("; ", number(n), what); };
  out.line(absl::StrCat(
      "mutual zugzwang, where each does better if the other has to move: ", count(all.sum(), "placement"),
      " of the men, ", number(statistics.zugzwangs.canonical.sum()), " up to symmetry",
      part(all.first, " between a win of first and a draw"), part(all.second, " between a win of second and a draw"),
      part(all.both, " where whoever is to move loses")));
}

// Plies in at most kPlyBins steps.
void write_lengths(const Variant& variant, const Histograms& found, Text& out) {
  out.section("How long a win takes");
  for (const Player player : {Player::first, Player::second}) {
    const std::optional<LongestWin>& longest = found.longest[static_cast<std::size_t>(player)];
    out.line(absl::StrCat(
        player == Player::first ? "first" : "second", ": ",
        longest ? absl::StrCat(plies(longest->plies), " at most, from ", variant.rules().write(longest->position))
                : "never wins"));
  }
  if (found.plies.empty()) return;
  const std::uint32_t step = (found.plies.rbegin()->first + kPlyBins - 1) / kPlyBins;
  std::map<std::uint32_t, std::array<std::uint64_t, 2>> bins;
  for (std::size_t who = 0; who < found.wins.size(); ++who) {
    for (const auto& [plies, n] : found.wins[who]) bins[(plies - 1) / step][who] += n;
  }
  out.line("positions that have not ended, by the plies that best play takes from there:");
  const std::size_t width = number(found.positions).size() + 2;
  out.raw(absl::StrCat("  ", pad_left("plies", 9), pad_left("first", width + 3), pad_left("second", width + 3)));
  for (const auto& [bin, counts] : bins) {
    const std::uint32_t least = bin * step + 1;
    const std::string label = step == 1 ? absl::StrCat(least) : absl::StrCat(least, "..", least + step - 1);
    out.raw(absl::StrCat("  ", pad_left(label, 9), pad_left(number(counts[0]), width + 3),
                         pad_left(number(counts[1]), width + 3)));
  }
}

void write_ending_size(const EndingSummary& ending, Text& out) {
  std::uint64_t numbered = 0;
  std::uint64_t legal = 0;
  for (const EndingSummary::Size& size : ending.sizes) {
    numbered += size.positions;
    legal += size.legal;
  }
  if (ending.found > 0)
    out.line(absl::StrCat("tables of ", number(ending.found), " of these materials were there already"));
  out.line(absl::StrCat(
      count(ending.sizes.size(), "material"), " solved, those that it leads to included: ", number(numbered),
      " positions numbered, ", number(legal), " of them legal; ", memory_text(ending.bytes), ", ",
      rounded(static_cast<double>(ending.bytes) / static_cast<double>(std::max<std::uint64_t>(1, legal))),
      " bytes a legal position"));
}

}  // namespace

void write_counts(const Summary& game, const Studies& studies, Text& out) {
  if (!game.tiers.empty()) write_winners_by_stones(game, out);
  if (game.ending) write_winners(*game.ending, out);
  if (game.statistics) {
    write_draw_rates(game, out);
    write_cycles(game, out);
    write_random_games(game, out);
  }
  if (studies.measures != nullptr) write_measures(*studies.measures, out);
  if (game.statistics) write_margins(game, out);
  if (studies.lengths != nullptr) write_lengths(*game.variant, *studies.lengths, out);
}

void write_size(const Summary& game, Text& out) {
  if (game.statistics) write_reachable(game, out);
  if (game.ending) write_ending_size(*game.ending, out);
  if (!game.tiers.empty())
    out.line(absl::StrCat(count(game.stored, "position"), " up to the symmetries of their cells"));
}

}  // namespace plenum::pages
