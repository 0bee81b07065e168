// SPDX-License-Identifier: Apache-2.0
#include "variants/compile/piece_elaborate.h"

#include <algorithm>
#include <bit>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/compile/elaborator.h"
#include "variants/pieces/piece_text.h"

namespace plenum {
namespace {

class PieceAssembler {
 public:
  PieceAssembler(const Description& description, const Board& board)
      : description_(description), rules_(board), set_(std::make_shared<PieceSet>()) {}

  PieceGame run(const std::optional<Span>& goal) {
    read_board();
    Elaborator elaborator(description_, rules_);
    elaborator_ = &elaborator;
    const PlayDescription& play = description_.play;
    elaborator.check_settings();
    read_crowds();
    set_->stalemate_loses = word(play.stalemate, {"draw", "loss"}, "draw") == "loss";
    for (const PieceDescription& piece : description_.pieces) letters_.push_back(piece.letter);
    const std::string material = play.material == nullptr ? "" : word(play.material, {}, "");
    if (material.empty()) {
      if (play.array == nullptr) fail_at(play.span, "nothing says what the game begins with", "set the material");
      array_span_ = Span::whole("array", word(play.array, {}, ""));
      array_ = read_fen(rules_.board, letters_, array_span_);
    } else {
      read_material(Span::whole("material", material));
    }
    choose_kinds();
    make_tables(truth(play.double_step));
    place_state(truth(play.en_passant), truth(play.castling));
    name_kinds();
    set_->start = set_->material ? first_of_ending() : position_of(rules_.board, *set_, array_);
    rules_.outcome_only = true;
    rules_.ended = rules_.graph.truth(false);
    rules_.margin = rules_.graph.of_form({}, false);
    if (goal) {
      Elaborator again(description_, rules_);  // the kinds have names now
      rules_.goal = again.truth(parse_expression(*goal), again.move_scope());
    }
    return {std::move(rules_), std::move(set_)};
  }

 private:
  void read_board() {
    const std::string& name = rules_.board.name();
    if (name.rfind("square:", 0) != 0 && name.rfind("king:", 0) != 0)
      fail_at(description_.board_text(), absl::StrCat("pieces go on a board of ranks and files, not on ", name),
              "write square:8x8 or the like");
    set_->height = static_cast<int>(rules_.board.rows().size());
    set_->width = static_cast<int>(rules_.board.rows()[0].size());
    const auto rank = [&](int y) {
      CellSet out = 0;
      if (y < 0 || y >= set_->height) return out;
      for (const Cell c : rules_.board.rows()[static_cast<std::size_t>(y)]) out |= cell_bit(c);
      return out;
    };
    set_->last_rank = {rank(set_->height - 1), rank(0)};
    set_->home_rank = {rank(1), rank(set_->height - 2)};
  }

  // Of options and the board alone.
  std::string word(const ExpressionPtr& e, std::vector<std::string> plain, const std::string& otherwise) {
    return e == nullptr ? otherwise : elaborator_->word(e, std::move(plain));
  }
  bool truth(const ExpressionPtr& e) {
    if (e == nullptr) return false;
    const NodeId node = elaborator_->truth(e, elaborator_->move_scope());
    if (rules_.graph.node(node).op != NodeOp::constant)
      fail_at(e->span, "this must be a constant", "it may depend on options and the board only");
    return rules_.graph.is_true(node);
  }

  void read_crowds() {
    const PlayDescription& play = description_.play;
    const std::string crowd = word(play.crowd, {"safety", "off", "open"}, "off");
    const std::string share = word(play.share, {"any", "same", "mixed"}, "any");
    const std::string capture = word(play.capture, {"none", "all", "one"}, "none");
    const std::int64_t most = number(play.most);
    if (crowd == "off") return;
    set_->most_on_cell = 0;
    set_->joins_by_safety = crowd == "safety";
    if (crowd == "safety") return;
    set_->most_on_cell = static_cast<int>(most);
    set_->company = share == "same" ? Company::same_owner : share == "mixed" ? Company::both_owners : Company::any;
    set_->capture = capture == "all" ? CrowdCapture::all : capture == "one" ? CrowdCapture::one : CrowdCapture::none;
  }
  std::int64_t number(const ExpressionPtr& e) {
    if (e == nullptr) return 0;
    const Linear form = elaborator_->whole_number(e, elaborator_->shared_scope());
    if (!form.terms.empty()) fail_at(e->span, "this must be a constant", "it may depend on options and the board only");
    if (form.constant < 0 || form.constant > kMaxCells)
      fail_at(e->span, "so many men cannot share a cell", absl::StrCat("a number up to ", kMaxCells, "; 0: no limit"));
    return form.constant;
  }

  std::size_t piece_named(const std::string& letter, const Span& span) const {
    const auto found = std::find(letters_.begin(), letters_.end(), letter);
    if (found == letters_.end())
      fail_at(span, absl::StrCat("there is no piece '", letter, "'"),
              absl::StrCat("pieces: ", absl::StrJoin(letters_, ", ")));
    return static_cast<std::size_t>(found - letters_.begin());
  }

  void read_material(const Span& text) {
    std::array<std::vector<int>, 2> counts;
    counts.fill(std::vector<int>(letters_.size(), 0));
    std::size_t who = 0;
    const std::string_view letters = text.text();
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (letters[i] == 'v' && who == 0) {
        who = 1;
        continue;
      }
      ++counts[who][piece_named(std::string(1, letters[i]), text.part(i, 1))];
    }
    if (who == 0) fail_at(text, "an ending names both players' men", "as in KRvK: first's, v, second's");
    for (std::size_t k = 0; k < letters_.size(); ++k) {
      if (!description_.pieces[k].royal) continue;
      for (const std::vector<int>& men : counts) {
        if (men[k] != 1)
          fail_at(text, absl::StrCat("each player has one ", letters_[k], " in an ending"), "as in KRvK");
      }
    }
    counts_ = counts;
  }

  // Which pieces can come to stand on the board: those there are, and what they become.
  void choose_kinds() {
    std::array<std::vector<int>, 2> most;
    most.fill(std::vector<int>(letters_.size(), 0));
    if (counts_) {
      most = *counts_;
    } else {
      for (const WrittenMan& man : array_.men)
        ++most[static_cast<std::size_t>(man.owner)][piece_named(man.letter, man.span)];
    }
    for (const std::vector<int>& men : most) {
      for (const int n : men) set_->most_men += n;
    }
    std::vector<std::vector<std::size_t>> becomes(letters_.size());
    for (std::size_t k = 0; k < letters_.size(); ++k) {
      const PieceDescription& piece = description_.pieces[k];
      if (piece.promotes == nullptr) continue;
      const Span span = piece.promotes->span;
      for (const char letter : word(piece.promotes, {}, "")) {
        const std::size_t to = piece_named(std::string(1, letter), span);
        if (description_.pieces[to].royal || description_.pieces[to].promotes != nullptr)
          fail_at(span, absl::StrCat("'", letters_[k], "' cannot become '", letters_[to], "'"),
                  "not a royal piece, nor one that becomes something itself");
        if (std::find(becomes[k].begin(), becomes[k].end(), to) == becomes[k].end()) becomes[k].push_back(to);
      }
      if (becomes[k].empty()) fail_at(span, absl::StrCat("what does '", letters_[k], "' become?"), "as in 'QRBN'");
      std::sort(becomes[k].begin(), becomes[k].end());
      for (std::vector<int>& men : most) {
        for (const std::size_t to : becomes[k]) men[to] += men[k];
      }
    }
    constexpr std::size_t kOut = ~std::size_t{0};
    std::vector<std::size_t> number(letters_.size(), kOut);
    for (std::size_t k = 0; k < letters_.size(); ++k) {
      const PieceDescription& piece = description_.pieces[k];
      if (most[0][k] + most[1][k] == 0 && !piece.royal) continue;
      number[k] = set_->kinds.size();
      piece_of_.push_back(k);
      if (piece.royal) set_->royal = number[k];
      PieceKind kind;
      kind.letter = piece.letter;
      kind.betza = std::string(piece.betza.text());
      kind.royal = piece.royal;
      kind.most = {most[0][k], most[1][k]};
      set_->kinds.push_back(std::move(kind));
    }
    for (std::size_t kind = 0; kind < piece_of_.size(); ++kind) {
      const std::size_t k = piece_of_[kind];
      for (const std::size_t to : becomes[k]) set_->kinds[kind].promotions.push_back(number[to]);
      const PieceDescription& piece = description_.pieces[k];
      if (!piece.castles) continue;
      for (std::size_t i = 0; i < piece.castles->length; ++i) {
        const Span letter = piece.castles->part(i, 1);
        const std::size_t with = number[piece_named(std::string(letter.text()), letter)];
        if (with != kOut) set_->kinds[kind].castles.push_back(with);
      }
    }
    if (counts_) {
      set_->material.emplace();
      for (std::size_t who = 0; who < 2; ++who) {
        for (const std::size_t k : piece_of_) (*set_->material)[who].push_back((*counts_)[who][k]);
      }
    }
    set_->set_planes();
    if (2 * set_->own_planes() + 1 > kMaxPlanes)
      fail_at(description_.play.span,
              absl::StrCat("this game needs ", 2 * set_->own_planes() + 1, " sets of cells; there are ", kMaxPlanes),
              "take fewer kinds of pieces");
  }

  void make_tables(bool first_steps) {
    std::vector<std::vector<BetzaAtom>> atoms;
    const auto parse = [](const Span& text) {
      absl::StatusOr<std::vector<BetzaAtom>> out = parse_betza(text);
      if (!out.ok()) throw DescriptionError{out.status()};
      return *std::move(out);
    };
    for (std::size_t kind = 0; kind < piece_of_.size(); ++kind) {
      const PieceDescription& piece = description_.pieces[piece_of_[kind]];
      atoms.push_back(parse(piece.betza));
      const bool initial =
          std::any_of(atoms.back().begin(), atoms.back().end(), [](const BetzaAtom& g) { return g.initial; });
      if ((initial || piece.first_step) && set_->kinds[kind].promotions.empty())
        fail_at(piece.span, absl::StrCat("'", piece.letter, "' has a first step but does not promote"),
                "whether a piece has moved is no part of a position; what promotes has it on its second rank");
      if (!piece.first_step || !first_steps) continue;
      for (BetzaAtom going : parse(*piece.first_step)) {
        going.initial = true;
        atoms.back().push_back(std::move(going));
      }
    }
    set_->make_tables(atoms);
  }

  void place_state(bool en_passant, bool castling) {
    PlaneLayout& layout = rules_.layout;
    layout.own = set_->own_planes();
    for (const auto& tables : set_->tables) {
      for (const PieceTables& t : tables) {
        const bool passes_over =
            std::any_of(t.double_to.begin(), t.double_to.end(), [](Cell c) { return c != kNoCell; });
        if (!en_passant || !passes_over) continue;
        set_->passed_plane = 2 * layout.own;
        layout.neutral = layout.hidden = 1;
      }
    }
    if (!castling) array_.rights = {0, 0};
    if ((array_.rights[0] | array_.rights[1]) == 0 || set_->kinds[set_->royal].castles.empty()) return;
    const auto last = static_cast<Cell>(set_->width - 1);
    const auto up = static_cast<Cell>((set_->height - 1) * set_->width);
    set_->corners = {{{last, 0}, {static_cast<Cell>(up + last), up}}};
    set_->castling_slot = 0;
    for (const int partner : {1, 0}) {
      StateSlot slot;
      slot.name = "castling";
      slot.written = "castling";
      slot.type = StateDescription::Type::number;
      slot.each = true;
      slot.partner = partner;
      slot.range = {0, 3};
      slot.live = true;
      rules_.slots.push_back(slot);
    }
  }

  // First's pieces by their capitals, second's by small letters: what goals call them.
  void name_kinds() {
    for (const Player owner : {Player::first, Player::second}) {
      for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
        const std::string& letter = set_->kinds[k].letter;
        const std::string name = owner == Player::first ? letter : absl::AsciiStrToLower(letter);
        rules_.kinds.push_back({name, name, owner, description_.pieces[piece_of_[k]].span});
        rules_.kind_plane.push_back(static_cast<int>(k));
        rules_.start.push_back(0);
      }
    }
  }

  using Men = std::vector<std::pair<std::size_t, std::size_t>>;  // owner, kind
  enum class Found { yes, no, not_known };

  // Where men of that kind may stand.
  CellSet cells_of(std::size_t kind) const {
    const bool pawn = !set_->kinds[kind].promotions.empty();
    return rules_.board.all() & ~(pawn ? set_->last_rank[0] | set_->last_rank[1] : 0);
  }

  // Puts the men one after the other on the first cells where the whole is legal, each on a cell of its own or not.
  Found place(const Men& men, bool alone, Position& p) const {
    constexpr int kMostTries = 2'000'000;
    int tries = 0;
    const auto place_from = [&](const auto& self, std::size_t i, CellSet taken) -> bool {
      if (++tries > kMostTries) return false;
      if (i == men.size()) return set_->lawful(p) && !PieceBoard(*set_, p).other_in_check();
      const auto [who, kind] = men[i];
      for (CellSet rest = cells_of(kind) & ~(alone ? taken : 0); rest != 0; rest &= rest - 1) {
        const auto cell = static_cast<Cell>(std::countr_zero(rest));
        if (!set_->add(p, who == 0, kind, cell)) continue;
        if (self(self, i + 1, taken | cell_bit(cell))) return true;
        set_->remove(p, who == 0, kind, cell);
      }
      return false;
    };
    if (place_from(place_from, 0, 0)) return Found::yes;
    return tries > kMostTries ? Found::not_known : Found::no;
  }

  Position first_of_ending() const {
    Men men;
    for (std::size_t who = 0; who < 2; ++who) {
      for (std::size_t k = 0; k < set_->kinds.size(); ++k) {
        const auto n = static_cast<std::size_t>((*set_->material)[who][k]);
        men.insert(men.end(), n, {who, k});
        if (n != 0 && cells_of(k) == 0)
          fail_at(
              description_.board_text(),
              absl::StrCat("on ", rules_.board.name(), " no ", set_->kinds[k].letter,
                           " can stand: it becomes something else on first and last ranks, and there are no others"),
              "take a board with three ranks or more");
      }
    }
    // The king that must not be in check comes last: it finds its place among the others.
    std::erase(men, std::pair(std::size_t{1}, set_->royal));
    men.emplace_back(1, set_->royal);
    Position p;
    Found found = place(men, true, p);
    if (found != Found::yes && set_->crowds()) found = place(men, false, p);
    if (found != Found::yes)
      fail_at(description_.board_text(),
              absl::StrCat(found == Found::not_known ? "no legal position of these men was found by trying many on "
                                                     : "there is no room for these men on ",
                           rules_.board.name()),
              "take a larger board");
    return p;
  }

  const Description& description_;
  RuleSet rules_;
  std::shared_ptr<PieceSet> set_;
  Elaborator* elaborator_ = nullptr;
  std::vector<std::string> letters_;
  std::vector<std::size_t> piece_of_;  // by kind: its place in the description
  WrittenPosition array_;
  Span array_span_;
  std::optional<std::array<std::vector<int>, 2>> counts_;  // of an ending, by owner and piece
};

}  // namespace

absl::StatusOr<PieceGame> elaborate_pieces(const Description& description, const Board& board,
                                           const std::optional<Span>& goal) {
  return guard([&] { return PieceAssembler(description, board).run(goal); });
}

}  // namespace plenum
