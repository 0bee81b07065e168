// SPDX-License-Identifier: Apache-2.0
#include "tools/html/game_report.h"

#include <absl/strings/str_cat.h>

#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"

namespace plenum {

std::string GameReport::command(const std::string& verb, const std::string& more) const {
  return absl::StrCat(program, " ", verb, " ", arguments, more.empty() ? "" : " ", more,
                      verb == "solve" ? solve_options : "", verb == "info" ? "" : run, " --json");
}

std::string report_html(const GameReport& report) {
  const Variant& variant = report.variant();
  const Description& d = variant.description();
  const BoardPictures pictures(variant);
  const std::string material = report.summary().ending ? ", " + report.summary().ending->material : "";
  const std::string title = absl::StrCat(d.name, " on ", variant.board().name(), material);
  std::string body = absl::StrCat(pictures.parts(), "<main>\n", element("h1", escaped(title)), "\n");
  body += sections::verdict(report);
  body += sections::rules(report, pictures);
  body += sections::openings(report, pictures);
  body += sections::lines(report, pictures);
  body += sections::spread(report);
  body += sections::draws(report);
  body += sections::cycles(report, pictures);
  body += sections::readings(report);
  body += sections::sweep(report);
  body += sections::skill(report);
  body += sections::method(report);
  return html_document(title + ": a report", body + "</main>\n");
}

}  // namespace plenum
