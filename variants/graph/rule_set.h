// SPDX-License-Identifier: Apache-2.0
// A variant on a board with its options folded in: every rule a root in one RuleGraph.
//
// GameShape is what a position consists of: planes (mine, theirs, nobody's, each in the order of [kinds]), state slots that some rule
// reads, passes if some rule reads them. RuleSet adds the rules. How pieces go is not there: PieceSet (pieces/piece_set.h) has it.
// Thread-safety: immutable after elaborate().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/board/board.h"
#include "variants/graph/rule_graph.h"
#include "variants/language/description.h"

namespace plenum {

// Planes are numbered own kinds 0..k-1, the opponent's k..2k-1, nobody's 2k...
struct PlaneLayout {
  int own = 1;  // k: the most kinds that one player owns
  int neutral = 0;
  int hidden = 0;  // of these the last ones, which no expression reads
  int count() const { return 2 * own + neutral; }
  // The plane seen from the other player.
  int swapped(int plane) const { return plane < own ? plane + own : plane < 2 * own ? plane - own : plane; }
};

struct StateSlot {
  std::string name;
  std::string written;  // its name in written positions
  StateDescription::Type type = StateDescription::Type::player;
  bool each = false;
  int partner = -1;        // of a number kept for each player: the other player's slot
  Interval range;          // of numbers
  std::int64_t start = 0;  // as stored; a player as 0 nobody, 1 first, 2 second
  bool live = false;       // some rule reads it: part of the position
};

// A plane that may depend on who is to move: "black" is mine for one player and theirs for the other.
struct PlaneChoice {
  int if_first = 0;
  int if_second = 0;
  friend auto operator<=>(const PlaneChoice&, const PlaneChoice&) = default;
};

inline constexpr std::size_t kMaxParts = 64;  // of one turn, where a part may follow itself

// What an effect may do to a cell, by structure alone: one that holds any of `from` (cell_contents.h) comes to hold `to`.
struct Transition {
  std::uint32_t from = 0;
  PlaneChoice to;        // -1: nothing
  bool surely = false;   // it does so to a cell at least
  bool carried = false;  // what it holds then has been on another cell: no stone is more than before
};

// A move, or a further part of one.
struct MoveRule {
  enum class Kind { place, move, remove, choice, pass };
  std::string name;
  Kind kind = Kind::pass;
  NodeId when = -1;  // truth
  NodeId from = -1;  // cells, `when` included
  NodeId to = -1;    // cells, `when` included
  bool to_reads_origin = false;
  std::vector<NodeId> reach;                     // [d - 1]: cells whose piece may go at least d; for `within`
  bool limited = false;                          // `within`, `step` or `slide` given
  std::array<RelationId, 2> step = {-1, -1};     // where first is to move, where second is
  std::array<std::vector<RelationId>, 2> slide;  // likewise; straight directions, over empty cells
  std::vector<PlaneChoice> put;                  // for a placement
  std::vector<CellSet> placements;               // of a shape; all of its cells in `to`
  NodeId lift = -1;                              // cells emptied first
  bool choice = false;                           // written with the kind's letter
  bool has_effect = false;
  std::vector<NodeId> planes_after;  // by plane, from the planes after the bare move
  std::vector<NodeId> state_after;   // by slot
  NodeId invalid = -1;               // truth: a number left its range
  NodeId legal = -1;                 // truth, after the effects
  std::uint32_t jumped = 0;          // of a jump: what the cell jumped over may hold
  bool far_jump = false;             // over any number of cells, none perhaps
  std::vector<Transition> transitions;
  std::vector<int> next;   // the parts of which one follows, of RuleSet::parts
  std::string chosen;      // what this one stands for, of a move with a choice of words or numbers
  bool optional = false;   // of a part: it may be left out
  bool required = false;   // of a part: where it applies and cannot be made, the move is illegal
  bool any_order = false;  // of a part: of ways to get to it that come to the same, one is kept
  bool repeats = false;    // of a part: it may follow itself, others perhaps between

  bool shaped = false;  // a shape is placed; it may fit nowhere

  // Whether it is made on the board; a pass and a choice alone are not.
  bool on_cells() const { return kind != Kind::choice && kind != Kind::pass; }
};

// Whether the order in which an effect's cells change matters.
struct OrderNote {
  Span effect;
  bool proven = false;  // that it does not
  std::string reason;
};

enum class Stuck { unstated, loses, wins, ties, scores, pass };

struct GameShape {
  explicit GameShape(Board b) : board(std::move(b)) {}

  Board board;
  PlaneLayout layout;
  std::vector<KindDescription> kinds;
  std::vector<int> kind_plane;  // by kind: its plane when its owner (or anybody) is the mover
  std::vector<StateSlot> slots;
  bool passes_live = false;
  int passes_cap = 0;  // passes are counted up to here

  // The plane of a kind, by who is to move.
  PlaneChoice plane_of(std::size_t kind) const {
    const int own = kind_plane[kind];
    if (!kinds[kind].owner) return {own, own};
    const int theirs = layout.swapped(own);
    return *kinds[kind].owner == Player::first ? PlaneChoice{own, theirs} : PlaneChoice{theirs, own};
  }
};

struct RuleSet : GameShape {
  explicit RuleSet(Board b) : GameShape(std::move(b)), graph(board.size()) {}

  RuleGraph graph;
  bool passes_end = false;      // passes_cap of them in a row end the game, whatever else
  std::vector<MoveRule> moves;  // none of a piece game
  std::vector<MoveRule> parts;
  std::vector<OrderNote> orders;           // of `spread` and `repeat`
  std::vector<CellSet> start;              // by kind
  Player begins = Player::first;           // who is to move there
  std::vector<std::string> dropped_moves;  // switched off by options

  NodeId ended = -1;   // truth
  NodeId margin = -1;  // number: the mover's score minus the opponent's
  std::int64_t denominator = 1;
  NodeId tiebreak = -1;  // number, or -1: its sign decides when the margin is 0
  bool outcome_only = false;
  Stuck stuck = Stuck::unstated;
  bool always_a_move = false;  // proven
  bool pie = false;
  std::vector<std::string> pie_moves;
  NodeId goal = -1;  // truth, or -1: what is asked of positions besides the rules (goal.h)

  std::vector<Interval> number_bounds() const;  // of the number inputs
};

// How cells change where an effect goes on by itself: all that can at once, or one after the other, the first in `order`.
struct ChangeOrder {
  std::vector<CellSet> order;  // cells, one a set; empty: all at once, as the language has it
};

// Checks all types and folds the options in, of a game without pieces. Errors point into the description, or into the `goal`: a truth
// expression, read as `when` of a move is.
absl::StatusOr<RuleSet> elaborate(const Description& description, const Board& board, const ChangeOrder& order = {},
                                  const std::optional<Span>& goal = std::nullopt);

}  // namespace plenum
