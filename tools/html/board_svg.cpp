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

std::string place(const char* x, const char* y, Point at) {
  return absl::StrCat(" ", x, "=\"", length_text(at.x), "\" ", y, "=\"", length_text(at.y), "\"");
}

}  // namespace

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

std::string BoardPictures::stone(const std::string& letter, double x, double y, double r) const {
  const Kind kind = kind_of(letter);
  std::string out = "<g class=\"stone\">";
  if (kind.square) {
    absl::StrAppend(&out, "<rect", place("x", "y", {x - 0.8 * r, y - 0.8 * r}),
                    place("width", "height", {1.6 * r, 1.6 * r}), " rx=\"", length_text(0.2 * r), "\"",
                    attribute("class", "man " + kind.tone), "/>");
  } else {
    absl::StrAppend(&out, "<circle", place("cx", "cy", {x, y}), " r=\"", length_text(r), "\"",
                    attribute("class", "man " + kind.tone), "/>");
  }
  if (!kind.glyph.empty())
    absl::StrAppend(&out, "<text", place("x", "y", {x, y}), " font-size=\"", length_text(1.25 * r), "\"",
                    attribute("class", "letter " + kind.tone), " dy=\"0.36em\">", escaped(kind.glyph), "</text>");
  return out + "</g>";
}

std::string BoardPictures::man(const std::string& letter) const { return stone(letter, 0, 0, 1); }

std::string BoardPictures::man_picture(const std::string& letter) const {
  return absl::StrCat("<svg viewBox=\"-1.1 -1.1 2.2 2.2\" class=\"man-picture\" aria-hidden=\"true\">", man(letter),
                      "</svg>");
}

// Several men share a cell in rows.
std::string BoardPictures::men_on(const std::string& letters, Point at) const {
  const std::vector<std::string> men = characters(letters);
  const double space = board_.look() == Board::Look::points ? 0.31 : 0.33;
  if (men.size() == 1) return stone(men[0], at.x, at.y, space);
  const auto n = static_cast<double>(men.size());
  const double columns = std::ceil(std::sqrt(n));
  const double rows = std::ceil(n / columns);
  const double r = 0.8 * space / std::max(columns, rows) + 0.03;
  std::string out;
  for (std::size_t k = 0; k < men.size(); ++k) {
    const double column = std::fmod(static_cast<double>(k), columns);
    const double row = std::floor(static_cast<double>(k) / columns);
    out += stone(men[k], at.x + (2 * column - columns + 1) * r * 1.08, at.y + (2 * row - rows + 1) * r * 1.08, r);
  }
  return out;
}

std::string BoardPictures::mark_on(const CellMark& mark, Cell cell, bool filled) const {
  const Point at = plan_.centre(cell);
  const double size = std::min(0.32, 0.9 / static_cast<double>(std::max<std::size_t>(1, mark.text.size())));
  return absl::StrCat(polygon(cell, absl::StrCat("worth ", mark.kind)), "<text",
                      place("x", "y", {at.x, filled ? at.y + 0.42 : at.y}), " font-size=\"", length_text(size),
                      "\" dy=\"0.36em\" class=\"value\">", escaped(mark.text), "</text>");
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

std::string BoardPictures::parts() const {
  return absl::StrCat(
      "<svg class=\"parts\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"ground\" class=\"",
      board_.look() == Board::Look::points ? "points" : "", "\">", ground(),
      "</g><marker id=\"arrowhead\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"3.2\" "
      "markerHeight=\"3.2\" orient=\"auto-start-reverse\"><path d=\"M0 0 L10 5 L0 10 z\" "
      "class=\"head\"/></marker></defs></svg>");
}

std::string BoardPictures::svg(const BoardDrawing& drawing) const {
  std::string out = absl::StrCat("<svg class=\"board\" role=\"img\"", attribute("aria-label", drawing.label),
                                 attribute("viewBox", view_box()), "><use href=\"#ground\"/>");
  const auto filled = [&](std::size_t c) { return c < drawing.men.size() && !drawing.men[c].empty(); };
  for (std::size_t c = 0; c < drawing.marks.size(); ++c) {
    if (!drawing.marks[c].text.empty()) out += mark_on(drawing.marks[c], static_cast<Cell>(c), filled(c));
  }
  for (std::size_t c = 0; c < drawing.men.size(); ++c) {
    if (filled(c)) out += men_on(drawing.men[c], plan_.centre(static_cast<Cell>(c)));
  }
  for (const MoveStep& step : drawing.steps) {
    for (const Cell to : step.to) out += arrow(step.from, to);
  }
  return out + "</svg>";
}

}  // namespace plenum
