// SPDX-License-Identifier: Apache-2.0
#include "variants/language/betza_diagram.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

namespace plenum {
namespace {

constexpr int kLeastRadius = 2;
constexpr int kMostRadius = 5;

// Ways to get to a square: a bit for each path, and four more for the same at the beginning only.
using Ways = std::uint8_t;
constexpr unsigned kInitial = 4;
constexpr Ways bit(BetzaAtom::Path path, bool initial) {
  return static_cast<Ways>(1U << (static_cast<unsigned>(path) + (initial ? kInitial : 0)));
}
constexpr Ways kFree = bit(BetzaAtom::Path::free, false);
constexpr Ways kFreeInitial = bit(BetzaAtom::Path::free, true);
// Nothing between or something: always. One square's lame and over steps ask about the same squares.
constexpr unsigned kEither = bit(BetzaAtom::Path::lame, false) | bit(BetzaAtom::Path::over, false);

// What may be done on a square.
struct Reach {
  Ways moving = 0;
  Ways capturing = 0;
  friend auto operator<=>(const Reach&, const Reach&) = default;
};

// Without the ways that others make needless.
Ways reduced(unsigned ways) {
  if ((ways & kFree) != 0 || (ways & kEither) == kEither) return kFree;
  const unsigned always = ways & 0xFU;
  const unsigned initial = (ways & kFreeInitial) != 0 ? kFreeInitial : ways & 0xF0U;
  return static_cast<Ways>(always | (initial & ~(always << kInitial)));
}

std::string said(Ways ways) {
  constexpr std::array<std::string_view, 4> kHow = {"", " if nothing is between", " if something is between",
                                                    " over a hurdle"};
  std::vector<std::string> out;
  for (unsigned b = 0; b < 2 * kInitial; ++b) {
    if ((ways >> b & 1U) != 0)
      out.push_back(absl::StrCat(b < kInitial ? "" : " from where it begins", std::string(kHow[b % kInitial])));
  }
  return absl::StrJoin(out, " or");
}

std::string said(Reach reach) {
  if (reach.moving == reach.capturing) return absl::StrCat("moves and captures", said(reach.moving));
  if (reach.capturing == 0) return absl::StrCat("moves", said(reach.moving));
  if (reach.moving == 0) return absl::StrCat("captures", said(reach.capturing));
  return absl::StrCat("moves", said(reach.moving), ", captures", said(reach.capturing));
}

// The mark that a reach would best have.
char wish(Reach reach) {
  if (reach == Reach{kFree, kFree}) return '*';
  if (reach == Reach{kFree, 0}) return 'm';
  if (reach == Reach{0, kFree}) return 'c';
  const auto either = static_cast<unsigned>(reach.moving | reach.capturing);
  if ((either & 0xF0U) != 0) return 'i';
  if ((either & bit(BetzaAtom::Path::hurdle, false)) != 0) return 'p';
  return (either & bit(BetzaAtom::Path::lame, false)) != 0 ? 'n' : 'j';
}

std::map<Reach, char> marks_of(const std::map<Offset, Reach>& squares) {
  std::map<Reach, char> out;
  for (const auto& [square, reach] : squares) out[reach] = '?';
  std::string free = "*mcipnj123456789ABCDEFGHKLMNPQRSTUVWXYZabdefghkloqrstuvwxyz";
  for (auto& [reach, mark] : out) {
    std::size_t at = free.find(wish(reach));
    if (at == std::string::npos) at = free.find_first_of("123456789ABCDEFGHKLMNPQRSTUVWXYZabdefghkloqrstuvwxyz");
    if (at == std::string::npos) continue;
    mark = free[at];
    free.erase(at, 1);
  }
  return out;
}

int length(Offset step) { return std::max(std::abs(step.dx), std::abs(step.dy)); }

int radius_of(const std::vector<BetzaAtom>& atoms) {
  int finite = 0;   // rides and leaps that end
  int endless = 0;  // two stops of rides that do not, and one more square than others reach
  for (const BetzaAtom& atom : atoms) finite = std::max(finite, length(atom.step) * std::min(atom.range, kMostRadius));
  for (const BetzaAtom& atom : atoms) {
    if (atom.range == 0) endless = std::max({endless, 3, 2 * length(atom.step), finite + 1});
  }
  return std::clamp(std::max(finite, endless), kLeastRadius, kMostRadius);
}

}  // namespace

std::string draw_reach(const std::vector<BetzaAtom>& atoms) {
  const int radius = radius_of(atoms);
  std::map<Offset, Reach> squares;
  bool endless = false;
  int longest = 0;  // of the rides that end outside
  for (const BetzaAtom& atom : atoms) {
    const Ways way = bit(atom.path, atom.initial);
    const int inside = radius / length(atom.step);
    endless |= atom.range == 0;
    if (atom.range > inside) longest = std::max(longest, atom.range);
    for (int i = 1; i <= inside && (atom.range == 0 || i <= atom.range); ++i) {
      if (atom.path == BetzaAtom::Path::hurdle && i == 1) continue;
      Reach& reach = squares[{atom.step.dx * i, atom.step.dy * i}];
      if (atom.moves) reach.moving = reduced(static_cast<unsigned>(reach.moving | way));
      if (atom.captures) reach.capturing = reduced(static_cast<unsigned>(reach.capturing | way));
    }
  }
  const std::map<Reach, char> marks = marks_of(squares);
  std::string out;
  for (int dy = radius; dy >= -radius; --dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const auto at = squares.find({dx, dy});
      const char empty = dx == 0 && dy == 0 ? 'O' : '.';
      absl::StrAppend(&out, dx == -radius ? "" : " ",
                      std::string(1, at == squares.end() ? empty : marks.at(at->second)));
    }
    out += '\n';
  }
  std::map<std::string, std::string> legend;  // by mark
  for (const auto& [reach, mark] : marks) legend[std::string(1, mark)] = said(reach);
  std::vector<std::string> lines;
  lines.reserve(legend.size() + 2);
  for (const auto& [mark, meaning] : legend) lines.push_back(absl::StrCat(mark, " ", meaning));
  if (endless) lines.emplace_back("rides without a limit go on outside");
  if (longest > 0)
    lines.push_back(absl::StrCat(endless ? "others" : "rides", " go on outside, to ", longest, " steps"));
  if (lines.empty()) lines.emplace_back("goes nowhere");
  return absl::StrCat(out, absl::StrJoin(lines, "; "), "\n");
}

}  // namespace plenum
