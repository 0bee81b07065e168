// SPDX-License-Identifier: Apache-2.0
#include "tools/html/board_svg.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "tools/html/markup.h"
#include "variants/text/printable.h"

namespace plenum {
namespace {

constexpr double kMargin = 0.12;

// What a kind is drawn in: as it is called, where that is a colour; the men of chess white and black; else by its owner.
std::string tone_of(const KindDescription& kind, bool pieces) {
  constexpr std::array kColours = {"white", "black", "red", "green", "blue", "yellow"};
  if (std::find(kColours.begin(), kColours.end(), kind.name) != kColours.end()) return kind.name;
  if (!kind.owner) return "nobody";
  const bool first = *kind.owner == Player::first;
  if (pieces) return first ? "white" : "black";
  return first ? "first" : "second";
}

std::string piece_glyph(const std::string& letter) {
  static const std::map<std::string, std::string> kGlyphs = {{"K", "♚"}, {"Q", "♛"}, {"R", "♜"},
                                                             {"B", "♝"}, {"N", "♞"}, {"P", "♟"}};
  const std::string capital = absl::AsciiStrToUpper(letter);
  const auto found = kGlyphs.find(capital);
  return found == kGlyphs.end() ? capital : found->second;
}

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = character_end(text, at);
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string among_words(const std::string& man) {
  return absl::StrCat("<svg viewBox=\"-1.1 -1.1 2.2 2.2\" class=\"man-picture\" aria-hidden=\"true\">", man, "</svg>");
}

std::string place(const char* x, const char* y, Point at) {
  return absl::StrCat(" ", x, "=\"", length_text(at.x), "\" ", y, "=\"", length_text(at.y), "\"");
}

// In order of worths(): a disc, a diamond, a square, a triangle that points down.
std::string sign_shape(const std::string& worth, Point at, double r) {
  const auto corners = [&](const std::vector<Point>& round) {
    std::string points;
    for (const Point& p : round)
      absl::StrAppend(&points, points.empty() ? "" : " ", length_text(at.x + p.x * r), ",",
                      length_text(at.y + p.y * r));
    return absl::StrCat("<polygon points=\"", points, "\" class=\"sign\"/>");
  };
  if (worth == "wins")
    return absl::StrCat("<circle", place("cx", "cy", at), " r=\"", length_text(r), "\" class=\"sign\"/>");
  if (worth == "cycle") return corners({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
  if (worth == "tie") return corners({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  return corners({{0, 1.05}, {1.2, -0.95}, {-1.2, -0.95}});
}

}  // namespace

const std::vector<std::string>& worths() {
  static const std::vector<std::string> all = {"wins", "cycle", "tie", "loses"};
  return all;
}

BoardPictures::BoardPictures(const Variant& variant)
    : variant_(variant), board_(variant.board()), plan_(board_, variant.description().on_corner) {
  const std::vector<KindDescription>& kinds = variant.rule_set().kinds;
  const bool pieces = variant.rules().pieces() != nullptr;
  for (const KindDescription& kind : kinds) {
    const auto same = std::count_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.owner == kind.owner; });
    const bool alone = same == 1 && kind.owner;
    kinds_[kind.letter] = {tone_of(kind, pieces),
                           alone    ? std::string()
                           : pieces ? piece_glyph(kind.letter)
                                    : kind.letter,
                           !kind.owner};
  }
}

BoardPictures::Kind BoardPictures::kind_of(const std::string& letter) const {
  const auto found = kinds_.find(letter);
  return found == kinds_.end() ? Kind{"nobody", letter, true} : found->second;
}

std::string BoardPictures::polygon(Cell cell, const std::string& classes) const {
  std::string points;
  for (const Point& p : plan_.outline(cell))
    absl::StrAppend(&points, points.empty() ? "" : " ", length_text(p.x), ",", length_text(p.y));
  return absl::StrCat("<polygon points=\"", points, "\"", attribute("class", classes), "/>");
}

std::string BoardPictures::ground() const {
  std::string out;
  if (board_.look() == Board::Look::points) {
    for (int c = 0; c < board_.size(); ++c) {
      for (CellSet rest = board_.adjacent()[static_cast<std::size_t>(c)]; rest != 0; rest &= rest - 1) {
        const int other = std::countr_zero(rest);
        if (other < c) continue;
        absl::StrAppend(&out, "<line", place("x1", "y1", plan_.centre(static_cast<Cell>(c))),
                        place("x2", "y2", plan_.centre(static_cast<Cell>(other))), " class=\"join\"/>");
      }
    }
  }
  const bool pieces = variant_.rules().pieces() != nullptr;
  const double name_above = board_.look() == Board::Look::points ? 0.24 : plan_.turned() ? 0.42 : 0.36;
  for (int c = 0; c < board_.size(); ++c) {
    const auto cell = static_cast<Cell>(c);
    const auto [half_x, row] = board_.place(cell);
    const bool dark = pieces && (half_x / 2 + row) % 2 == 0;
    const Point at = plan_.centre(cell);
    const std::string name = board_.cell_name(cell);
    absl::StrAppend(&out, "<g", attribute("data-cell", name), ">", polygon(cell, dark ? "cell dark" : "cell"), "<text",
                    place("x", "y", {at.x, at.y - name_above}), " class=\"name\" aria-hidden=\"true\">", escaped(name),
                    "</text></g>");
  }
  return out;
}

std::string BoardPictures::view_box() const {
  double left = 1e9;
  double top = 1e9;
  double right = -1e9;
  double bottom = -1e9;
  for (int c = 0; c < board_.size(); ++c) {
    for (const Point& p : plan_.outline(static_cast<Cell>(c))) {
      left = std::min(left, p.x);
      right = std::max(right, p.x);
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
  }
  return absl::StrCat(length_text(left - kMargin), " ", length_text(top - kMargin), " ",
                      length_text(right - left + 2 * kMargin), " ", length_text(bottom - top + 2 * kMargin));
}

std::string BoardPictures::stone(const Kind& kind, Point at, double r) {
  std::string out = "<g class=\"stone\">";
  if (kind.square) {
    absl::StrAppend(&out, "<rect", place("x", "y", {at.x - 0.8 * r, at.y - 0.8 * r}),
                    place("width", "height", {1.6 * r, 1.6 * r}), " rx=\"", length_text(0.2 * r), "\"",
                    attribute("class", "man " + kind.tone), "/>");
  } else {
    absl::StrAppend(&out, "<circle", place("cx", "cy", at), " r=\"", length_text(r), "\"",
                    attribute("class", "man " + kind.tone), "/>");
  }
  if (!kind.glyph.empty())
    absl::StrAppend(&out, "<text", place("x", "y", at), " font-size=\"", length_text(1.25 * r), "\"",
                    attribute("class", "letter " + kind.tone), " dy=\"0.36em\">", escaped(kind.glyph), "</text>");
  return out + "</g>";
}

std::string BoardPictures::man_picture(const std::string& letter) const {
  return among_words(stone(kind_of(letter), {}, 1));
}

std::string BoardPictures::player_picture(Player player) const {
  for (const KindDescription& kind : variant_.rule_set().kinds) {
    if (kind.owner == player) return among_words(stone({kind_of(kind.letter).tone, "", false}, {}, 1));
  }
  return "";
}

// Several men share a cell in rows.
std::string BoardPictures::men_on(const std::string& letters, Point at) const {
  const std::vector<std::string> men = characters(letters);
  const double space = board_.look() == Board::Look::points ? 0.31 : 0.33;
  if (men.size() == 1) return stone(kind_of(men[0]), at, space);
  const auto n = static_cast<double>(men.size());
  const double columns = std::ceil(std::sqrt(n));
  const double rows = std::ceil(n / columns);
  const double r = 0.8 * space / std::max(columns, rows) + 0.03;
  std::string out;
  for (std::size_t k = 0; k < men.size(); ++k) {
    const double column = std::fmod(static_cast<double>(k), columns);
    const double row = std::floor(static_cast<double>(k) / columns);
    const Point there = {at.x + (2 * column - columns + 1) * r * 1.08, at.y + (2 * row - rows + 1) * r * 1.08};
    out += stone(kind_of(men[k]), there, r);
  }
  return out;
}

// Where something stands, in a corner and without words.
std::string BoardPictures::mark(const CellMark& mark, bool filled) {
  const bool known = std::find(worths().begin(), worths().end(), mark.worth) != worths().end();
  const Point at = filled ? Point{0.24, -0.24} : Point{0, -0.05};
  const double r = filled ? 0.15 : 0.25;
  const std::string letter = known ? absl::AsciiStrToUpper(mark.worth.substr(0, 1)) : "?";
  std::string out = known ? sign_shape(mark.worth, at, r) : "";
  absl::StrAppend(&out, "<text", place("x", "y", at), " font-size=\"", length_text(1.25 * r),
                  "\" dy=\"0.36em\" class=\"sign-letter\">", letter, "</text>");
  if (!filled)
    absl::StrAppend(&out, "<text x=\"0\" y=\"0.33\" font-size=\"0.17\" dy=\"0.2em\" class=\"value\">",
                    escaped(mark.text), "</text>");
  return absl::StrCat("<g", attribute("class", "mark " + mark.worth), ">", out, "</g>");
}

std::string BoardPictures::arrow_number() {
  return "<text x=\"0.33\" y=\"-0.26\" font-size=\"0.22\" class=\"arrow-text\"></text>";
}

std::string BoardPictures::arrow(Cell from, Cell to) const {
  const Point end = plan_.centre(to);
  if (from == kNoCell) return absl::StrCat("<circle", place("cx", "cy", end), " r=\"0.4\" class=\"arrow ring\"/>");
  const Point start = plan_.centre(from);
  const double length = std::max(1e-6, std::hypot(end.x - start.x, end.y - start.y));
  const double cut = 0.16 / length;
  const auto between = [&](double t) {
    return Point{start.x + t * (end.x - start.x), start.y + t * (end.y - start.y)};
  };
  return absl::StrCat("<line", place("x1", "y1", between(cut)), place("x2", "y2", between(1 - cut)),
                      " class=\"arrow\" marker-end=\"url(#arrowhead)\"/>");
}

std::string BoardPictures::look() const { return board_.look() == Board::Look::points ? "points" : ""; }

std::string BoardPictures::arrows(const std::vector<MoveStep>& steps) const {
  std::string out;
  for (const MoveStep& step : steps) {
    for (const Cell to : step.to) out += arrow(step.from, to);
  }
  return out;
}

std::string BoardPictures::board() const {
  return absl::StrCat("<svg", attribute("class", "board " + look()), attribute("viewBox", view_box()), "><g>", ground(),
                      "</g><g class=\"men\" aria-hidden=\"true\"></g><g class=\"marks\" aria-hidden=\"true\"></g>"
                      "<g class=\"arrows\" aria-hidden=\"true\"></g></svg>");
}

std::string BoardPictures::parts() const {
  return absl::StrCat(
      "<svg class=\"parts\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"ground\" class=\"", look(),
      "\">", ground(), "</g></defs></svg>", arrow_heads());
}

std::string BoardPictures::arrow_heads() {
  return "<svg class=\"parts\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
         "<marker id=\"arrowhead\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"3.2\" "
         "markerHeight=\"3.2\" "
         "orient=\"auto-start-reverse\"><path d=\"M0 0 L10 5 L0 10 z\" class=\"head\"/></marker>"
         "<marker id=\"edgehead\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"6\" markerHeight=\"6\" "
         "orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" class=\"edge-head\"/></marker></defs></svg>";
}

std::string BoardPictures::svg(const BoardDrawing& drawing) const {
  std::string out = absl::StrCat("<svg class=\"board\" role=\"img\"", attribute("aria-label", drawing.label),
                                 attribute("viewBox", view_box()), "><use href=\"#ground\"/>");
  const auto filled = [&](std::size_t c) { return c < drawing.men.size() && !drawing.men[c].empty(); };
  for (std::size_t c = 0; c < drawing.men.size(); ++c) {
    if (filled(c)) out += men_on(drawing.men[c], plan_.centre(static_cast<Cell>(c)));
  }
  for (std::size_t c = 0; c < drawing.marks.size(); ++c) {
    if (drawing.marks[c].worth.empty()) continue;
    const Point at = plan_.centre(static_cast<Cell>(c));
    absl::StrAppend(&out, "<g transform=\"translate(", length_text(at.x), " ", length_text(at.y), ")\">",
                    mark(drawing.marks[c], filled(c)), "</g>");
  }
  return out + arrows(drawing.steps) + "</svg>";
}

}  // namespace plenum
