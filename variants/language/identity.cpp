// SPDX-License-Identifier: Apache-2.0
#include "variants/language/identity.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>
#include <xxhash.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

std::string in_quotes(std::string_view text) { return absl::StrCat("\"", escaped(text, '"'), "\""); }
std::string in_quotes(const Span& span) { return in_quotes(span.text()); }

// A name as part of a key: in quotes if it could be taken for something else.
std::string name_text(std::string_view name) { return is_name(name) ? std::string(name) : in_quotes(name); }

// Switches and numbers as they are; a text that could be read as one of these, or as more than one word, in quotes.
std::string value_text(const OptionValue& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (text == nullptr) return to_text(value);
  return is_name(*text) && *text != "on" && *text != "off" ? *text : in_quotes(*text);
}

const char* owner_text(const std::optional<Player>& owner) {
  return !owner ? "nobody" : *owner == Player::first ? "first" : "second";
}

const char* type_text(StateDescription::Type type) {
  return type == StateDescription::Type::player ? "player" : type == StateDescription::Type::number ? "number" : "bool";
}

// Writes a description's lines. Every `const auto& [...]` names all members of its structure; those that are not used
// say why in a comment.
class Lines {
 public:
  explicit Lines(const Board* board) : board_(board) {}

  void write(const Description& d) {
    const auto& [path, name, author, source, about, on_corner, options, board_span, edges_span, board_extras, kinds,
                 state, definitions, start, moves, parts, end, pie, pieces, play, refused, tests, removed, document] =
        d;
    // path, name, author, source, about: prose. on_corner: pictures alone. board_span: the board stands below as it was read. tests say what should hold.
    // refused: settings that are no game.
    // removed is for messages. document: the text that all of this was read from.
    line("meaning", absl::StrCat(kMeaningVersion));
    if (board_ != nullptr) {
      line("set board", in_quotes(board_->name()));
      if (edges_span) write(board_extras);
    }
    in_order("kinds", kinds);
    in_order("state", state);
    std::map<std::string, ExpressionPtr> by_kind;
    for (const auto& [kind, cells] : start) by_kind.emplace(name_text(kind.text()), cells);
    for (const auto& [kind, cells] : by_kind) expression(absl::StrCat("start.", kind), cells);
    in_order("moves", moves);
    in_order("parts", parts);
    write(end);
    if (pie) write(*pie);
    in_order("pieces", pieces);
    if (!pieces.empty()) write(play);
    write(definitions);
    std::map<std::string_view, const Option*> by_name;
    for (const Option& option : options) by_name.emplace(option.name, &option);
    by_name.erase("board");  // written as it was read
    for (const auto& [key, option] : by_name) write(*option);
  }

  std::string take() && { return std::move(out_); }
  std::set<std::string, std::less<>> names() && { return std::move(names_); }

 private:
  void line(std::string_view key, std::string_view value) { out_.append(key).append("=").append(value).append("\n"); }
  void flag(const std::string& key, bool value) {
    if (value) line(key, "true");
  }
  void text(const std::string& key, const std::optional<Span>& span) {
    if (span) line(key, in_quotes(*span));
  }
  void expression(const std::string& key, const ExpressionPtr& e) {
    if (e == nullptr) return;
    add_names(*e, names_);
    line(key, to_text(*e));
  }

  // A line with the names in their order, then each by itself.
  template <typename Item>
  void in_order(const std::string& table, const std::vector<Item>& items) {
    if (items.empty()) return;
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const Item& item : items) names.push_back(name_text(name_of(item)));
    line(absl::StrCat("order of ", table), absl::StrJoin(names, " "));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string key = absl::StrCat(table, ".", names[i]);
      line(key, "{}");  // it counts even if nothing stands in it
      write(key, items[i]);
    }
  }
  static const std::string& name_of(const auto& item) { return item.name; }
  static const std::string& name_of(const PieceDescription& piece) { return piece.letter; }

  void write(const Board::Extras& extras) {
    const auto& [lines, directions, regions, places] = extras;
    text("board.lines", lines);
    for (const auto& [name, cells] : directions)
      line(absl::StrCat("board.directions.", name_text(name.text())), in_quotes(cells));
    for (const auto& [name, cells] : regions)
      line(absl::StrCat("board.regions.", name_text(name.text())), in_quotes(cells));
    for (const auto& [cell, x, y] : places)
      line(absl::StrCat("board.at.", name_text(cell.text())), absl::StrCat(x, " ", y));
  }

  void write(const std::string& key, const KindDescription& kind) {
    const auto& [name, letter, owner, span, each, family, pile] = kind;  // span: a place
    line(key + ".owner", owner_text(owner));
    line(key + ".letter", in_quotes(letter));
    if (!each.empty()) line(key + ".each", name_text(each));
    if (!family.empty()) line(absl::StrCat(key, ".pile.", family), std::to_string(pile));
  }

  void write(const std::string& key, const StateDescription& state) {
    const auto& [name, written, about, type, each, range, start, span] = state;  // about: prose; span: a place
    line(key + ".written", name_text(written));
    line(key + ".type", type_text(type));
    flag(key + ".each", each);
    for (const ExpressionPtr& bound : range) expression(key + ".range[]", bound);
    expression(key + ".start", start);
  }

  void write(const std::string& key, const MoveDescription& move) {
    const auto& [name, span, when, from, to, lift, step, slide, jump, over, distance, within, far, shape, turns, put,
                 then, legal, next, choose, optional, required,
                 any_order] = move;  // span: a place
    expression(key + ".when", when);
    expression(key + ".from", from);
    expression(key + ".to", to);
    expression(key + ".lift", lift);
    expression(key + ".step", step);
    expression(key + ".slide", slide);
    expression(key + ".jump", jump);
    expression(key + ".over", over);
    expression(key + ".distance", distance);
    flag(key + ".far", far);
    expression(key + ".within", within);
    text(key + ".shape", shape);
    text(key + ".turns", turns);
    for (const Span& kind : put) line(key + ".put[]", name_text(kind.text()));
    for (const Effect& effect : then) {
      add_names(effect, names_);
      line(key + ".then[]", to_text(effect));
    }
    expression(key + ".legal", legal);
    for (const Span& part : next) line(key + ".next", name_text(part.text()));
    for (const Span& one : choose) line(key + ".choose", name_text(one.text()));
    flag(key + ".optional", optional);
    flag(key + ".required", required);
    flag(key + ".any_order", any_order);
  }

  void write(const EndDescription& end) {
    const auto& [span, wins, loses, both, when, score, tiebreak, value, stuck] = end;  // span: a place
    expression("end.wins", wins);
    expression("end.loses", loses);
    expression("end.both", both);
    expression("end.when", when);
    expression("end.score", score);
    expression("end.tiebreak", tiebreak);
    expression("end.value", value);
    expression("end.stuck", stuck);
  }

  void write(const PieDescription& pie) {
    const auto& [when, moves] = pie;
    line("pie", "{}");
    expression("pie.when", when);
    for (const std::string& move : moves) line("pie.moves[]", name_text(move));
  }

  void write(const std::string& key, const PieceDescription& piece) {
    const auto& [letter, span, betza, royal, castles, first_step, promotes] = piece;  // span: a place
    line(key + ".betza", in_quotes(betza));
    flag(key + ".royal", royal);
    text(key + ".castles", castles);
    text(key + ".first_step", first_step);
    expression(key + ".promotes", promotes);
  }

  void write(const PlayDescription& play) {
    const auto& [span, crowd, share, most, capture, double_step, en_passant, castling, stalemate, array, material] =
        play;  // span: a place
    expression("play.crowd", crowd);
    expression("play.share", share);
    expression("play.most", most);
    expression("play.capture", capture);
    expression("play.double_step", double_step);
    expression("play.en_passant", en_passant);
    expression("play.castling", castling);
    expression("play.stalemate", stalemate);
    expression("play.array", array);
    expression("play.material", material);
  }

  // Those that are read by what was written so far.
  void write(const std::map<std::string, Definition, std::less<>>& definitions) {
    std::set<std::string, std::less<>> read;
    std::vector<std::string> next(names_.begin(), names_.end());
    while (!next.empty()) {
      const std::string name = std::move(next.back());
      next.pop_back();
      const auto found = definitions.find(name);
      if (found == definitions.end() || !read.insert(name).second) continue;
      std::set<std::string, std::less<>> inner;
      if (found->second.body != nullptr) add_names(*found->second.body, inner);
      for (const Effect& effect : found->second.effects) add_names(effect, inner);
      next.insert(next.end(), inner.begin(), inner.end());
      names_.insert(inner.begin(), inner.end());
    }
    for (const std::string& name : read) {
      const auto& [parameters, body, effects, span] = definitions.find(name)->second;  // span: a place
      for (const Effect& effect : effects) line(absl::StrCat("define.", name, "[]"), to_text(effect));
      expression(absl::StrCat("define.", name, parameters.empty() ? "" : "(", absl::StrJoin(parameters, ", "),
                              parameters.empty() ? "" : ")"),
                 body);
    }
  }

  void write(const Option& option) {
    // about, span, left_open: prose. initial, range, one_of: what else it could be.
    const auto& [name, about, span, initial, value, range, one_of, left_open] = option;
    line(absl::StrCat("set ", name), value_text(value));
  }

  const Board* board_;
  std::string out_;
  std::set<std::string, std::less<>> names_;  // that some expression reads
};

}  // namespace

GameIdentity identify(const Description& description, const Board& board) {
  Lines lines(&board);
  lines.write(description);
  GameIdentity out;
  out.text = std::move(lines).take();
  out.hash = absl::StrFormat("%016x", XXH3_64bits(out.text.data(), out.text.size()));
  return out;
}

absl::StatusOr<GameIdentity> identify(const Description& description) {
  ASSIGN_OR_RETURN(const Board board, description.board());
  return identify(description, board);
}

std::vector<Span> unread(const Description& description) {
  Lines lines(nullptr);
  lines.write(description);
  const std::set<std::string, std::less<>> read = std::move(lines).names();
  std::vector<Span> out;
  for (const Option& option : description.options) {
    if (option.name != "board" && read.count(option.name) == 0) out.push_back(option.span);
  }
  for (const auto& [name, definition] : description.definitions) {
    if (read.count(name) == 0) out.push_back(definition.span);
  }
  return out;
}

}  // namespace plenum
