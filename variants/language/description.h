// SPDX-License-Identifier: Apache-2.0
// A variant as its author wrote it: options, kinds, state, definitions, moves, ends, tests. Not yet checked
// for types (elaborator.h does that), but every key is known and has the right shape.
//
//     auto loaded = load_description("my-game", data_folder);      // a file, or a name in <data_folder>/variants
//     auto status = loaded->set_option(Span::whole("--set", "threat=3"));
//
// `extends` is resolved while loading: the file it names is read first and the tweak laid over it.
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "variants/board/board.h"
#include "variants/language/expression.h"
#include "variants/language/margin.h"
#include "variants/text/diagnostic.h"
#include "variants/text/document.h"

namespace plenum {

// A bool for options written "on" and "off".
using OptionValue = std::variant<bool, std::int64_t, std::string>;
std::string to_text(const OptionValue& value);

struct Option {
  std::string name;
  std::string about;
  Span span;
  OptionValue initial;  // the description's default
  OptionValue value;    // in force
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  std::vector<std::string> one_of;
  bool left_open = false;  // the game's author left this reading open

  // "on, off", "1..6", "any, no_drop"; empty if anything goes.
  std::string choices() const;
  // All it takes, as written; none if anything goes.
  std::vector<std::string> values() const;
};

struct KindDescription {
  std::string name;
  std::string letter;           // one character
  std::optional<Player> owner;  // nobody's if absent
  Span span;
  std::string each = {};    // what both players' kinds are called together, where each player has one
  std::string family = {};  // of piles: what piles of any height are called, the owner aside
  int pile = 1;             // how many lie there
};

struct StateDescription {
  enum class Type { player, number, boolean };
  std::string name;
  std::string written;  // its name in written positions
  std::string about;
  Type type = Type::player;
  bool each = false;                 // a number for each player
  std::vector<ExpressionPtr> range;  // of a number: least and greatest
  ExpressionPtr start;               // or none: nobody, the least number, false
  Span span;
};

struct Definition {
  std::vector<std::string> parameters;
  ExpressionPtr body;           // or none:
  std::vector<Effect> effects;  // of a definition of what follows a move
  Span span;
};

// A move, or a further part of one.
struct MoveDescription {
  std::string name;
  Span span;
  ExpressionPtr when;
  ExpressionPtr from;
  ExpressionPtr to;
  ExpressionPtr lift;
  ExpressionPtr step;
  ExpressionPtr slide;
  ExpressionPtr jump;
  ExpressionPtr over;
  ExpressionPtr distance;
  ExpressionPtr within;
  bool far = false;  // of a slide: to the end
  std::optional<Span> shape;
  std::optional<Span> turns;
  std::vector<Span> put;  // kinds; empty: the mover's own
  std::vector<Effect> then;
  ExpressionPtr legal;
  std::vector<Span> next;    // the parts of which one follows
  std::vector<Span> choose;  // words or numbers, one of which is chosen with the move
  bool optional = false;     // of a part, as the next two: it may be left out
  bool required = false;     // it must be made where it applies
  bool any_order = false;    // orders of parts that come to the same are one way
};

struct EndDescription {
  Span span;
  ExpressionPtr wins;
  ExpressionPtr loses;
  ExpressionPtr both;  // 'mover_wins', 'mover_loses', 'tie'
  ExpressionPtr when;
  ExpressionPtr score;
  ExpressionPtr tiebreak;
  ExpressionPtr value;  // 'margin' or 'outcome'
  ExpressionPtr stuck;  // 'loses', 'wins', 'ties', 'scores', 'pass'
};

struct PieDescription {
  ExpressionPtr when;
  std::vector<std::string> moves;
};

// A kind of piece, the same for both players; [pieces] lists them.
struct PieceDescription {
  std::string letter;  // a capital
  Span span;
  Span betza;
  bool royal = false;
  std::optional<Span> castles;     // letters: with these pieces
  std::optional<Span> first_step;  // in Betza's notation: what it may do besides from where such pieces begin
  ExpressionPtr promotes;          // letters: what it becomes on its last rank; none: it stays what it is
};

// How pieces play together, and what they begin with.
struct PlayDescription {
  Span span;
  ExpressionPtr crowd;        // 'off', 'safety' or 'open'
  ExpressionPtr share;        // of an open crowd: 'any', 'same' or 'mixed'
  ExpressionPtr most;         // a number: men on a cell; 0: no limit
  ExpressionPtr capture;      // 'none', 'all' or 'one'
  ExpressionPtr double_step;  // truth
  ExpressionPtr en_passant;   // truth
  ExpressionPtr castling;     // truth
  ExpressionPtr stalemate;    // 'draw' or 'loss'
  ExpressionPtr array;        // the position to begin with
  ExpressionPtr material;     // an ending, as in KRvK; '': the array
};

// Settings that contradict each other.
struct RefusedDescription {
  std::string name;
  Span span;
  ExpressionPtr when;  // truth, of options and the board
  std::string why;
};

struct TestDescription {
  Span span;
  std::optional<Span> board;
  std::vector<Span> settings;  // "name=value"
  std::optional<Span> position;
  std::optional<Span> play;
  std::optional<Span> after;
  std::optional<Span> legal;
  std::optional<Span> illegal;
  std::optional<Span> value;
};

struct Description {
  std::string path;
  std::string name;
  std::string author;
  std::string source;
  std::string about;
  bool on_corner = false;       // how pictures of the board stand: on its first corner
  std::vector<Option> options;  // "board" among them
  std::optional<Span> board_span;
  std::optional<Span> edges_span;  // of [board] edges, while that is the board in force
  Board::Extras board_extras;      // the rest of [board]
  std::vector<KindDescription> kinds;
  std::vector<StateDescription> state;
  std::map<std::string, Definition, std::less<>> definitions;
  std::vector<std::pair<Span, ExpressionPtr>> start;  // kind's name, cells
  std::vector<MoveDescription> moves;
  std::vector<MoveDescription> parts;
  EndDescription end;
  std::optional<PieDescription> pie;
  std::vector<PieceDescription> pieces;  // of a piece game, which has no kinds, state, moves or end
  PlayDescription play;
  std::vector<RefusedDescription> refused;
  std::vector<TestDescription> tests;
  std::vector<std::pair<std::string, Span>> removed;  // names that a tweak took away, and where
  std::string document;  // all but tests, what is extended included, as a text that parse_description takes

  const Option* find_option(std::string_view wanted) const;
  // Sets an option from "name=value"; says what it takes if it does not fit.
  absl::Status set_option(const Span& assignment);
  // Counts who wins, and not by how much, whatever the description says: the document then says so too.
  absl::Status count_outcome_alone();
  // Takes another board than the description's.
  void use_board(Span text);
  // The board in force, as a text to parse.
  Span board_text() const;
  absl::StatusOr<Board> board() const;
};

absl::StatusOr<Description> load_description(const std::string& name_or_path, const std::string& data_folder);
// The same from a text; `extends` is looked up in `beside` if that is given, and in `data_folder`.
absl::StatusOr<Description> parse_description(SourceText text, const std::string& data_folder,
                                              const std::string& beside = "");
// The names in <data_folder>/variants.
std::vector<std::string> variant_names(const std::string& data_folder);

}  // namespace plenum
