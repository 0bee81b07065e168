// SPDX-License-Identifier: Apache-2.0
#include "tools/report/draw.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace plenum {
namespace {

// First and last code point of the ranges that take two columns; only the common ones.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 9> kWide = {{{0x1100, 0x115F},
                                                                           {0x2E80, 0xA4CF},
                                                                           {0xAC00, 0xD7A3},
                                                                           {0xF900, 0xFAFF},
                                                                           {0xFE30, 0xFE6F},
                                                                           {0xFF00, 0xFF60},
                                                                           {0xFFE0, 0xFFE6},
                                                                           {0x1F300, 0x1F9FF},
                                                                           {0x20000, 0x3FFFD}}};

// A cell's name as letters and digits, "c12" as {"c", "12"}.
std::pair<std::string, std::string> split(const std::string& name) {
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  return {name.substr(0, digits), name.substr(digits)};
}

// What `part` gives for each value of `coordinate`, if the one tells the other; nothing otherwise.
template <typename Part, typename Coordinate>
std::map<int, std::string> names_by(const Board& board, Part part, Coordinate coordinate) {
  std::map<int, std::string> out;
  for (int c = 0; c < board.size(); ++c) {
    const auto cell = static_cast<Cell>(c);
    const auto [known, fresh] = out.emplace(coordinate(cell), part(cell));
    if (!fresh && known->second != part(cell)) return {};
  }
  std::set<std::string> different;
  for (const auto& [where, name] : out) different.insert(name);
  return different.size() == out.size() ? out : std::map<int, std::string>();
}

struct Margins {
  std::map<int, std::string> rows;     // by y
  std::map<int, std::string> columns;  // by half_x
};

Margins margins_of(const Board& board) {
  const auto letters = [&](Cell c) { return split(board.cell_name(c)).first; };
  const auto digits = [&](Cell c) { return split(board.cell_name(c)).second; };
  const auto x = [&](Cell c) { return board.place(c).first; };
  const auto y = [&](Cell c) { return board.place(c).second; };
  Margins out;
  out.rows = names_by(board, digits, y);
  const bool by_digits = !out.rows.empty();
  if (!by_digits) out.rows = names_by(board, letters, y);
  out.columns = by_digits ? names_by(board, letters, x) : names_by(board, digits, x);
  return out;
}

std::size_t widest(const std::map<int, std::string>& names) {
  std::size_t out = 0;
  for (const auto& [where, name] : names) out = std::max(out, display_width(name));
  return out;
}

}  // namespace

std::vector<std::string> draw(const Board& board, const std::vector<std::string>& texts, std::size_t columns) {
  if (!board.drawable()) return {};
  Margins margins = margins_of(board);
  if (board.look() == Board::Look::hexagons || widest(margins.columns) == 0) margins.columns.clear();
  std::map<int, std::map<int, std::string>> rows;  // [y][half_x]
  for (int c = 0; c < board.size(); ++c) {
    const auto [x, y] = board.place(static_cast<Cell>(c));
    const std::string& text = texts[static_cast<std::size_t>(c)];
    rows[y][x] = text.empty() ? "." : text;
  }
  std::size_t cell = widest(margins.columns);
  for (const auto& [y, row] : rows) cell = std::max(cell, widest(row));
  const std::size_t half = (cell + 3) / 2;  // two columns or three between the cells
  const std::size_t label = widest(margins.rows);
  const std::size_t left = label == 0 ? 0 : label + 2;
  const auto line = [&](const std::string& name, const std::map<int, std::string>& row) {
    std::string out = pad_left(name, label);
    for (const auto& [x, text] : row) {
      out = pad_right(out, left + static_cast<std::size_t>(x) * half) + pad_left(text, cell);
    }
    return out;
  };
  std::vector<std::string> out;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) out.push_back(line(margins.rows[row->first], row->second));
  if (!margins.columns.empty()) out.push_back(line("", margins.columns));
  const bool fits =
      std::all_of(out.begin(), out.end(), [&](const auto& text) { return display_width(text) <= columns; });
  return fits ? out : std::vector<std::string>();
}

std::size_t display_width(std::string_view text) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    std::uint32_t point = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1FU : lead < 0xF0 ? lead & 0x0FU : lead & 0x07U;
    for (++i; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80; ++i) {
      point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    const bool wide = std::any_of(kWide.begin(), kWide.end(),
                                  [&](const auto& range) { return point >= range.first && point <= range.second; });
    const bool combining = (point >= 0x300 && point <= 0x36F) || (point >= 0x200B && point <= 0x200F);
    out += combining ? 0 : wide ? 2 : 1;
  }
  return out;
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t taken = display_width(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::string pad_left(const std::string& text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return taken < width ? std::string(width - taken, ' ') + text : text;
}

}  // namespace plenum
