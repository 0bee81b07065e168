// SPDX-License-Identifier: Apache-2.0
#include "tools/report/graph_file.h"

#include <algorithm>
#include <optional>

#include <absl/container/flat_hash_map.h>
#include <absl/strings/str_cat.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>

#include "tools/report/describe.h"
#include "tools/report/file_output.h"
#include "tools/report/page_text.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

template <typename Vertex, typename Edge>
using DirectedGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

struct TrapVertex {
  std::string label;  // its number in the listing, and the position
  std::string position;
  std::string mover;
  std::size_t losing_moves = 0;
  bool on_cycle = false;  // of the shortest cycle
};
struct TrapEdge {
  std::string move;
};

struct StoredVertex {
  std::string label;  // the position, and its value in words
  std::string position;
  std::string mover;
  std::string outcome;
  double margin = 0;
  int plies = -1;  // not known, or no end
  int stones = 0;
  std::size_t images = 1;
  bool ended = false;
};
struct StoredEdge {
  std::string move;
  std::string style;  // of the arrow
  bool keeps = false;
};

// Graph formats write the properties; DOT a label of vertices and edges, and more for its drawing, besides.
template <typename Vertex, typename Edge>
absl::Status write_as(GraphFormat format, const DirectedGraph<Vertex, Edge>& graph,
                      boost::dynamic_properties properties, const boost::dynamic_properties& drawn,
                      const std::string& file) {
  ASSIGN_OR_RETURN(const std::unique_ptr<FileOutput> out, FileOutput::create(file));
  if (format == GraphFormat::dot) {
    for (const auto& [name, map] : drawn) properties.insert(name, map);
    properties.property("node_id", boost::get(boost::vertex_index, graph));
    boost::write_graphviz_dp(out->stream(), graph, properties);
  } else {
    boost::write_graphml(out->stream(), graph, properties, true);
  }
  return out->commit();
}

// Finds positions by how they are written, and images by that which stands for them.
class Numbers {
 public:
  Numbers(const Result& game, Result::Fold fold) : rules_(game.variant().rules()) {
    if (fold == Result::Fold::images) folds_ = game.folds();
  }
  void add(const Position& position) { numbers_.emplace(rules_.write(position), numbers_.size()); }
  std::optional<std::size_t> find(const Position& position) const {
    if (const auto found = numbers_.find(rules_.write(position)); found != numbers_.end()) return found->second;
    for (const std::vector<Cell>& permutation : folds_) {
      const auto found = numbers_.find(rules_.write(image(position, permutation)));
      if (found != numbers_.end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  static Position image(const Position& position, const std::vector<Cell>& permutation) {
    Position out = position;
    for (CellSet& plane : out.planes) {
      CellSet moved = 0;
      for (std::size_t cell = 0; cell < permutation.size(); ++cell) {
        if ((plane >> cell & 1U) != 0) moved |= CellSet{1} << permutation[cell];
      }
      plane = moved;
    }
    return out;
  }

  const Rules& rules_;
  std::vector<std::vector<Cell>> folds_;
  absl::flat_hash_map<std::string, std::size_t> numbers_;
};

absl::Status too_large(std::size_t most, const std::string& what) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "there are more than ", pages::number(most), " ", what,
      ", the most that a graph in a file may have\n  take a smaller board, or rows: a file that ends in .jsonl, "
      ".csv or .parquet"));
}

}  // namespace

absl::Status write_graph(const Variant& variant, const Trap& trap, GraphFormat format, const std::string& file) {
  DirectedGraph<TrapVertex, TrapEdge> graph(trap.positions.size());
  for (std::size_t i = 0; i < trap.positions.size(); ++i) {
    const TrapPosition& p = trap.positions[i];
    TrapVertex& vertex = graph[i];
    vertex.position = variant.rules().write(p.position);
    vertex.label = absl::StrCat(i + 1, ": ", vertex.position);
    vertex.mover = player_word(p.position.mover);
    vertex.losing_moves = static_cast<std::size_t>(
        std::count_if(p.moves.begin(), p.moves.end(), [](const ValuedMove& m) { return !m.keeps; }));
    vertex.on_cycle = i < trap.cycle;
    for (std::size_t m = 0; m < p.moves.size(); ++m) {
      if (p.leads_to[m] != kNotListed) boost::add_edge(i, p.leads_to[m], TrapEdge{p.moves[m].successor.text}, graph);
    }
  }
  boost::dynamic_properties properties;
  properties.property("position", boost::get(&TrapVertex::position, graph));
  properties.property("mover", boost::get(&TrapVertex::mover, graph));
  properties.property("losing_moves", boost::get(&TrapVertex::losing_moves, graph));
  properties.property("on_cycle", boost::get(&TrapVertex::on_cycle, graph));
  properties.property("move", boost::get(&TrapEdge::move, graph));
  boost::dynamic_properties drawn;
  drawn.property("label", boost::get(&TrapVertex::label, graph));
  drawn.property("label", boost::get(&TrapEdge::move, graph));
  return write_as(format, graph, properties, drawn, file);
}

absl::StatusOr<StoredGraph> stored_graph(const Result& game, Result::Fold fold,
                                         const std::function<bool(std::uint64_t)>& go_on) {
  StoredGraph out;
  Numbers numbers(game, fold);
  if (game.parts() == 0) {
    RETURN_IF_ERROR(game.each(0, fold, {}));
  }
  for (std::size_t part = 0; part < game.parts(); ++part) {
    RETURN_IF_ERROR(game.each(part, fold, [&](std::span<const Result::Visit> seen) {
      if (!go_on(out.positions.size())) return absl::CancelledError("interrupted");
      if (out.positions.size() + seen.size() > StoredGraph::kMostPositions)
        return too_large(StoredGraph::kMostPositions, "positions");
      for (const Result::Visit& one : seen) {
        out.positions.push_back(one);
        numbers.add(one.position);
      }
      return absl::OkStatus();
    }));
  }
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    if (!go_on(i)) return absl::CancelledError("interrupted");
    if (out.positions[i].value.ended) continue;
    ASSIGN_OR_RETURN(const std::vector<ValuedMove> moves, game.moves(out.positions[i].position));
    if (out.moves.size() + moves.size() > StoredGraph::kMostMoves) return too_large(StoredGraph::kMostMoves, "moves");
    for (const auto& [successor, after, keeps] : moves) {
      const std::optional<std::size_t> to = numbers.find(successor.position);
      if (to) out.moves.push_back({i, *to, successor.text, keeps});
      out.outside += to ? 0 : 1;
    }
  }
  return out;
}

absl::Status write_graph(const Variant& variant, const StoredGraph& graph, GraphFormat format,
                         const std::string& file) {
  DirectedGraph<StoredVertex, StoredEdge> written(graph.positions.size());
  for (std::size_t i = 0; i < graph.positions.size(); ++i) {
    const auto& [position, value, images] = graph.positions[i];
    StoredVertex& vertex = written[i];
    vertex.position = variant.rules().write(position);
    vertex.label = absl::StrCat(vertex.position, "\\n", value_words(variant, value));
    vertex.mover = player_word(position.mover);
    vertex.outcome = std::string(outcome_name(value.outcome));
    vertex.margin = static_cast<double>(value.margin.margin.units) / static_cast<double>(variant.rules().denominator());
    vertex.plies = value.plies ? static_cast<int>(value.plies->count) : -1;
    vertex.stones = variant.rules().stones(position);
    vertex.images = images;
    vertex.ended = value.ended;
  }
  for (const StoredGraph::Move& move : graph.moves)
    boost::add_edge(move.from, move.to, StoredEdge{move.text, move.keeps ? "solid" : "dotted", move.keeps}, written);
  boost::dynamic_properties properties;
  properties.property("position", boost::get(&StoredVertex::position, written));
  properties.property("mover", boost::get(&StoredVertex::mover, written));
  properties.property("outcome", boost::get(&StoredVertex::outcome, written));
  properties.property("margin", boost::get(&StoredVertex::margin, written));
  properties.property("plies", boost::get(&StoredVertex::plies, written));
  properties.property("stones", boost::get(&StoredVertex::stones, written));
  properties.property("images", boost::get(&StoredVertex::images, written));
  properties.property("ended", boost::get(&StoredVertex::ended, written));
  properties.property("move", boost::get(&StoredEdge::move, written));
  properties.property("keeps", boost::get(&StoredEdge::keeps, written));
  boost::dynamic_properties drawn;
  drawn.property("label", boost::get(&StoredVertex::label, written));
  drawn.property("label", boost::get(&StoredEdge::move, written));
  drawn.property("style", boost::get(&StoredEdge::style, written));
  return write_as(format, written, properties, drawn, file);
}

}  // namespace plenum
