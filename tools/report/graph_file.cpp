// SPDX-License-Identifier: Apache-2.0
#include "tools/report/graph_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <absl/strings/str_cat.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>

#include "tools/report/describe.h"

namespace plenum {
namespace {

struct Vertex {
  std::string label;  // its number in the listing, and the position
  std::string position;
  std::string mover;
  std::size_t losing_moves = 0;
  bool on_cycle = false;  // of the shortest cycle
};
struct Edge {
  std::string move;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

Graph graph_of(const Variant& variant, const Trap& trap) {
  Graph out(trap.positions.size());
  for (std::size_t i = 0; i < trap.positions.size(); ++i) {
    const TrapPosition& p = trap.positions[i];
    Vertex& vertex = out[i];
    vertex.position = variant.rules().write(p.position);
    vertex.label = absl::StrCat(i + 1, ": ", vertex.position);
    vertex.mover = player_word(p.position.mover);
    vertex.losing_moves = static_cast<std::size_t>(
        std::count_if(p.moves.begin(), p.moves.end(), [](const ValuedMove& m) { return !m.keeps; }));
    vertex.on_cycle = i < trap.cycle;
    for (std::size_t m = 0; m < p.moves.size(); ++m) {
      if (p.leads_to[m] != kNotListed) boost::add_edge(i, p.leads_to[m], Edge{p.moves[m].successor.text}, out);
    }
  }
  return out;
}

}  // namespace

absl::Status write_graph(const Variant& variant, const Trap& trap, GraphFormat format, const std::string& file) {
  Graph graph = graph_of(variant, trap);
  std::ofstream out(file, std::ios::binary);
  if (format == GraphFormat::dot) {
    boost::write_graphviz(out, graph, boost::make_label_writer(boost::get(&Vertex::label, graph)),
                          boost::make_label_writer(boost::get(&Edge::move, graph)));
  } else {
    boost::dynamic_properties properties;
    properties.property("position", boost::get(&Vertex::position, graph));
    properties.property("mover", boost::get(&Vertex::mover, graph));
    properties.property("losing_moves", boost::get(&Vertex::losing_moves, graph));
    properties.property("on_cycle", boost::get(&Vertex::on_cycle, graph));
    properties.property("move", boost::get(&Edge::move, graph));
    boost::write_graphml(out, graph, properties, true);
  }
  if (out.flush()) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("cannot write ", file, ": ", std::strerror(errno),
                                                   "\n  give a file in a folder that can be written to"));
}

}  // namespace plenum
