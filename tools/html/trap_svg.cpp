// SPDX-License-Identifier: Apache-2.0
#include "tools/html/trap_svg.h"

#include <cmath>
#include <numbers>

#include <absl/strings/str_cat.h>

#include "tools/html/board_plan.h"
#include "tools/html/markup.h"

namespace plenum {
namespace {

constexpr double kMiddle = 110;
constexpr double kRadius = 92;
constexpr double kNode = 9;
constexpr double kNodeGap = 2;  // between an edge and a node

Point node_place(std::size_t k, std::size_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {kMiddle + kRadius * std::sin(angle), kMiddle - kRadius * std::cos(angle)};
}

std::string trap_edge(Point from, Point to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const Point cut = {(kNode + kNodeGap) / length * (to.x - from.x), (kNode + kNodeGap) / length * (to.y - from.y)};
  return absl::StrCat("<line x1=\"", length_text(from.x + cut.x), "\" y1=\"", length_text(from.y + cut.y), "\" x2=\"",
                      length_text(to.x - cut.x), "\" y2=\"", length_text(to.y - cut.y),
                      "\" class=\"edge\" marker-end=\"url(#edgehead)\"/>");
}

}  // namespace

std::string trap_graph(const Trap& trap) {
  const std::size_t n = trap.positions.size();
  if (n > kMostNodes) return "";
  std::string edges;
  std::string nodes;
  for (std::size_t k = 0; k < n; ++k) {
    const TrapPosition& position = trap.positions[k];
    const Point at = node_place(k, n);
    for (std::size_t m = 0; m < position.moves.size(); ++m) {
      const std::size_t to = position.leads_to[m];
      if (position.moves[m].keeps && to != kNotListed && to != k) edges += trap_edge(at, node_place(to, n));
    }
    const std::string x = length_text(at.x);
    const std::string y = length_text(at.y);
    absl::StrAppend(&nodes, "<g class=\"node\" data-node=\"", k, "\"><circle cx=\"", x, "\" cy=\"", y, "\" r=\"",
                    length_text(kNode), "\"/><text x=\"", x, "\" y=\"", y, "\" dy=\"0.35em\">", k + 1, "</text></g>");
  }
  return absl::StrCat("<svg class=\"trap\" viewBox=\"0 0 220 220\" role=\"img\"",
                      attribute("aria-label", absl::StrCat("The trap as a graph of ", n, " positions")), ">", edges,
                      nodes, "</svg>");
}

}  // namespace plenum
