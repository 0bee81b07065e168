// SPDX-License-Identifier: Apache-2.0
#include "tools/html/picture_style.h"

#include <cmath>
#include <string>

#include <absl/strings/str_format.h>

namespace plenum {
namespace {

// Inks are dark enough for grey printers; what stands on them is light. The colours of results are Okabe and Ito's, darker for contrast.
constexpr const char* kPictures = R"(/* Pictures. */
:root { --ink: #1b1b1b; --paper: #fff; --faint: #555; --grid: #ddd; --cell: #f6f1e4; --cell-dark: #dcd3bd; --cell-line: #777; --man-line: #333; --arrow: #00588f; --bar: #4d6f8a; --wins: #007a5a; --loses: #b84a00; --tie: #6b6b6b; --cycle: #0068a3; --sign-text: #fff; }
.parts { position: absolute; }
.board { width: 100%; max-height: 26rem; display: block; }
.cell { fill: var(--cell); stroke: var(--cell-line); stroke-width: .025; } .cell.dark { fill: var(--cell-dark); } .points .cell { stroke-width: .04; } .join { stroke: var(--cell-line); stroke-width: .05; }
.name { font: .15px sans-serif; text-anchor: middle; fill: var(--faint); }
.man { stroke: var(--man-line); stroke-width: .04; } .man.first, .man.black { fill: #151515; } .man.second, .man.white { fill: #fff; } .man.nobody { fill: #b9a48c; } .man.red { fill: #b3261e; } .man.green { fill: #1e7a3c; } .man.blue { fill: #1c5fa8; } .man.yellow { fill: #f2c800; }
.man-picture { width: 1.1em; height: 1.1em; vertical-align: -.15em; }
.letter { text-anchor: middle; font-weight: 600; font-family: 'DejaVu Sans', sans-serif; fill: #fff; } .letter.second, .letter.white, .letter.yellow, .letter.nobody { fill: #111; }
.wins .sign { fill: var(--wins); } .loses .sign { fill: var(--loses); } .tie .sign { fill: var(--tie); } .cycle .sign { fill: var(--cycle); }
.sign-letter, text.value, .arrow-text { text-anchor: middle; font-weight: 700; font-family: 'DejaVu Sans', sans-serif; fill: var(--ink); } .sign-letter { fill: var(--sign-text); } .unknown .sign-letter { fill: var(--ink); } text.value { font-weight: 400; } .arrow-text { text-anchor: start; }
.arrow { stroke: var(--arrow); stroke-width: .08; fill: none; } .arrow.ring { stroke-width: .06; stroke-dasharray: .14 .08; } .head { fill: var(--arrow); }
.chart { width: 100%; max-width: 40rem; } .chart.line, .trap { width: 100%; max-width: 24rem; display: block; } .chart text { font: 11px 'DejaVu Sans', sans-serif; fill: var(--ink); } .axis { stroke: var(--ink); } .grid { stroke: var(--grid); }
.bar { stroke: var(--ink); stroke-width: .7; } .bar.plain { fill: var(--bar); } .bar.first { fill: var(--ink); } .bar.second { fill: url(#hatched); } .bar.tie { fill: url(#dotted); } .bar.cycle { fill: url(#lined); } .paper { fill: var(--paper); } .ink { fill: var(--ink); }
.course { fill: none; stroke: var(--bar); stroke-width: 2; } .point { fill: var(--bar); } .point.here { fill: var(--ink); }
.edge { stroke: var(--faint); } .edge-head { fill: var(--faint); } .node circle { fill: var(--paper); stroke: var(--ink); } .node text { font: 8px 'DejaVu Sans', sans-serif; text-anchor: middle; fill: var(--ink); } .node.here circle { fill: var(--ink); } .node.here text { fill: var(--paper); }
.legend, .scale { font-size: .88rem; } .legend span { margin-right: 1rem; } .key { width: .9em; height: .9em; vertical-align: -.1em; }
.numbers td, .heat td { text-align: right; } .heat td.none { color: var(--faint); } .ramp span { display: inline-block; width: .5rem; height: .8em; vertical-align: -.05em; }
)";

std::string with_shades() {
  std::string out = kPictures;
  for (int k = 0; k < kShades; ++k) {
    // From paper to a dark blue; texts have a contrast of 4.5 at least on either side of the change.
    const int light = static_cast<int>(std::lround(100 - 68.0 * k / (kShades - 1)));
    out += absl::StrFormat(".s%d { background: hsl(205,35%%,%d%%); color: %s; }%s", k, light,
                           light > 46 ? "#000" : "#fff", k + 1 < kShades ? " " : "\n");
  }
  return out;
}

}  // namespace

std::string_view picture_style() {
  static const std::string style = with_shades();
  return style;
}

}  // namespace plenum
