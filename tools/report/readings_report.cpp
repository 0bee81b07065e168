// SPDX-License-Identifier: Apache-2.0
#include "tools/report/readings_report.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "tools/report/compare_report.h"
#include "tools/report/describe.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

Json reading_json(const Reading& r) {
  Json out = {{"option", r.option}, {"value", r.value}, {"changes", r.verdict()}};
  out.update(r.error.empty() ? Json{{"start_changed", r.start_changed},
                                    {"start", r.start_words},
                                    {"openings", r.openings},
                                    {"openings_changed", r.openings_changed},
                                    {"pie_changed", r.pie_changed},
                                    {"common", r.counts.common},
                                    {"changed", r.counts.changed},
                                    {"reachable", r.reachable}}
                             : Json{{"error", r.error}, {"exit_code", static_cast<int>(r.code)}});
  return out;
}

}  // namespace

std::string Reading::verdict() const {
  if (!error.empty()) return "unknown";
  if (start_changed) return "the start";
  if (openings_changed > 0) return "some opening";
  return counts.changed > 0 ? "some position" : "nothing";
}

Json readings_json(const Summary& base, const std::vector<Reading>& readings) {
  Json out = headed_json(*base.variant);
  out["value"] = value_or_null(*base.variant, base.start_value);
  out["reachable"] = positions_of(base);
  out["readings"] = json_list(readings, reading_json);
  return out;
}

std::string readings_page(const Summary& base, const std::vector<Reading>& readings) {
  pages::Text out;
  const Variant& variant = *base.variant;
  out.line(absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ",
                        base.start_value ? value_words(variant, *base.start_value) : base.ending->material),
           0, 2);
  out.raw("");
  std::size_t width = 7;
  std::size_t start = 5;
  for (const Reading& r : readings) {
    width = std::max(width, r.option.size() + 1 + r.value.size());
    start = std::max(start, r.start_changed ? r.start_words.size() : 4);
  }
  const auto row = [&](const std::string& name, const std::string& verdict, const std::string& value,
                       const std::string& openings, const std::string& pie, const std::string& positions) {
    out.raw(absl::StrCat("  ", pad_right(name, width), "  ", pad_right(verdict, 13), "  ", pad_right(value, start),
                         "  ", pad_left(openings, 9), "  ", pad_right(pie, 7), "  ", positions));
  };
  row("reading", "changes", "start", "openings", "pie", "positions");
  for (const Reading& r : readings) {
    const std::string name = r.name();
    if (!r.error.empty()) {
      out.raw(absl::StrCat("  ", pad_right(name, width), "  ", r.error.substr(0, r.error.find('\n'))));
      continue;
    }
    row(name, r.verdict(), r.start_changed ? r.start_words : "same",
        absl::StrCat(r.openings_changed, " of ", r.openings), r.pie_changed ? "changes" : "same",
        absl::StrCat(pages::number(r.counts.changed), " of ", pages::number(r.counts.common), " (",
                     pages::percent(pages::share(r.counts.changed, r.counts.common)), ")"));
  }
  out.raw("");
  out.line(
      "openings: first moves of both games that change value; positions: those reachable in both that do; this is "
      "about "
      "this board alone",
      0, 0);
  for (const Reading& r : readings) {
    if (r.error.empty()) continue;
    out.raw("\nthe first that could not be solved:\n" + r.error);
    break;
  }
  return out.text();
}

}  // namespace plenum
