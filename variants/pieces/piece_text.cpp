// SPDX-License-Identifier: Apache-2.0
#include "variants/pieces/piece_text.h"

#include <algorithm>
#include <cctype>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

namespace plenum {
namespace {

constexpr const char* kRights = "KQkq";  // first's right and left, second's

class FenReader final : PositionReader {
 public:
  FenReader(const Board& board, const std::vector<std::string>& letters, const Span& text)
      : PositionReader(board, text), letters_(letters) {
    out_.span = text;
  }

  WrittenPosition read() {
    const auto [board_at, rows] = word();
    if (rows.empty()) fail_at(span_, "a position is expected here", "as in a FEN: rows, w or b, castling, en passant");
    read_rows(board_at, rows.size());
    const auto [mover_at, mover] = word();
    if (mover.empty())
      fail_at(span_.part(text_.size(), 1), "who is to move is missing", "after the rows write w (first) or b (second)");
    if (mover != "w" && mover != "b" && mover != "1" && mover != "2")
      fail_at(span_.part(mover_at, mover.size()), "the player to move is w or b", "");
    out_.mover = mover == "w" || mover == "1" ? Player::first : Player::second;
    read_rights();
    read_passed();
    for (int k = 0; k < 2; ++k) {
      const auto [at, counter] = word();
      if (counter.empty()) break;
      if (!std::all_of(counter.begin(), counter.end(), absl::ascii_isdigit))
        fail_at(span_.part(at, counter.size()), "this does not belong to a position", "a FEN ends here");
    }
    if (const auto [at, rest] = word(); !rest.empty())
      fail_at(span_.part(at, rest.size()), "this does not belong to a position", "a FEN ends before it");
    return std::move(out_);
  }

 private:
  std::size_t put(std::size_t at, Cell cell) override {
    if (text_[at] != '(') {
      put_man(at, cell);
      return at + 1;
    }
    std::size_t i = at + 1;
    for (; i < text_.size() && text_[i] != ')' && text_[i] != '/' && !absl::ascii_isspace(text_[i]); ++i)
      put_man(i, cell);
    if (i == text_.size() || text_[i] != ')' || i == at + 1)
      fail_at(span_.part(at, 1), "men that share a cell stand between ( and )", "as in 3(Pp)4");
    return i + 1;
  }

  void put_man(std::size_t at, Cell cell) {
    const auto letter = static_cast<unsigned char>(text_[at]);
    const std::string capital(1, static_cast<char>(absl::ascii_toupper(letter)));
    if (std::find(letters_.begin(), letters_.end(), capital) == letters_.end())
      fail_at(sign(at), absl::StrCat("there is no piece '", std::string(sign(at).text()), "' here"),
              absl::StrCat("pieces: ", absl::StrJoin(letters_, ", "), ", small letters for second's"));
    out_.men.push_back(
        {cell, absl::ascii_isupper(letter) ? Player::first : Player::second, capital, span_.part(at, 1)});
  }

  void fail_row(std::size_t row, std::size_t filled, const Span& given, const Span& wrong) override {
    const std::size_t cells = board_.rows()[row].size();
    const bool no_run = wrong.text().find_first_not_of('0') == std::string_view::npos;
    fail_at(given,
            absl::StrCat("row ", row + 1, " of ", board_.name(), " has ", cells, " cells",
                         no_run && filled < cells ? absl::StrCat("; ", filled, " are given") : "; here are more"),
            "a number is a run of empty cells; for another board give --board");
  }
  std::string rows_advice() const override { return "rows are separated by /"; }

  void read_rights() {
    const auto [at, rights] = word();
    out_.rights_span = span_.part(at, std::max<std::size_t>(1, rights.size()));
    if (rights.empty() || rights == "-") return;
    for (std::size_t k = 0; k < rights.size(); ++k) {
      const std::size_t which = std::string(kRights).find(rights[k]);
      const auto bit = static_cast<std::uint8_t>(1U << which % 2);
      if (which == std::string::npos || (out_.rights[which / 2] & bit) != 0)
        fail_at(span_.part(at + k, 1), "castling rights are some of KQkq, or -",
                "K and Q: first's on the right and the left; k and q: second's");
      out_.rights[which / 2] |= bit;
    }
  }

  void read_passed() {
    const auto [at, cell] = word();
    if (cell.empty() || cell == "-") return;
    out_.passed_span = span_.part(at, cell.size());
    out_.passed = board_.find_cell(cell);
    if (!out_.passed)
      fail_at(out_.passed_span, absl::StrCat("there is no cell '", cell, "' on ", board_.name()),
              "the cell that a pawn has just passed over, or -");
  }

  const std::vector<std::string>& letters_;
  WrittenPosition out_;
};

void place_men(const Board& board, const PieceSet& set, const WrittenPosition& written, Position& p) {
  if (written.men.size() > static_cast<std::size_t>(set.most_men))
    fail_at(written.span,
            absl::StrCat("there are ", written.men.size(), " men; this game has ", set.most_men, " at the most"), "");
  std::array<int, 2> kings = {0, 0};
  for (const WrittenMan& man : written.men) {
    const auto kind = static_cast<std::size_t>(
        std::find_if(set.kinds.begin(), set.kinds.end(), [&](const PieceKind& k) { return k.letter == man.letter; }) -
        set.kinds.begin());
    const auto who = static_cast<std::size_t>(man.owner);
    if (kind == set.royal) ++kings[who];
    const CellSet ends = set.last_rank[0] | set.last_rank[1];
    if (!set.kinds[kind].promotions.empty() && (ends & cell_bit(man.cell)) != 0)
      fail_at(man.span, absl::StrCat(man.letter, " cannot stand on ", board.cell_name(man.cell)),
              "not on a first or last rank");
    const bool movers = man.owner == p.mover;
    if (set.most_on_cell != 0 && set.count(p, man.cell) >= set.most_on_cell)
      fail_at(man.span,
              set.crowds() ? absl::StrCat("more than ", set.most_on_cell, " men on ", board.cell_name(man.cell))
                           : absl::StrCat("two men on ", board.cell_name(man.cell)),
              set.crowds() ? "so many may share a cell, both players' together" : "crowd = \"off\" has one on a cell");
    if (!set.add(p, movers, kind, man.cell))
      fail_at(man.span,
              absl::StrCat("more than ", 1U << set.kinds[kind].more_planes.size(), " men of a kind on ",
                           board.cell_name(man.cell)),
              "so many are not told apart");
  }
  for (const WrittenMan& man : written.men) {
    if (set.lawful(set.count(p, true, man.cell), set.count(p, false, man.cell))) continue;
    const bool same = set.company == Company::same_owner;
    fail_at(man.span,
            absl::StrCat("men of ", same ? "both players" : "one player alone", " on ", board.cell_name(man.cell)),
            same ? "only one player's men may share a cell" : "men may share a cell only with the other player's");
  }
  for (const std::size_t who : {0U, 1U}) {
    if (kings[who] == 1) continue;
    fail_at(written.span,
            absl::StrCat(who == 0 ? "first" : "second", " has ", kings[who] == 0 ? "no " : "more than one ",
                         set.kinds[set.royal].letter),
            "each player has one royal piece");
  }
}

void place_rights(const Board& board, const PieceSet& set, const WrittenPosition& written, Position& p) {
  for (const Player owner : {Player::first, Player::second}) {
    const auto who = static_cast<std::size_t>(owner);
    for (std::size_t side = 0; side < 2; ++side) {
      if ((written.rights[who] >> side & 1) == 0) continue;
      if (set.castling_slot < 0)
        fail_at(written.rights_span, "there is no castling in this game", "write - for the rights");
      const Cell corner = set.corners[who][side];
      const bool movers = owner == p.mover;
      const CellSet king = p.planes[set.plane(movers, set.royal)];
      const CellSet rank = set.last_rank[1 - who];
      if ((king & rank) == 0 || set.castling_partner(p, movers, corner) == set.kinds.size())
        fail_at(written.rights_span,
                absl::StrCat(owner == Player::first ? "first" : "second", " cannot have the right to castle with ",
                             board.cell_name(corner)),
                absl::StrCat("it takes ", set.kinds[set.royal].letter,
                             " on its first rank and what it castles with in that corner"));
    }
    if (set.castling_slot >= 0)
      p.state[static_cast<std::size_t>(set.castling_slot) + (owner == p.mover ? 0 : 1)] = written.rights[who];
  }
}

std::string taken_text(const PieceSet& set, const PieceMove& move) {
  return move.taken == kNoKind ? "" : absl::StrCat(":", absl::AsciiStrToLower(set.kinds[move.taken].letter));
}

}  // namespace

std::pair<std::size_t, std::string> PositionReader::word() {
  while (i_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[i_]))) ++i_;
  const std::size_t begin = i_;
  while (i_ < text_.size() && !absl::ascii_isspace(static_cast<unsigned char>(text_[i_]))) ++i_;
  return {begin, std::string(text_.substr(begin, i_ - begin))};
}

Span PositionReader::sign(std::size_t at) const {
  std::size_t bytes = 1;
  while (at + bytes < text_.size() && (static_cast<unsigned char>(text_[at + bytes]) & 0xC0U) == 0x80U) ++bytes;
  return span_.part(at, bytes);
}

void PositionReader::read_rows(std::size_t at, std::size_t length) {
  const auto is_digit = [&](std::size_t k) { return absl::ascii_isdigit(static_cast<unsigned char>(text_[k])); };
  const auto& rows = board_.rows();
  const std::size_t end = at + length;
  std::size_t i = at;
  for (std::size_t row = rows.size(); row-- > 0;) {
    const std::vector<Cell>& cells = rows[row];
    const std::size_t begin = i;
    std::size_t filled = 0;
    const auto given = [&] { return span_.part(begin, std::max<std::size_t>(1, i - begin)); };
    while (i < end && text_[i] != '/') {
      if (is_digit(i)) {
        const std::size_t first = i;
        std::size_t run = 0;
        while (i < end && is_digit(i))
          run = std::min<std::size_t>(1000, run * 10 + static_cast<std::size_t>(text_[i++] - '0'));
        if (run == 0 || filled + run > cells.size()) fail_row(row, filled, given(), span_.part(first, i - first));
        filled += run;
        continue;
      }
      if (filled == cells.size()) fail_row(row, filled, given(), span_.part(i, 1));
      i = put(i, cells[filled++]);
    }
    if (filled != cells.size()) fail_row(row, filled, given(), span_.part(i, 0));
    if (row == 0) break;
    if (i == end)
      fail_at(
          span_.part(i, 1),
          absl::StrCat("the board ", board_.name(), " has ", rows.size(), " rows; ", rows.size() - row, " are given"),
          rows_advice());
    ++i;
  }
  if (i != end)
    fail_at(span_.part(i, end - i),
            absl::StrCat("the board ", board_.name(), " has ", rows.size(), " rows; here is one more"), "");
}

WrittenPosition read_fen(const Board& board, const std::vector<std::string>& letters, const Span& text) {
  return FenReader(board, letters, text).read();
}

Position position_of(const Board& board, const PieceSet& set, const WrittenPosition& written) {
  Position p;
  p.mover = written.mover;
  place_men(board, set, written, p);
  place_rights(board, set, written, p);
  if (PieceBoard(set, p).other_in_check())
    fail_at(written.span, absl::StrCat("the player to move could take the ", set.kinds[set.royal].letter),
            "the other player is in check; is it their turn?");
  if (!written.passed) return p;
  const char* const advice = "the cell that a pawn has just passed over, or -";
  if (set.passed_plane < 0) fail_at(written.passed_span, "there is no capture en passant in this game", "write -");
  // Somebody's pawn has to stand beyond it, alone.
  const auto who = static_cast<std::size_t>(other(p.mover));
  bool found = false;
  for (std::size_t k = 0; k < set.kinds.size(); ++k) {
    const PieceTables& t = set.tables[who][k];
    for (std::size_t home = 0; home < static_cast<std::size_t>(board.size()); ++home) {
      if (t.passed_over[home] != *written.passed || t.double_to[home] == kNoCell) continue;
      const Cell to = t.double_to[home];
      found |= set.count(p, false, k, to) == 1 && set.count(p, to) == 1 && set.count(p, *written.passed) == 0;
    }
  }
  if (!found) fail_at(written.passed_span, "no pawn has just passed over this cell", advice);
  CellSet& passed = p.planes[static_cast<std::size_t>(set.passed_plane)];
  passed = cell_bit(*written.passed);
  std::vector<PieceMove> moves;
  PieceBoard(set, p).moves(moves);
  if (std::none_of(moves.begin(), moves.end(), [](const PieceMove& m) { return m.manner == Manner::en_passant; }))
    passed = 0;  // it is part of a position only where it can be captured
  return p;
}

std::string rows_text(const Board& board, const std::vector<std::string>& on_cell) {
  std::string out;
  const auto& rows = board.rows();
  for (std::size_t row = rows.size(); row-- > 0;) {
    int run = 0;
    const auto flush = [&] {
      if (run > 0) absl::StrAppend(&out, run);
      run = 0;
    };
    for (const Cell c : rows[row]) {
      if (on_cell[c].empty()) {
        ++run;
      } else {
        flush();
        out += on_cell[c];
      }
    }
    flush();
    if (row > 0) out += '/';
  }
  return out;
}

std::string fen_of(const Board& board, const PieceSet& set, const Position& position) {
  std::vector<std::string> on_cell(static_cast<std::size_t>(board.size()));
  for (const Man& man : set.men_of(position)) {
    const std::string& letter = set.kinds[man.kind].letter;
    on_cell[man.cell] += man.owner == Player::first ? letter : absl::AsciiStrToLower(letter);
  }
  for (std::string& men : on_cell) {
    if (men.size() > 1) men = absl::StrCat("(", men, ")");
  }
  std::string out = rows_text(board, on_cell);
  absl::StrAppend(&out, " ", position.mover == Player::first ? "w" : "b", " ");
  std::string rights;
  for (std::size_t k = 0; k < 4 && set.castling_slot >= 0; ++k) {
    const bool movers = (k / 2 == 0) == (position.mover == Player::first);
    const auto slot = static_cast<std::size_t>(set.castling_slot) + (movers ? 0 : 1);
    if ((position.state[slot] >> k % 2 & 1) != 0) rights += kRights[k];
  }
  absl::StrAppend(&out, rights.empty() ? "-" : rights, " ");
  const CellSet passed = set.passed_plane < 0 ? 0 : position.planes[static_cast<std::size_t>(set.passed_plane)];
  return absl::StrCat(out, passed == 0 ? "-" : board.cell_name(static_cast<Cell>(std::countr_zero(passed))));
}

std::string write_move(const Board& board, const PieceSet& set, const PieceMove& move) {
  if (move.manner == Manner::castle) return move.to > move.from ? "O-O" : "O-O-O";
  const PieceKind& kind = set.kinds[move.kind];
  const char* const sign = move.manner == Manner::quiet ? "-" : move.manner == Manner::join ? "&" : "x";
  return absl::StrCat(kind.promotions.empty() ? kind.letter : "", board.cell_name(move.from), sign,
                      board.cell_name(move.to), taken_text(set, move),
                      move.promotion == kNoKind ? "" : absl::StrCat("=", set.kinds[move.promotion].letter));
}

std::vector<std::string> other_spellings(const Board& board, const PieceSet& set, const PieceMove& move) {
  std::vector<std::string> out;
  const std::string& from = board.cell_name(move.from);
  const std::string& to = board.cell_name(move.to);
  const std::string promotion = move.promotion == kNoKind ? "" : set.kinds[move.promotion].letter;
  out.push_back(absl::StrCat(from, to, absl::AsciiStrToLower(promotion)));
  if (move.manner == Manner::castle) {
    out.emplace_back(move.to > move.from ? "0-0" : "0-0-0");
    return out;
  }
  const PieceKind& kind = set.kinds[move.kind];
  const std::string letter = kind.promotions.empty() ? kind.letter : "";
  const std::string becomes = promotion.empty() ? "" : absl::StrCat("=", promotion);
  const std::string taken = taken_text(set, move);
  const std::string sign = move.manner == Manner::quiet ? "" : move.manner == Manner::join ? "&" : "x";
  const std::string file = from.substr(0, from.find_first_of("0123456789"));
  const std::string rank = from.substr(file.size());
  for (const std::string& how : {sign, std::string("-"), std::string()}) {
    for (const std::string& origin : {from, std::string(), file, rank}) {
      for (const std::string& which : {taken, std::string()})
        out.push_back(absl::StrCat(letter, origin, how, to, which, becomes));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace plenum
