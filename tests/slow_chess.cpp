// SPDX-License-Identifier: Apache-2.0
#include "tests/slow_chess.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace plenum::slow_chess {
namespace {

constexpr std::string_view kOrder = "KQRBNPC";

char kind(char man) { return static_cast<char>(std::toupper(static_cast<unsigned char>(man))); }
char coloured(char letter, bool white) {
  return white ? letter : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}
const std::string& on(const Position& p, int square) { return p.men[static_cast<std::size_t>(square)]; }
bool holds(const Position& p, int square, char man) { return on(p, square).find(man) != std::string::npos; }

void take_off(Position& p, int square, char man) {
  std::string& list = p.men[static_cast<std::size_t>(square)];
  list.erase(list.find(man), 1);
}

int up(bool white) { return white ? 1 : -1; }
int home_rank(const Rules& rules, bool white) { return white ? 0 : rules.ranks - 1; }
bool on_board(const Rules& rules, int file, int rank) {
  return file >= 0 && file < rules.files && rank >= 0 && rank < rules.ranks;
}

// Two squares, and how many occupied ones are strictly between them.
struct Way {
  int right;  // files from the one to the other
  int up;     // ranks
  int hurdles = 0;

  bool straight() const { return (right == 0) != (up == 0); }
  bool diagonal() const { return right != 0 && std::abs(right) == std::abs(up); }
  bool far(int a, int b) const {
    return (std::abs(right) == a && std::abs(up) == b) || (std::abs(right) == b && std::abs(up) == a);
  }
};

Way way_between(const Rules& rules, const Position& p, int from, int to) {
  Way out{to % rules.files - from % rules.files, to / rules.files - from / rules.files};
  if (!out.straight() && !out.diagonal()) return out;
  const int steps = std::max(std::abs(out.right), std::abs(out.up));
  for (int i = 1; i < steps; ++i) {
    const int square = from + (out.up / steps * rules.files + out.right / steps) * i;
    out.hurdles += on(p, square).empty() ? 0 : 1;
  }
  return out;
}

bool is_double_step(const Rules& rules, int from, char man, const Way& way) {
  const int second_rank = home_rank(rules, is_white(man)) + up(is_white(man));
  return kind(man) == 'P' && rules.has_double_step() && way.right == 0 && way.up == 2 * up(is_white(man)) &&
         from / rules.files == second_rank;
}

bool moves_to(const Rules& rules, const Position& p, int from, char man, int to) {
  const Way way = way_between(rules, p, from, to);
  switch (kind(man)) {
    case 'K':
      return way.far(0, 1) || way.far(1, 1);
    case 'Q':
      return (way.straight() || way.diagonal()) && way.hurdles == 0;
    case 'R':
    case 'C':
      return way.straight() && way.hurdles == 0;
    case 'B':
      return way.diagonal() && way.hurdles == 0;
    case 'N':
      return way.far(1, 2);
    case 'P':
      if (is_double_step(rules, from, man, way)) return way.hurdles == 0;
      return way.right == 0 && way.up == up(is_white(man));
    default:
      return false;
  }
}

bool captures_to(const Rules& rules, const Position& p, int from, char man, int to) {
  const Way way = way_between(rules, p, from, to);
  switch (kind(man)) {
    case 'C':
      return way.straight() && way.hurdles == 1;
    case 'P':
      return std::abs(way.right) == 1 && way.up == up(is_white(man));
    default:
      return moves_to(rules, p, from, man, to);
  }
}

// A way to go to a square: '-' quiet, 'x' capturing, '&' joining; and who is taken.
struct Step {
  char sort;
  std::string taken;
  std::string note;  // of the text: the letter of the man taken, where there is a choice
};

std::string enemies_of(char man, const std::string& men) {
  std::string out = men;
  std::erase_if(out, [&](char c) { return is_white(c) == is_white(man); });
  return out;
}

// With one man a square, and where there is safety in numbers.
std::vector<Step> closed_steps(const Rules& rules, const Position& p, int from, char man, int to) {
  const std::string& there = on(p, to);
  const auto one = [](char sort, const std::string& taken) { return std::vector<Step>{{sort, taken, ""}}; };
  const auto moves = [&] { return moves_to(rules, p, from, man, to); };
  const auto captures = [&] { return captures_to(rules, p, from, man, to); };
  if (there.empty()) return moves() ? one('-', "") : std::vector<Step>{};
  if (enemies_of(man, there).empty()) return {};
  if (there.size() == 1 && captures()) return one('x', there);
  return rules.shared() && (moves() || captures()) ? one('&', "") : std::vector<Step>{};
}

// A right is lost when its king, or any own rook on its corner, leaves or is captured.
void lose_castling(const Rules& rules, Position& p, int square, char man) {
  const bool white = is_white(man);
  const int home = home_rank(rules, white) * rules.files;
  const auto lose = [&](char letter) { std::erase(p.castling, coloured(letter, white)); };
  if (kind(man) == 'K' && square == home + 4) {
    lose('K');
    lose('Q');
  }
  if (kind(man) == 'R' && square == home) lose('Q');
  if (kind(man) == 'R' && square == home + 7) lose('K');
}

// The position after a man has gone; the caller sees to what is captured en passant and to the new en passant square.
Position gone(const Rules& rules, const Position& p, int from, char man, int to, char becomes,
              const std::string& taken) {
  Position out = p;
  take_off(out, from, man);
  lose_castling(rules, out, from, man);
  for (const char victim : taken) {
    take_off(out, to, victim);
    lose_castling(rules, out, to, victim);
  }
  put(out, to, becomes);
  out.white = !p.white;
  out.en_passant = -1;
  return out;
}

// By crowd=open: a move or a joining, a capture, or both, as the law of the square allows.
std::vector<Step> open_steps(const Rules& rules, const Position& p, int from, char man, int to) {
  const std::string& there = on(p, to);
  const std::string enemies = enemies_of(man, there);
  std::vector<Step> out;
  if (moves_to(rules, p, from, man, to)) out.push_back({there.empty() ? '-' : '&', "", ""});
  if (!enemies.empty() && captures_to(rules, p, from, man, to)) {
    if (there.size() == 1 || rules.capture == Capture::all) {
      out.push_back({'x', enemies, ""});
    } else if (rules.capture == Capture::one) {
      for (const char victim : std::set<char>(enemies.begin(), enemies.end())) out.push_back({'x', {victim}, ""});
    }
  }
  std::erase_if(out, [&](const Step& step) {
    const Position after = gone(rules, p, from, man, to, man, step.taken);
    return !may_share(rules, on(after, from)) || !may_share(rules, on(after, to));
  });
  const auto captures = std::count_if(out.begin(), out.end(), [](const Step& step) { return step.sort == 'x'; });
  for (Step& step : out) {
    if (step.sort == 'x' && captures > 1) step.note = std::string(":") + coloured(kind(step.taken[0]), false);
  }
  return out;
}

// All ways of a man to go to a square. En passant is not looked at, nor whether a king is safe.
std::vector<Step> steps(const Rules& rules, const Position& p, int from, char man, int to) {
  if (from == to) return {};
  return rules.crowd == Crowd::open ? open_steps(rules, p, from, man, to) : closed_steps(rules, p, from, man, to);
}

// The pawn that was passed over leaves too. Nothing if the law forbids it or the own king would be in check.
std::optional<Position> after_en_passant(const Rules& rules, const Position& p, int from, int to) {
  const char pawn = coloured('P', p.white);
  Position out = gone(rules, p, from, pawn, to, pawn, "");
  take_off(out, to - up(p.white) * rules.files, coloured('P', !p.white));
  if (!may_share(rules, on(out, from)) || in_check(rules, out, p.white)) return std::nullopt;
  return out;
}

std::string letter_of(char man) { return kind(man) == 'P' ? "" : std::string(1, kind(man)); }

bool takes(const Rules& rules, const Position& p, int from, char man, int to, char victim) {
  const auto all = steps(rules, p, from, man, to);
  return std::any_of(all.begin(), all.end(),
                     [&](const Step& step) { return step.taken.find(victim) != std::string::npos; });
}

void add_step(const Rules& rules, const Position& p, int from, char man, int to, const Step& step,
              std::vector<Move>& out) {
  const std::string text = letter_of(man) + square_name(rules, from) + step.sort + square_name(rules, to) + step.note;
  if (kind(man) == 'P' && to / rules.files == home_rank(rules, !p.white)) {
    for (const char letter : rules.promote) {
      Position after = gone(rules, p, from, man, to, coloured(letter, p.white), step.taken);
      if (!in_check(rules, after, p.white)) out.push_back({text + "=" + letter, std::move(after)});
    }
    return;
  }
  Position after = gone(rules, p, from, man, to, man, step.taken);
  if (in_check(rules, after, p.white)) return;
  if (is_double_step(rules, from, man, way_between(rules, p, from, to))) {
    after.en_passant = en_passant_square(rules, after, to);
  }
  out.push_back({text, std::move(after)});
}

void add_steps(const Rules& rules, const Position& p, int from, char man, std::vector<Move>& out) {
  for (int to = 0; to < rules.squares(); ++to) {
    for (const Step& step : steps(rules, p, from, man, to)) add_step(rules, p, from, man, to, step, out);
  }
}

void add_en_passant(const Rules& rules, const Position& p, int from, char man, std::vector<Move>& out) {
  if (kind(man) != 'P' || p.en_passant < 0 || !captures_to(rules, p, from, man, p.en_passant)) return;
  if (auto after = after_en_passant(rules, p, from, p.en_passant)) {
    out.push_back({square_name(rules, from) + "x" + square_name(rules, p.en_passant), std::move(*after)});
  }
}

bool can_castle(const Rules& rules, const Position& p, char side) {
  const int home = home_rank(rules, p.white) * rules.files;
  const int corner = side == 'K' ? home + 7 : home;
  const int step = side == 'K' ? 1 : -1;
  const char king = coloured('K', p.white);
  if (p.castling.find(coloured(side, p.white)) == std::string::npos || in_check(rules, p, p.white)) return false;
  if (on(p, home + 4) != std::string(1, king) || on(p, corner) != std::string(1, coloured('R', p.white))) return false;
  for (int square = home + 4 + step; square != corner; square += step) {
    if (!on(p, square).empty()) return false;
  }
  // Passing over: the king alone has gone a step.
  return !in_check(rules, gone(rules, p, home + 4, king, home + 4 + step, king, ""), p.white);
}

void add_castling(const Rules& rules, const Position& p, char side, std::vector<Move>& out) {
  if (!rules.castling || !can_castle(rules, p, side)) return;
  const int home = home_rank(rules, p.white) * rules.files;
  const int step = side == 'K' ? 1 : -1;
  const char king = coloured('K', p.white);
  const char rook = coloured('R', p.white);
  Position after = gone(rules, p, home + 4, king, home + 4 + 2 * step, king, "");
  take_off(after, side == 'K' ? home + 7 : home, rook);
  put(after, home + 4 + step, rook);
  if (!in_check(rules, after, p.white)) out.push_back({side == 'K' ? "O-O" : "O-O-O", std::move(after)});
}

// --- Text.

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

bool parse_row(const Rules& rules, const std::string& text, int rank, Position& p) {
  int file = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      int run = 0;
      for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i) {
        run = std::min(1000, 10 * run + (text[i] - '0'));
      }
      --i;
      if (run == 0) return false;
      file += run;
      continue;
    }
    std::string men(1, text[i]);
    if (text[i] == '(') {
      const std::size_t end = text.find(')', i);
      if (end == std::string::npos) return false;
      men = text.substr(i + 1, end - i - 1);
      if (men.size() < 2) return false;
      i = end;
    }
    if (file >= rules.files) return false;
    for (const char man : men) {
      const bool at_an_end = rank == 0 || rank == rules.ranks - 1;
      if (kOrder.find(kind(man)) == std::string_view::npos || (kind(man) == 'P' && at_an_end)) return false;
      put(p, rank * rules.files + file, man);
    }
    if (!may_share(rules, men)) return false;
    ++file;
  }
  return file == rules.files;
}

bool parse_castling(const Rules& rules, const std::string& text, Position& p) {
  if (text == "-") return true;
  if (text.empty() || !rules.castling || rules.files != 8 || rules.ranks != 8) return false;
  for (const char c : std::string("KQkq")) {
    if (text.find(c) == std::string::npos) continue;
    const int home = home_rank(rules, is_white(c)) * 8;
    if (!holds(p, home + 4, coloured('K', is_white(c)))) return false;
    if (!holds(p, kind(c) == 'K' ? home + 7 : home, coloured('R', is_white(c)))) return false;
    p.castling += c;
  }
  return p.castling.size() == text.size();
}

bool parse_en_passant(const Rules& rules, const std::string& text, Position& p) {
  if (text == "-") return true;
  for (int square = 0; square < rules.squares(); ++square) {
    if (square_name(rules, square) != text) continue;
    const int passed_rank = home_rank(rules, !p.white) - 2 * up(p.white);
    if (!rules.has_double_step() || !rules.en_passant || square / rules.files != passed_rank) return false;
    const int stands = square - up(p.white) * rules.files;
    if (!on(p, square).empty() || on(p, stands) != std::string(1, coloured('P', !p.white))) return false;
    p.en_passant = en_passant_square(rules, p, stands);
    return true;
  }
  return false;
}

}  // namespace

bool is_white(char man) { return std::isupper(static_cast<unsigned char>(man)) != 0; }

std::string square_name(const Rules& rules, int square) {
  return static_cast<char>('a' + square % rules.files) + std::to_string(square / rules.files + 1);
}

void put(Position& position, int square, char man) {
  const auto rank = [](char c) {
    return std::tuple(!is_white(c), std::min(kOrder.find(kind(c)), kOrder.size()), kind(c));
  };
  std::string& list = position.men[static_cast<std::size_t>(square)];
  list.insert(std::find_if(list.begin(), list.end(), [&](char c) { return rank(c) > rank(man); }), man);
}

bool may_share(const Rules& rules, const std::string& men) {
  if (men.size() < 2) return true;
  if (rules.crowd != Crowd::open) return rules.crowd == Crowd::safety;
  if (rules.most > 0 && static_cast<int>(men.size()) > rules.most) return false;
  const bool white = std::any_of(men.begin(), men.end(), [](char man) { return is_white(man); });
  const bool black = std::any_of(men.begin(), men.end(), [](char man) { return !is_white(man); });
  if (rules.share == Share::same) return !(white && black);
  if (rules.share == Share::mixed) return white && black;
  return true;
}

std::optional<Position> parse(const Rules& rules, std::string_view text) {
  const auto fields = split(text, ' ');
  if (fields.size() != 4) return std::nullopt;
  const auto rows = split(fields[0], '/');
  if (static_cast<int>(rows.size()) != rules.ranks) return std::nullopt;
  Position out;
  out.men.resize(static_cast<std::size_t>(rules.squares()));
  for (int i = 0; i < rules.ranks; ++i) {
    if (!parse_row(rules, rows[static_cast<std::size_t>(i)], rules.ranks - 1 - i, out)) return std::nullopt;
  }
  for (const char king : {'K', 'k'}) {
    if (std::count(fields[0].begin(), fields[0].end(), king) > 1) return std::nullopt;
  }
  if (fields[1] != "w" && fields[1] != "b") return std::nullopt;
  out.white = fields[1] == "w";
  if (!parse_castling(rules, fields[2], out) || !parse_en_passant(rules, fields[3], out)) return std::nullopt;
  return out;
}

std::string print(const Rules& rules, const Position& position) {
  std::string out;
  for (int rank = rules.ranks - 1; rank >= 0; --rank) {
    int run = 0;
    for (int file = 0; file < rules.files; ++file) {
      const std::string& men = on(position, rank * rules.files + file);
      if (men.empty()) {
        ++run;
        continue;
      }
      if (run > 0) out += std::to_string(run);
      run = 0;
      out += men.size() == 1 ? men : "(" + men + ")";
    }
    if (run > 0) out += std::to_string(run);
    if (rank > 0) out += '/';
  }
  out += position.white ? " w " : " b ";
  out += position.castling.empty() ? "-" : position.castling;
  return out + " " + (position.en_passant < 0 ? "-" : square_name(rules, position.en_passant));
}

bool in_check(const Rules& rules, const Position& position, bool white) {
  const char king = coloured('K', white);
  for (int at = 0; at < rules.squares(); ++at) {
    if (!holds(position, at, king)) continue;
    for (int from = 0; from < rules.squares(); ++from) {
      for (const char man : on(position, from)) {
        if (is_white(man) != white && takes(rules, position, from, man, at, king)) return true;
      }
    }
  }
  return false;
}

std::vector<Move> moves(const Rules& rules, const Position& position) {
  std::vector<Move> out;
  for (int from = 0; from < rules.squares(); ++from) {
    const std::string& men = on(position, from);
    for (const char man : std::set<char>(men.begin(), men.end())) {
      if (is_white(man) != position.white) continue;
      add_steps(rules, position, from, man, out);
      add_en_passant(rules, position, from, man, out);
    }
  }
  add_castling(rules, position, 'K', out);
  add_castling(rules, position, 'Q', out);
  return out;
}

int en_passant_square(const Rules& rules, const Position& position, int square) {
  const int passed = square + up(position.white) * rules.files;
  if (!rules.en_passant || on(position, square) != std::string(1, coloured('P', !position.white))) return -1;
  for (const int beside : {-1, 1}) {
    const int file = square % rules.files + beside;
    if (!on_board(rules, file, square / rules.files)) continue;
    if (!holds(position, square + beside, coloured('P', position.white))) continue;
    if (after_en_passant(rules, position, square + beside, passed)) return passed;
  }
  return -1;
}

std::uint64_t perft(const Rules& rules, const Position& position, int depth) {
  if (depth == 0) return 1;
  const auto all = moves(rules, position);
  if (depth == 1) return all.size();
  std::uint64_t out = 0;
  for (const Move& move : all) out += perft(rules, move.after, depth - 1);
  return out;
}

std::optional<Position> play(const Rules& rules, Position position, const std::vector<std::string>& line) {
  for (const std::string& text : line) {
    const auto all = moves(rules, position);
    const auto it = std::find_if(all.begin(), all.end(), [&](const Move& m) { return m.text == text; });
    if (it == all.end()) return std::nullopt;
    position = it->after;
  }
  return position;
}

}  // namespace plenum::slow_chess
