// SPDX-License-Identifier: Apache-2.0
#include "tools/report/page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "tools/report/draw.h"
#include "tools/report/page_result.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::int64_t kMarginBins = 12;  // a side
constexpr double kBar = 50;               // columns
constexpr double kKnown = 1e-9;           // the largest error of a probability that is shown

void write_draw_rates(const GameResult& game, Text& out) {
  const Statistics& s = game.statistics();
  const DrawRates rates = draw_rates(game);
  const auto of = [](const std::optional<double>& rate) { return rate ? percent(*rate) : std::string("none"); };
  const std::string lead = game.openings().size() == 1 ? " leads" : " lead";
  out.section("Draws, by what they are counted among");
  out.line(absl::StrCat("of the ", count(s.going_on(), "position"), " that ", s.going_on() == 1 ? "has" : "have",
                        " not ended, ", of(rates.positions), " are level (", count(s.tie, "tie"), ", ",
                        count(s.cycle, "cycle"), ")"));
  out.line(absl::StrCat("of the ", count(game.openings().size(), "first move"), ", ", of(rates.openings), lead,
                        " to a level game"));
  out.line(absl::StrCat("of the ", count(s.ended, "ended position"), ", ", of(rates.ends), " are level (",
                        number(s.ended_tie), ")"));
  const bool known = game.random_play() && game.random_play()->error <= kKnown;
  out.line(absl::StrCat("of games played at random, ", known ? of(rates.random_play) : "an unknown part",
                        known ? " end level or never" : " ends level or never"));
}

void write_cycles(const GameResult& game, Text& out) {
  const Statistics& s = game.statistics();
  out.section("Can play go round?");
  if (!game.components()) {
    out.line("play can repeat: not counted");
  } else if (game.components()->count == 0) {
    out.line("play can repeat: never, no position comes back");
  } else {
    const Components& c = *game.components();
    out.line(absl::StrCat("play can repeat: ", count(c.positions, "position lies", "positions lie"), " on cycles, in ",
                          count(c.count, "component"), " (", number(c.largest), " in the largest)"));
  }
  out.line(absl::StrCat("neither can end it without losing: ", count(s.cycle, "position"), " (cycles)"));
  if (!game.facts_known()) {
    out.line("whether they could agree to end it, and who can play for ever, was left out (--no-remoteness)");
    return;
  }
  out.line(absl::StrCat("and they cannot even agree to end it: ", number(s.forced_cycle), " of these (forced cycles)"));
  const PositionValue& start = game.start_value();
  const std::string who = start.endless_first && start.endless_second ? "either player"
                          : start.endless_first                       ? "first"
                          : start.endless_second                      ? "second"
                                                                      : "neither player";
  out.line(absl::StrCat("from the start, ", who, " can keep the game going for ever, whatever it costs"));
}

void write_random_play(const GameResult& game, Text& out) {
  const Statistics& s = game.statistics();
  out.section("Random play: all moves equally likely");
  const auto& random = game.random_play();
  if (!random || random->error > kKnown) {
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

// Margins in at most kMarginBins steps a side, level apart.
void write_margins(const GameResult& game, Text& out) {
  const Variant& variant = game.variant();
  const Statistics& s = game.statistics();
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

void write_size(const GameResult& game, Text& out) {
  const Statistics& s = game.statistics();
  const auto& elements = game.variant().symmetries().elements();
  const auto exchanging = static_cast<std::uint64_t>(
      std::count_if(elements.begin(), elements.end(), [](const Symmetry& e) { return e.exchange; }));
  out.section("Size and cost");
  out.line(absl::StrCat(count(s.reachable, "position"), " can arise, ", number(s.canonical), " up to symmetry; ",
                        number(s.ended), " of them ended"));
  if (const auto& all = game.whole_board()) {
    out.line(absl::StrCat("the whole board has ", count(all->reachable, "position"),
                          ", those that cannot arise included, ", number(all->canonical), " up to symmetry; ",
                          number(all->ended), " of them ended; of the others ", number(all->first),
                          " are won by first, ", number(all->second), " by second, ", count(all->tie, "tie"), ", ",
                          count(all->cycle, "cycle")));
  }
  out.line(elements.size() == 1
               ? std::string("no symmetry but the identity")
               : absl::StrCat(elements.size(), " symmetries used, the identity included; ", exchanging,
                              exchanging == 1 ? " of them exchanges" : " of them exchange", " the players"));
}

void write_cost(const GameResult& game, const Cost& cost, Text& out) {
  const auto stored = static_cast<double>(game.stored());
  const auto unreduced = static_cast<double>(game.statistics().reachable);
  const double time = std::max(cost.seconds, 1e-9);
  const std::uint64_t peak = cost.peak_bytes.value_or(0);
  const auto memory = static_cast<double>(peak);
  out.line(absl::StrCat(seconds(cost.seconds), " by the clock, ", seconds(cost.cpu_seconds.value_or(0)),
                        " of processor time, ",
                        count(static_cast<std::uint64_t>(std::max(cost.threads, 0)), "thread")));
  out.line(
      absl::StrCat(rounded(stored / time), " stored positions a second, ", rounded(unreduced / time), " unreduced"));
  out.line(absl::StrCat("peak memory ", memory_text(peak), ": ", rounded(memory / std::max(stored, 1.0)),
                        " bytes a stored position, ", rounded(memory / std::max(unreduced, 1.0)), " unreduced"));
}

void write_page(const GameResult& game, Text& out) {
  write_result(game, out);
  write_openings(game.variant(), game.start().mover, shown_openings(game), out);
  write_draw_rates(game, out);
  write_cycles(game, out);
  write_random_play(game, out);
  write_margins(game, out);
  write_readings(game.variant(), out);
  write_size(game, out);
}

// The blocks between blank lines.
std::vector<std::vector<std::string>> blocks(const std::string& text) {
  std::vector<std::vector<std::string>> out(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.empty()) {
      out.emplace_back();
    } else {
      out.back().push_back(line);
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string page_without_cost(const GameResult& game) {
  Text out;
  write_page(game, out);
  return out.text();
}

std::string page(const GameResult& game, const Cost& cost) {
  Text out;
  write_page(game, out);
  write_cost(game, cost, out);
  return out.text();
}

std::string reworded_page(std::string page, const std::string& name, const Variant& variant) {
  const std::string title = name + " on ";
  if (page.rfind(title, 0) == 0) page.replace(0, name.size(), variant.description().name);
  Text readings;
  write_readings(variant, readings);
  const std::string fresh = readings.text();
  const std::size_t begin = page.find(fresh.substr(0, fresh.find('\n', 1) + 1));
  if (begin == std::string::npos) return page;
  const std::size_t end = page.find("\n\n", begin + 1);
  return page.replace(begin, (end == std::string::npos ? page.size() : end + 1) - begin, fresh);
}

// Section stands beside section: the shorter one is filled up.
std::string side_by_side(const std::string& left, const std::string& right) {
  auto a = blocks(left);
  auto b = blocks(right);
  a.resize(std::max(a.size(), b.size()));
  b.resize(a.size());
  std::size_t width = 0;
  for (const auto& block : a) {
    for (const std::string& line : block) width = std::max(width, display_width(line));
  }
  std::string out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t height = std::max(a[i].size(), b[i].size()) + (i + 1 < a.size() ? 1 : 0);
    a[i].resize(height);
    b[i].resize(height);
    for (std::size_t k = 0; k < height; ++k) {
      const std::string mark = a[i][k] == b[i][k] ? " |" : " *";
      absl::StrAppend(&out, pad_right(a[i][k], width), mark, b[i][k].empty() ? "" : " ", b[i][k], "\n");
    }
  }
  return out;
}

}  // namespace plenum
