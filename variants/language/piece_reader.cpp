// SPDX-License-Identifier: Apache-2.0
// [pieces] and [play] of a description.
#include <algorithm>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "variants/language/description_reader.h"

namespace plenum {
namespace {

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
    out.promotes = optional_expression(present(node, "promotes"), "promotes");
    if (out.castles && !out.royal)
      fail_at(*out.castles, "only a royal piece castles", "'castles' names the piece it does it with");
  }
  text_of(*betza, "betza");
  out.betza = betza->span;
  return out;
}

}  // namespace

void read_pieces(const DocumentNode& tree, Description& out) {
  const DocumentNode& pieces = *tree.find("pieces");
  if (pieces.table() == nullptr) fail_at(pieces.span, "[pieces] is a table", "write N = \"N\"");
  for (const DocumentEntry& entry : *pieces.table()) {
    if (entry.node.boolean() != nullptr && !*entry.node.boolean()) continue;  // a tweak took it away
    out.pieces.push_back(read_piece(entry));
  }
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
                                  {"double_step", &to.double_step},
                                  {"en_passant", &to.en_passant},
                                  {"castling", &to.castling},
                                  {"stalemate", &to.stalemate},
                                  {"array", &to.array},
                                  {"material", &to.material}}) {
    *part = optional_expression(present(*play, key), key);
  }
  if (to.array == nullptr && to.material == nullptr)
    fail_at(play->span, "nothing says what the game begins with", "add array = \"'...'\", a position, or material");
}

}  // namespace plenum
