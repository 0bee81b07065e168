// SPDX-License-Identifier: Apache-2.0
#include "tools/html/document.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>

#include "tools/html/chart_svg.h"
#include "tools/html/markup.h"

namespace plenum {
namespace {

// Inks are dark enough for grey printers; what stands on them is light.
constexpr const char* kStyle = R"(
:root { font: 16px/1.5 Georgia, 'DejaVu Serif', serif; color: #1b1b1b; background: #fff; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.8rem; margin: .2rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; border-bottom: 1px solid #999; } h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p { margin: .5rem 0; } .about { color: #444; } .verdict { font-size: 1.08rem; border-left: 4px solid #1b1b1b; padding-left: .8rem; }
code, pre { font: .86rem/1.4 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; white-space: pre-wrap; } pre { border: 1px solid #bbb; padding: .5rem; }
.command { font-size: .86rem; color: #444; }
table { border-collapse: collapse; margin: .7rem 0; font: .9rem/1.35 'DejaVu Sans', sans-serif; } caption { text-align: left; font-weight: 600; padding-bottom: .2rem; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem; border: 1px solid #bbb; } thead th { border-bottom: 2px solid #555; } .numbers td, .heat td { text-align: right; } .heat td.none { color: #444; }
figure { margin: .8rem 0; } figcaption { font: 600 .9rem/1.35 'DejaVu Sans', sans-serif; padding-bottom: .2rem; }
details { font-size: .9rem; } .parts { position: absolute; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; } .row figure { width: 9.5rem; margin: .2rem 0; } .row figcaption { font-weight: 400; font-size: .8rem; } .row.wide figure { width: 15rem; } .one { max-width: 26rem; }
.board { width: 100%; max-height: 26rem; display: block; }
.cell { fill: #f6f1e4; stroke: #777; stroke-width: .025; } .cell.dark { fill: #dcd3bd; } .join { stroke: #777; stroke-width: .05; }
.name { font: .15px sans-serif; text-anchor: middle; fill: #555; }
.man { stroke: #333; stroke-width: .04; } .man.first, .man.black { fill: #151515; } .man.second, .man.white { fill: #fff; } .man.nobody { fill: #b9a48c; } .man.red { fill: #b3261e; } .man.green { fill: #1e7a3c; } .man.blue { fill: #1c5fa8; } .man.yellow { fill: #f2c800; }
.man-picture { width: 1.1em; height: 1.1em; vertical-align: -.15em; }
.letter { text-anchor: middle; font-weight: 600; font-family: 'DejaVu Sans', sans-serif; fill: #fff; } .letter.second, .letter.white, .letter.yellow, .letter.nobody { fill: #111; }
.worth { stroke: #333; stroke-width: .03; } .worth.first { fill: #e9e9e9; } .worth.second { fill: #8f8f8f; } .worth.tie { fill: #fff; } .worth.cycle { fill: #fff; stroke-dasharray: .1 .06; }
text.value { text-anchor: middle; font-family: 'DejaVu Sans', sans-serif; font-weight: 700; fill: #000; }
.arrow { stroke: #00588f; stroke-width: .08; fill: none; } .arrow.ring { stroke-width: .06; stroke-dasharray: .14 .08; } .head { fill: #00588f; }
.chart { width: 100%; max-width: 40rem; } .chart text { font: 11px 'DejaVu Sans', sans-serif; fill: #1b1b1b; } .axis { stroke: #333; } .grid { stroke: #ddd; }
.bar { stroke: #222; stroke-width: .7; } .bar.plain { fill: #4d6f8a; } .bar.first { fill: #222; } .bar.second { fill: url(#hatched); } .bar.tie { fill: url(#dotted); } .bar.cycle { fill: url(#lined); } .paper { fill: #fff; } .ink { fill: #333; }
.legend { font-size: .88rem; } .legend span { margin-right: 1rem; } .key { width: .9em; height: .9em; vertical-align: -.1em; }
@media print { :root { font-size: 11pt; } body { max-width: none; padding: 0; } h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; } details > summary { display: none; } details::details-content { content-visibility: visible; } @page { margin: 16mm; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

}  // namespace

std::string html_document(const std::string& title, std::string_view body) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n<link rel=\"icon\" href=\"data:,\">\n",
      element("title", escaped(title)), "\n<style>", kStyle, "</style>\n</head>\n<body>\n", bar_patterns(),
      std::string(body), "</body>\n</html>\n");
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
