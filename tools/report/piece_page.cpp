// SPDX-License-Identifier: Apache-2.0
#include "tools/report/piece_page.h"

#include <algorithm>
#include <optional>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/report/draw.h"
#include "tools/report/page_text.h"
#include "variants/language/betza_diagram.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kGap = 4;
constexpr std::size_t kBlocks = 3;  // beside each other
constexpr std::size_t kBlockColumns = (pages::kPageColumns - (kBlocks - 1) * kGap) / kBlocks;

// A line in pieces that fit a block, each but the first indented.
std::vector<std::string> wrapped(std::string line) {
  std::vector<std::string> out;
  while (display_width(line) > kBlockColumns) {
    const std::size_t space = line.rfind(' ', kBlockColumns);
    const bool breaks = space != std::string::npos && line.find_first_not_of(' ') < space;
    const std::size_t end = breaks ? space : kBlockColumns;
    out.push_back(line.substr(0, end));
    line = absl::StrCat("  ", line.substr(breaks ? end + 1 : end));
  }
  out.push_back(std::move(line));
  return out;
}

// What is said of a piece.
struct PieceFacts {
  const PieceDescription* piece = nullptr;
  bool in_play = false;
  std::vector<std::string> becomes;  // letters; where it is not in play only if they can be read off
  std::string promotes;              // as written
  std::string drawing;
};

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text) out.emplace_back(1, c);
  return out;
}

// What it becomes, of a piece that is not in play: a text, or an option with one.
std::vector<std::string> becomes_as_written(const Description& description, const Expression& promotes) {
  if (promotes.kind == Expression::Kind::text) return letters_of(promotes.word);
  const Option* option = promotes.kind == Expression::Kind::name ? description.find_option(promotes.word) : nullptr;
  return option == nullptr ? std::vector<std::string>() : letters_of(to_text(option->value));
}

absl::StatusOr<PieceFacts> facts_of(const Variant& variant, const PieceDescription& piece) {
  const Description& description = variant.description();
  const PieceSet& set = *variant.rules().pieces();
  PieceFacts out;
  out.piece = &piece;
  if (piece.promotes != nullptr) out.promotes = std::string(piece.promotes->span.text());
  const auto kind = std::find_if(set.kinds.begin(), set.kinds.end(),
                                 [&](const PieceKind& one) { return one.letter == piece.letter; });
  out.in_play = kind != set.kinds.end();
  if (out.in_play) {
    for (const std::size_t to : kind->promotions) out.becomes.push_back(set.kinds[to].letter);
  } else if (piece.promotes != nullptr) {
    out.becomes = becomes_as_written(description, *piece.promotes);
  }
  ASSIGN_OR_RETURN(std::vector<BetzaAtom> atoms, parse_betza(piece.betza));
  if (piece.first_step && description.play.double_step != nullptr) {
    ASSIGN_OR_RETURN(std::vector<BetzaAtom> first, parse_betza(*piece.first_step));
    for (BetzaAtom& atom : first) {
      atom.initial = true;
      atoms.push_back(std::move(atom));
    }
  }
  out.drawing = draw_reach(atoms);
  return out;
}

absl::StatusOr<std::vector<PieceFacts>> all_facts(const Variant& variant) {
  const Description& description = variant.description();
  if (variant.rules().pieces() == nullptr)
    return absl::InvalidArgumentError(
        absl::StrCat(description.name, " has no [pieces]: its stones do what its moves say", "\n  leave out --pieces"));
  std::vector<PieceFacts> out;
  for (const PieceDescription& piece : description.pieces) {
    ASSIGN_OR_RETURN(out.emplace_back(), facts_of(variant, piece));
  }
  return out;
}

std::vector<std::string> block_of(const Description& description, const PieceFacts& facts) {
  const PieceDescription& piece = *facts.piece;
  std::vector<std::string> said;
  if (piece.royal) said.emplace_back("royal");
  if (piece.castles)
    said.push_back(absl::StrCat("castles with ", absl::StrJoin(letters_of(piece.castles->text()), ", ")));
  if (piece.promotes != nullptr)
    said.push_back(
        absl::StrCat("promotes to ", facts.becomes.empty() ? facts.promotes : absl::StrJoin(facts.becomes, ", ")));
  if (piece.first_step) {
    const ExpressionPtr& when = description.play.double_step;
    said.push_back(absl::StrCat(
        "first step ", std::string(piece.first_step->text()),
        when == nullptr ? ", but [play] does not allow it" : absl::StrCat(", if ", std::string(when->span.text()))));
  }
  if (!facts.in_play) said.emplace_back("not in play here");
  std::vector<std::string> out = {absl::StrCat(piece.letter, "  ", std::string(piece.betza.text()))};
  for (const std::string& one : said) out.push_back(one);
  for (std::string& line : drawn_lines(facts.drawing)) out.push_back(std::move(line));
  return out;
}

}  // namespace

std::vector<std::string> drawn_lines(const std::string& drawing) {
  std::vector<std::string> out = absl::StrSplit(drawing, '\n', absl::SkipEmpty());
  if (out.empty()) return out;
  const std::string last = out.back();
  out.pop_back();
  for (const auto mark : absl::StrSplit(last, "; ")) out.emplace_back(mark);
  return out;
}

std::string beside(const std::vector<std::vector<std::string>>& blocks) {
  std::string out;
  for (std::size_t begin = 0; begin < blocks.size(); begin += kBlocks) {
    std::vector<std::vector<std::string>> row;
    std::size_t height = 0;
    for (std::size_t i = begin; i < std::min(blocks.size(), begin + kBlocks); ++i) {
      std::vector<std::string>& block = row.emplace_back();
      for (const std::string& line : blocks[i]) {
        for (std::string& part : wrapped(line)) block.push_back(std::move(part));
      }
      height = std::max(height, block.size());
    }
    if (begin > 0) out += '\n';
    for (std::size_t y = 0; y < height; ++y) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line = pad_right(std::move(line), i * (kBlockColumns + kGap)) + (y < row[i].size() ? row[i][y] : "");
      line.erase(line.find_last_not_of(' ') + 1);
      absl::StrAppend(&out, line, "\n");
    }
  }
  return out;
}

absl::StatusOr<std::string> pieces_page(const Variant& variant) {
  ASSIGN_OR_RETURN(const std::vector<PieceFacts> facts, all_facts(variant));
  const Description& description = variant.description();
  std::vector<std::vector<std::string>> blocks;
  blocks.reserve(facts.size());
  for (const PieceFacts& one : facts) blocks.push_back(block_of(description, one));
  return absl::StrCat(description.name, ": ", pages::count(facts.size(), "piece"),
                      "; O is the piece, its owner's forward is up\n\n", beside(blocks));
}

absl::StatusOr<Json> pieces_json(const Variant& variant) {
  ASSIGN_OR_RETURN(const std::vector<PieceFacts> facts, all_facts(variant));
  const auto text_or_null = [](const std::optional<Span>& span) { return span ? Json(span->text()) : Json(); };
  return json_list(facts, [&](const PieceFacts& one) -> Json {
    const PieceDescription& piece = *one.piece;
    const std::string becomes = one.becomes.empty() ? one.promotes : absl::StrJoin(one.becomes, "");
    return {{"letter", piece.letter},
            {"betza", piece.betza.text()},
            {"royal", piece.royal},
            {"promotes", piece.promotes != nullptr ? Json(becomes) : Json()},
            {"castles", text_or_null(piece.castles)},
            {"first_step", text_or_null(piece.first_step)},
            {"in_play", one.in_play},
            {"diagram", one.drawing}};
  });
}

}  // namespace plenum
