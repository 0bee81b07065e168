// SPDX-License-Identifier: Apache-2.0
#include "tools/html/document.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>

#include "tools/html/chart_svg.h"
#include "tools/html/markup.h"
#include "tools/html/picture_style.h"

namespace plenum {
namespace {

// What is no picture (picture_style.h).
constexpr const char* kStyle = R"(
:root { font: 16px/1.5 Georgia, 'DejaVu Serif', serif; color: #1b1b1b; background: #fff; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.8rem; margin: .2rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; border-bottom: 1px solid #999; } h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p { margin: .5rem 0; } .about { color: #444; } .verdict { font-size: 1.08rem; border-left: 4px solid #1b1b1b; padding-left: .8rem; }
code, pre { font: .86rem/1.4 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; white-space: pre-wrap; } pre { border: 1px solid #bbb; padding: .5rem; }
.command { font-size: .86rem; color: #444; }
table { border-collapse: collapse; margin: .7rem 0; font: .9rem/1.35 'DejaVu Sans', sans-serif; } caption { text-align: left; font-weight: 600; padding-bottom: .2rem; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem; border: 1px solid #bbb; } thead th { border-bottom: 2px solid #555; }
figure { margin: .8rem 0; } figcaption { font: 600 .9rem/1.35 'DejaVu Sans', sans-serif; padding-bottom: .2rem; }
details { font-size: .9rem; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; } .row figure { width: 9.5rem; margin: .2rem 0; } .row figcaption { font-weight: 400; font-size: .8rem; } .row.wide figure { width: 15rem; } .one { max-width: 26rem; }
)";

constexpr const char* kPrinted =
    R"(@media print { :root { font-size: 11pt; } body { max-width: none; padding: 0; } h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; } details > summary { display: none; } details::details-content { content-visibility: visible; } @page { margin: 16mm; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

}  // namespace

std::string html_document(const std::string& title, std::string_view body) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n<link rel=\"icon\" href=\"data:,\">\n",
      element("title", escaped(title)), "\n<style>", kStyle, std::string(picture_style()), kPrinted,
      "</style>\n</head>\n<body>\n", bar_patterns(), std::string(body), "</body>\n</html>\n");
}

std::string html_section(const std::string& title, std::string_view content) {
  return absl::StrCat("<section>\n", element("h2", escaped(title)), "\n", std::string(content), "</section>\n");
}

std::string paragraph(const std::string& text) { return element("p", escaped(text)) + "\n"; }

std::string authors_text(const std::string& text) {
  std::string out;
  for (const auto part : absl::StrSplit(absl::StrReplaceAll(text, {{"https://", ""}, {"http://", ""}}), "\n\n"))
    out += paragraph(std::string(part));
  return out;
}

std::string by_command(const std::string& command) {
  return absl::StrCat("<p class=\"command\">These numbers: ", element("code", escaped(command)), "</p>\n");
}

}  // namespace plenum
