// SPDX-License-Identifier: Apache-2.0
#include "tools/report/page.h"

#include <algorithm>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/support/memory.h"
#include "tools/report/describe.h"
#include "tools/report/draw.h"
#include "tools/report/page_counts.h"
#include "tools/report/page_result.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

// What the game is, who wins it, and what the method did not find out.
void write_title(const Summary& game, Text& out) {
  if (game.ending) {
    out.line(absl::StrCat(game.variant->description().name, " on ", game.variant->board().name(), ": ",
                          game.ending->material, ", every legal position of it"),
             0, 2);
    out.line(
        "White is first. A win is by mate; play that never ends is a draw, called a cycle where neither player can "
        "make it end.",
        0, 2);
    return;
  }
  write_result(game, out);
  if (!game.tiers.empty())
    out.line(
        "Found by working out who wins every position, by bits and two tiers at a time. How long it takes to win, and "
        "which positions are reachable, is not known.",
        0, 2);
  if (!game.work) return;
  out.line(
      "Found by searching for the value of the start alone. How long it takes to win, all counts and draw rates are "
      "not known.",
      0, 2);
  if (game.variant->rule_set().pie && !game.openings_known && !game.stopped && !game.start_value->ended)
    out.line("What the pie makes of it takes the value of every opening: --openings", 0, 2);
}

void write_best_line(const Summary& game, Text& out) {
  out.section("A line of best play");
  out.line(line_words(game.line->moves));
  out.line(game.variant->rules().write(game.line->end()));
}

void write_page(const Summary& game, const Studies& studies, Text& out) {
  write_title(game, out);
  if (game.openings_known && !game.ending) write_openings(*game.variant, game.start.mover, shown_openings(game), out);
  if (std::any_of(game.openings.begin(), game.openings.end(), [](const Opening& o) { return o.bounds.has_value(); }))
    out.line("(?: not solved)");
  write_counts(game, studies, out);
  if (game.line) write_best_line(game, out);
  write_readings(*game.variant, out);
  out.section("Size and cost");
  write_size(game, out);
}

// What a second's work came to, by what the method counts.
std::string rates_text(const Summary& game, const Cost& cost) {
  const double time = std::max(cost.seconds, 1e-9);
  const auto rate = [&](std::uint64_t n) { return rounded(static_cast<double>(n) / time); };
  if (game.work)
    return absl::StrCat(count(game.work->nodes, "position"), " searched, ", number(game.work->successors), " met; ",
                        rate(game.work->nodes), " and ", rate(game.work->successors), " a second");
  if (game.statistics)
    return absl::StrCat(rate(game.stored), " stored positions a second, ", rate(game.statistics->reachable),
                        " unreduced");
  if (game.ending && game.ending->edges > 0)
    return absl::StrCat(rounded(1e9 * cost.cpu_seconds.value_or(0) / static_cast<double>(game.ending->edges)),
                        " ns a move");
  return game.ending ? "" : absl::StrCat(rate(game.stored), " of these positions a second");
}

std::string memory_line(const Summary& game, const Cost& cost) {
  const std::uint64_t peak = cost.peak_bytes.value_or(0);
  const auto each = [&](std::uint64_t n) {
    return rounded(static_cast<double>(peak) / std::max(static_cast<double>(n), 1.0));
  };
  std::string out = absl::StrCat("peak memory ", memory_text(peak));
  if (game.statistics)
    absl::StrAppend(&out, ": ", each(game.stored), " bytes a stored position, ", each(game.statistics->reachable),
                    " unreduced");
  if (game.work)
    absl::StrAppend(&out, "; table of ", memory_text(game.work->table_bytes), ", ", percent(game.work->fill), " full");
  return out;
}

// The stages that took a hundredth of the processor time, and a hundredth of a second, or more.
std::string stages_text(const Cost& cost) {
  const double least = std::max(0.01, cost.cpu_seconds.value_or(0) / 100);
  std::vector<std::string> parts;
  for (const StageTime& s : cost.stages) {
    if (s.cpu_seconds >= least) parts.push_back(absl::StrCat(s.stage, " ", seconds(s.cpu_seconds)));
  }
  return parts.empty() ? "" : absl::StrCat("of the processor time: ", absl::StrJoin(parts, ", "));
}

void write_cost(const Summary& game, const Cost& cost, Text& out) {
  out.line(absl::StrCat(seconds(cost.seconds), " by the clock, ", seconds(cost.cpu_seconds.value_or(0)),
                        " of processor time, ",
                        count(static_cast<std::uint64_t>(std::max(cost.threads, 0)), "thread")));
  if (const std::string stages = stages_text(cost); !stages.empty()) out.line(stages);
  if (const std::string rates = rates_text(game, cost); !rates.empty()) out.line(rates);
  out.line(memory_line(game, cost));
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

std::string page(const Summary& game, const std::optional<Cost>& cost, const pages::Studies& studies) {
  Text out;
  write_page(game, studies, out);
  if (cost) write_cost(game, *cost, out);
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
