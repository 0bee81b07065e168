// SPDX-License-Identifier: Apache-2.0
// What other rules would change: the readings that the author left open, and maps over options and boards.
#include <absl/strings/str_cat.h>

#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/report/page_text.h"

namespace plenum::sections {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

std::string row(const Reading& r) {
  std::string cells = element("th scope=\"row\"", escaped(r.name()));
  if (!r.error.empty()) {
    cells +=
        element("td colspan=\"5\"", escaped(absl::StrCat("not compared: ", r.error.substr(0, r.error.find('\n')))));
    return element("tr", cells);
  }
  for (const std::string& text :
       {r.verdict(), r.start_changed ? r.start_words : std::string("the same"),
        absl::StrCat(r.openings_changed, " of ", r.openings), std::string(r.pie_changed ? "changes" : "the same"),
        absl::StrCat(number(r.counts.changed), " of ", number(r.counts.common), " (",
                     percent(share(r.counts.changed, r.counts.common)), ")")})
    cells += element("td", escaped(text));
  return element("tr", cells);
}

}  // namespace

std::string readings(const GameReport& report) {
  std::string out;
  if (!report.readings.value) {
    out = paragraph(report.readings.why_not);
  } else if (report.readings.value->empty()) {
    return html_section("What the author left open",
                        paragraph("The author left no rule open, as far as the description says.") +
                            by_command(report.command("info")));
  } else {
    std::string rows;
    for (const Reading& r : *report.readings.value) rows += row(r);
    out = element("table", absl::StrCat(element("caption", "Each other reading against the rules of this report"),
                                        "<thead><tr><th scope=\"col\">reading</th><th scope=\"col\">changes</th><th "
                                        "scope=\"col\">the start</th><th scope=\"col\">first moves</th><th "
                                        "scope=\"col\">the pie</th><th scope=\"col\">positions</th></tr></thead>",
                                        element("tbody", rows))) +
          "\n";
    out += paragraph(
        "First moves: those of both games that change value. Positions: those reachable in both games that do. This is "
        "about this board alone.");
  }
  return html_section("What the author left open", out + by_command(report.command("compare", "--readings")));
}

std::string sweep(const GameReport& report) {
  if (report.sweep.value) return html_section("Other rules and boards", heat_maps(*report.sweep.value));
  return html_section("Other rules and boards", paragraph(report.sweep.why_not));
}

}  // namespace plenum::sections
