// SPDX-License-Identifier: Apache-2.0
// What a game is played on and with: [board] and [kinds] of a description.
#include <algorithm>
#include <cctype>

#include <absl/strings/str_cat.h>

#include "variants/language/description_reader.h"

namespace plenum {

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
  if (const DocumentNode* regions = board.find("regions")) {
    if (regions->table() == nullptr)
      fail_at(regions->span, "'regions' is a table", "write regions = { camp = \"a b\" }");
    for (const DocumentEntry& entry : *regions->table()) {
      check_name(entry.key, entry.key_span);
      text_of(entry.node, entry.key);
      extras.regions.emplace_back(entry.key, entry.node.span);
    }
  }
  if (const DocumentNode* at = board.find("at")) {
    if (at->table() == nullptr)
      fail_at(at->span, "'at' is a table of places", "write at = { a = [0, 1], b = [1, 1] }: column and row");
    for (const DocumentEntry& entry : *at->table()) {
      const DocumentList* place = entry.node.list();
      const bool good = place != nullptr && place->size() == 2 && (*place)[0].integer() != nullptr &&
                        (*place)[1].integer() != nullptr;
      const auto inside = [](std::int64_t n) { return 0 <= n && n <= 60; };
      if (!good || !inside(*(*place)[0].integer()) || !inside(*(*place)[1].integer()))
        fail_at(entry.node.span, "a place is a column and a row, from 0 to 60", "as in a = [0, 1]");
      extras.places.push_back(
          {inside_key(entry), static_cast<int>(*(*place)[0].integer()), static_cast<int>(*(*place)[1].integer())});
    }
  }
}

void read_kinds(const DocumentNode* node, Description& out) {
  const auto add_missing_owners = [&] {  // a player without a kind gets the usual one
    const auto owns = [&](Player p) {
      return std::any_of(out.kinds.begin(), out.kinds.end(), [&](const KindDescription& k) { return k.owner == p; });
    };
    if (!owns(Player::second)) out.kinds.insert(out.kinds.begin(), {"o", "o", Player::second, {}});
    if (!owns(Player::first)) out.kinds.insert(out.kinds.begin(), {"x", "x", Player::first, {}});
  };
  if (node == nullptr) {
    add_missing_owners();
    return;
  }
  if (node->table() == nullptr) fail_at(node->span, "[kinds] is a table", "write x = \"first\"");
  for (const DocumentEntry& entry : *node->table()) {
    if (entry.node.boolean() != nullptr && !*entry.node.boolean()) continue;
    check_name(entry.key, entry.key_span);
    KindDescription kind{entry.key, entry.key.substr(0, 1), std::nullopt, entry.key_span};
    const DocumentNode* owner = &entry.node;
    if (entry.node.table() != nullptr) {
      check_keys(entry.node, absl::StrCat("kind '", entry.key, "'"), keys_of("kind"));
      owner = entry.node.find("owner");
      if (owner == nullptr)
        fail_at(entry.key_span, absl::StrCat("kind '", entry.key, "' needs an owner"), "first, second or nobody");
      if (const DocumentNode* letter = entry.node.find("letter")) {
        kind.letter = text_of(*letter, "letter");
        if (kind.letter.size() != 1 || std::isalpha(static_cast<unsigned char>(kind.letter[0])) == 0)
          fail_at(letter->span, "a kind's letter is one letter", "");
      }
    }
    const std::string word = text_of(*owner, "owner");
    if (word == "first") {
      kind.owner = Player::first;
    } else if (word == "second") {
      kind.owner = Player::second;
    } else if (word != "nobody") {
      fail_at(owner->span, absl::StrCat("there is no owner '", word, "'"),
              suggestion(word, {"first", "second", "nobody"}, "owners"));
    }
    out.kinds.push_back(std::move(kind));
  }
  add_missing_owners();
  if (out.kinds.size() > 6) fail_at(node->span, "a game has at most six kinds of stones", "");
  for (std::size_t a = 0; a < out.kinds.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (out.kinds[a].letter != out.kinds[b].letter) continue;
      fail_at(out.kinds[a].span.source ? out.kinds[a].span : out.kinds[b].span,
              absl::StrCat("kinds '", out.kinds[b].name, "' and '", out.kinds[a].name, "' have the same letter"),
              "give one of them another: { owner = \"...\", letter = \"y\" }");
    }
  }
}

}  // namespace plenum
