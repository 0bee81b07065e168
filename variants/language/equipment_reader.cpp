// SPDX-License-Identifier: Apache-2.0
// What a game is played on and with: [board], [kinds], [pieces] and [play] of a description.
#include <algorithm>
#include <map>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "variants/language/description_reader.h"

namespace plenum {

namespace {

// A table of names and lists of cells. A name may be a word that other boards know, but no other word of the language.
std::vector<Board::Extras::Named> named_cells(const DocumentNode& board, const char* key, const char* advice) {
  std::vector<Board::Extras::Named> out;
  const DocumentNode* const table = board.find(key);
  if (table == nullptr) return out;
  for (const DocumentEntry& entry : table_of(*table, absl::StrCat("'", key, "' is a table"), advice)) {
    check_name(entry.key, entry.key_span);
    for (const Word& word : words()) {
      if (word.name == entry.key && !word.on_boards)
        fail_at(entry.key_span, absl::StrCat("the name '", entry.key, "' is already a word of the language"),
                "choose another name");
    }
    text_of(entry.node, entry.key);
    out.push_back({inside_key(entry), entry.node.span});
  }
  return out;
}

}  // namespace

void read_board(const DocumentNode& board, Description& out) {
  check_keys(board, "[board]", keys_of("board"));
  const DocumentNode* edges = board.find("edges");
  if (edges == nullptr) fail_at(board.span, "[board] needs its edges", "write edges = \"a-b b-c\"");
  const std::string text = absl::StrCat("edges:", text_of(*edges, "edges"));
  if (out.find_option("board") == nullptr) out.options.push_back({"board", "", edges->span, text, text, {}, {}, false});
  for (Option& option : out.options) {
    if (option.name == "board") option.initial = option.value = text;
  }
  out.edges_span = edges->span;
  Board::Extras& extras = out.board_extras;
  extras.lines = text_span(board, "lines");
  extras.directions = named_cells(board, "directions", "write directions = { round = \"a-b-c-a\" }");
  extras.regions = named_cells(board, "regions", "write regions = { camp = \"a b\" }");
  if (const DocumentNode* at = board.find("at")) {
    for (const DocumentEntry& entry :
         table_of(*at, "'at' is a table of places", "write at = { a = [0, 1], b = [1, 1] }: column and row")) {
      const auto place = two_numbers(entry.node);
      const auto inside = [](std::int64_t n) { return 0 <= n && n <= 60; };
      if (!place || !inside(place->first) || !inside(place->second))
        fail_at(entry.node.span, "a place is a column and a row, from 0 to 60", "as in a = [0, 1]");
      extras.places.push_back({inside_key(entry), static_cast<int>(place->first), static_cast<int>(place->second)});
    }
  }
}

namespace {

constexpr std::size_t kMostKinds = 28;

// The kind, or one for each height of its piles.
std::vector<KindDescription> piles_of(const DocumentEntry& entry, KindDescription kind) {
  const DocumentNode* const pile = entry.node.table() == nullptr ? nullptr : present(entry.node, "pile");
  if (pile == nullptr) return {std::move(kind)};
  const auto* const most = pile->integer();
  if (most == nullptr || *most < 1 || *most > static_cast<std::int64_t>(kMostKinds))
    fail_at(pile->span, absl::StrCat("a pile is of 1 to ", kMostKinds), "as in pile = 4");
  const DocumentNode* const letters = present(entry.node, "letters");
  const std::string given = letters == nullptr ? "" : text_of(*letters, "letters");
  if (static_cast<std::int64_t>(given.size()) != *most || !std::all_of(given.begin(), given.end(), [](char c) {
        return absl::ascii_isalpha(static_cast<unsigned char>(c));
      }))
    fail_at(letters == nullptr ? pile->span : letters->span, "piles need a letter for each height",
            absl::StrCat("as in letters = \"",
                         std::string("abcdefghijklmnopqrstuvwx").substr(0, static_cast<std::size_t>(*most)), "\""));
  std::vector<KindDescription> out;
  for (int n = 1; n <= *most; ++n) {
    KindDescription one = kind;
    one.family = kind.name;
    one.name = absl::StrCat(kind.name, "_", n);
    one.letter = given.substr(static_cast<std::size_t>(n - 1), 1);
    one.pile = n;
    out.push_back(std::move(one));
  }
  return out;
}

// Appends a kind, or one for each player.
void read_kind(const DocumentEntry& entry, std::vector<KindDescription>& out) {
  check_name(entry.key, entry.key_span);
  KindDescription kind{entry.key, entry.key.substr(0, 1), std::nullopt, entry.key_span};
  const DocumentNode* owner = &entry.node;
  if (entry.node.table() != nullptr) {
    check_keys(entry.node, absl::StrCat("kind '", entry.key, "'"), keys_of("kind"));
    owner = entry.node.find("owner");
    if (owner == nullptr)
      fail_at(entry.key_span, absl::StrCat("kind '", entry.key, "' needs an owner"), "first, second, each or nobody");
    if (const DocumentNode* letter = entry.node.find("letter")) {
      kind.letter = text_of(*letter, "letter");
      if (kind.letter.size() != 1 || !absl::ascii_isalpha(static_cast<unsigned char>(kind.letter[0])))
        fail_at(letter->span, "a kind's letter is one letter");
    }
  }
  const std::string word = text_of(*owner, "owner");
  if (word != "first" && word != "second" && word != "each" && word != "nobody")
    fail_at(owner->span, absl::StrCat("there is no owner '", word, "'"),
            suggestion(word, {"first", "second", "each", "nobody"}, "owners"));
  if (word == "first" || word == "second") kind.owner = word == "first" ? Player::first : Player::second;
  const std::vector<KindDescription> heights = piles_of(entry, std::move(kind));
  for (const KindDescription& one : heights) {
    if (word != "each") out.push_back(one);
  }
  for (const Player player : {Player::first, Player::second}) {
    for (KindDescription own : heights) {
      if (word != "each") break;
      own.each = own.name;
      own.owner = player;
      own.name = absl::StrCat(player == Player::first ? "first_" : "second_", own.name);
      own.letter = player == Player::first ? absl::AsciiStrToUpper(own.letter) : absl::AsciiStrToLower(own.letter);
      out.push_back(std::move(own));
    }
  }
}

PieceDescription read_piece(const DocumentEntry& entry) {
  PieceDescription out;
  out.letter = entry.key;
  out.span = entry.key_span;
  if (out.letter.size() != 1 || !absl::ascii_isupper(static_cast<unsigned char>(out.letter[0])))
    fail_at(entry.key_span, "a piece is named by one capital letter",
            "the other player's is the small one in positions");
  const DocumentNode& node = entry.node;
  const DocumentNode* betza = &node;
  if (node.table() != nullptr) {
    check_keys(node, absl::StrCat("piece '", entry.key, "'"), keys_of("piece"));
    betza = node.find("betza");
    if (betza == nullptr)
      fail_at(entry.key_span, absl::StrCat("how does '", entry.key, "' go?"), "add betza = \"R\" or the like");
    out.royal = flag(node, "royal");
    out.castles = text_span(node, "castles");
    out.first_step = text_span(node, "first_step");
    out.promotes = present_expression(node, "promotes");
    if (out.castles && !out.royal)
      fail_at(*out.castles, "only a royal piece castles", "'castles' names the piece it does it with");
  }
  text_of(*betza, "betza");
  out.betza = betza->span;
  return out;
}

// This letter, or another that no kind has.
std::string free_letter(const Description& description, char wanted) {
  const auto taken = [&](char letter) {
    return std::any_of(description.kinds.begin(), description.kinds.end(),
                       [&](const KindDescription& kind) { return kind.letter == std::string(1, letter); });
  };
  for (const char letter :
       std::string{wanted, absl::ascii_toupper(static_cast<unsigned char>(wanted))} + "yzYZqvwQVW") {
    if (!taken(letter)) return std::string(1, letter);
  }
  return std::string(1, wanted);
}

}  // namespace

void read_kinds(const DocumentNode& tree, Description& out) {
  each_entry(tree, "kinds", "write x = \"first\"", [&](const DocumentEntry& entry) { read_kind(entry, out.kinds); });
  if (out.kinds.size() > kMostKinds)
    fail_at(tree.find("kinds")->span, absl::StrCat("these are ", out.kinds.size(), " kinds of stones"),
            absl::StrCat("a game has at most ", kMostKinds, ", and what each player has counts twice"));
  // A player without a kind gets the usual one.
  const auto owns = [&](Player p) {
    return std::any_of(out.kinds.begin(), out.kinds.end(), [&](const KindDescription& k) { return k.owner == p; });
  };
  if (!owns(Player::second)) out.kinds.insert(out.kinds.begin(), {"o", free_letter(out, 'o'), Player::second, {}});
  if (!owns(Player::first)) out.kinds.insert(out.kinds.begin(), {"x", free_letter(out, 'x'), Player::first, {}});
  for (std::size_t a = 0; a < out.kinds.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (out.kinds[a].letter != out.kinds[b].letter) continue;
      fail_at(out.kinds[a].span.source ? out.kinds[a].span : out.kinds[b].span,
              absl::StrCat("kinds '", out.kinds[b].name, "' and '", out.kinds[a].name, "' have the same letter"),
              "give one of them another: { owner = \"...\", letter = \"y\" }");
    }
  }
}

// What may be chosen with a move: different names or numbers.
std::vector<Span> read_choices(const DocumentNode& node) {
  std::vector<Span> out;
  const auto one = [&](const DocumentNode& item) {
    if (item.integer() == nullptr) check_name(text_of(item, "choose"), item.span);
    for (const Span& other : out) {
      if (other.text() == item.span.text()) fail_at(item.span, "this is given twice", "");
    }
    out.push_back(item.span);
  };
  if (node.list() == nullptr) {
    one(node);
  } else {
    for (const DocumentNode& item : *node.list()) one(item);
  }
  return out;
}

// Effects that set how high piles are, for all kinds of piles.
void spell_out_piles(Description& description) {
  std::map<std::string, int> families;
  for (const KindDescription& kind : description.kinds) {
    if (!kind.family.empty()) families[kind.family] = std::max(families[kind.family], kind.pile);
  }
  const auto each = [&](std::vector<Effect>& effects) {
    for (Effect& effect : effects) {
      for (const auto& [family, most] : families) spell_out_piles(effect, family, most);
      for (const Effect::Clause& clause : effect.clauses) {
        if (clause.amount == nullptr) continue;
        std::vector<std::string> names;
        names.reserve(families.size());
        for (const auto& [family, most] : families) names.push_back(family);
        fail_at(clause.name_span, absl::StrCat("there are no piles of '", clause.name, "'"),
                names.empty()
                    ? "kinds of piles are declared so: seed = { owner = \"nobody\", pile = 3, letters = \"abc\" }"
                    : suggestion(clause.name, names, "piles"));
      }
    }
  };
  for (MoveDescription& move : description.moves) each(move.then);
  for (MoveDescription& part : description.parts) each(part.then);
  for (auto& [name, definition] : description.definitions) each(definition.effects);
}

void read_pieces(const DocumentNode& tree, Description& out) {
  const DocumentNode& pieces = *tree.find("pieces");
  each_entry(tree, "pieces", "write N = \"N\"",
             [&](const DocumentEntry& entry) { out.pieces.push_back(read_piece(entry)); });
  for (const char* key : {"kinds", "state", "start", "moves", "parts", "end", "pie"}) {
    if (const DocumentNode* node = tree.find(key))
      fail_at(node->span, absl::StrCat("a game with [pieces] has no [", key, "]"),
              "how pieces go is in [pieces], what they begin with and how they play together in [play]");
  }
  const auto royal = std::count_if(out.pieces.begin(), out.pieces.end(), [](const auto& p) { return p.royal; });
  if (royal != 1)
    fail_at(pieces.span, royal == 0 ? "no piece is royal" : "more than one piece is royal",
            "one has royal = true: it must not be taken");
  const DocumentNode* play = tree.find("play");
  if (play == nullptr)
    fail_at(tree.span, "a game of pieces says what it begins with", "add [play] with array = \"'...'\"");
  check_keys(*play, "[play]", keys_of("play"));
  PlayDescription& to = out.play;
  to.span = play->span;
  for (const auto& [key, part] : {std::pair{"crowd", &to.crowd},
                                  {"share", &to.share},
                                  {"most", &to.most},
                                  {"capture", &to.capture},
                                  {"double_step", &to.double_step},
                                  {"en_passant", &to.en_passant},
                                  {"castling", &to.castling},
                                  {"stalemate", &to.stalemate},
                                  {"array", &to.array},
                                  {"material", &to.material}}) {
    *part = present_expression(*play, key);
  }
  if (to.array == nullptr && to.material == nullptr)
    fail_at(play->span, "nothing says what the game begins with", "add array = \"'...'\", a position, or material");
}

}  // namespace plenum
