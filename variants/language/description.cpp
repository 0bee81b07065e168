// SPDX-License-Identifier: Apache-2.0
#include "variants/language/description.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <absl/strings/ascii.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include "variants/language/description_reader.h"
#include "variants/text/text_file.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostExtends = 30;  // files above one another

// Lines may end as on Windows; inside they end in \n, so that texts are found in the file letter for letter.
std::shared_ptr<const SourceText> file_text(std::string name, const std::string& text) {
  return std::make_shared<const SourceText>(
      SourceText{std::move(name), absl::StrReplaceAll(text, {{"\r\n", "\n"}}), true});
}

std::shared_ptr<const SourceText> read_file(const fs::path& path, const Span& asked) {
  const absl::StatusOr<std::string> text = read_text_file(path.string());
  if (!text.ok()) fail_at(asked, std::string(text.status().message()), "give the text file of a description");
  return file_text(path.string(), *text);
}

// A name stands for NAME.toml beside the file that asks for it or in the data folder; anything with a slash or an
// ending is a path.
fs::path find_variant(const Span& asked, const fs::path& beside, const std::string& data_folder) {
  const std::string name(asked.text());
  std::error_code ignored;
  std::vector<fs::path> places;
  if (name.find('/') != std::string::npos || fs::path(name).extension() == ".toml") {
    places.push_back(fs::path(name).is_absolute() ? fs::path(name) : beside / name);
  } else {
    if (!beside.empty()) places.push_back(beside / (name + ".toml"));
    places.push_back(fs::path(data_folder) / "variants" / (name + ".toml"));
  }
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place, ignored)) return place;
  }
  for (const fs::path& place : places) {
    if (fs::exists(place, ignored)) return place;  // whoever reads it says what is wrong with it
  }
  const std::vector<std::string> known = variant_names(data_folder);
  if (known.empty())
    fail_at(asked, absl::StrCat("there is no variant '", name, "', nor any other in ", data_folder, "/variants"),
            "PLENUM_DATA names the data folder; a file of your own is given by its path");
  const std::string stem = fs::path(name).stem().string();
  if (stem != name && std::find(known.begin(), known.end(), stem) != known.end())
    fail_at(asked, absl::StrCat("there is no file ", name), absl::StrCat("'", stem, "' is the one that comes with it"));
  if (fs::path(name).extension() == ".toml")
    fail_at(asked, absl::StrCat("there is no file ", name),
            "a game that comes with the program is given by its name alone");
  const std::string close = nearest(name, known);
  fail_at(asked, absl::StrCat("there is no variant '", name, "'"),
          close.empty() ? absl::StrCat("give a file, or one of: ", absl::StrJoin(known, ", "))
                        : absl::StrCat("did you mean '", close,
                                       "'? A file of your own is given by its path, as in ./my-game.toml"));
}

// One name for a file however its path is written. What has no other name (/dev/stdin) is refused where it is read.
std::string one_name(const fs::path& path) {
  std::error_code error;
  const fs::path name = fs::weakly_canonical(path, error);
  return (error ? path : name).string();
}

using Removed = std::vector<std::pair<std::string, Span>>;

DocumentNode load_tree(const std::shared_ptr<const SourceText>& source, const fs::path& folder,
                       const std::string& data_folder, std::vector<std::string> chain, Removed& removed) {
  DocumentNode tree = parse_document(source);
  const DocumentNode* extends = tree.find("extends");
  if (extends == nullptr) return tree;
  if (extends->text() == nullptr) fail_at(extends->span, "'extends' names a variant", "write extends = \"name\"");
  const fs::path base = find_variant(extends->span, folder, data_folder);
  const std::string base_name = one_name(base);
  if (std::find(chain.begin(), chain.end(), base_name) != chain.end()) {
    fail_at(extends->span, "this variant extends itself in a circle", "a tweak extends another file");
  }
  if (chain.size() > kMostExtends)
    fail_at(extends->span, absl::StrCat("more than ", kMostExtends, " files extend one another"),
            "write some of the changes into one file");
  chain.push_back(base_name);
  DocumentNode below = load_tree(read_file(base, extends->span), base.parent_path(), data_folder, chain, removed);
  // The tests of the file below speak of its rules, not of the tweak's.
  if (DocumentTable* entries = std::get_if<DocumentTable>(&below.value)) {
    std::erase_if(*entries, [](const DocumentEntry& e) { return e.key == "test"; });
  }
  return merge_documents(std::move(below), tree, removed);
}

Description description_of(const std::shared_ptr<const SourceText>& source, const fs::path& folder,
                           const std::string& data_folder, std::vector<std::string> chain) {
  Removed removed;
  const DocumentNode tree = load_tree(source, folder, data_folder, std::move(chain), removed);
  Description out = read_description(tree, source->name);
  out.removed = std::move(removed);
  out.document = to_toml(tree, {"extends", "test"});
  return out;
}

}  // namespace

std::string to_text(const OptionValue& value) {
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "on" : "off";
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return absl::StrCat(*number);
  return std::get<std::string>(value);
}

std::string Option::choices() const {
  if (std::holds_alternative<bool>(initial)) return "on, off";
  if (range) return absl::StrCat(range->first, "..", range->second);
  return absl::StrJoin(one_of, ", ");
}

std::vector<std::string> Option::values() const {
  if (std::holds_alternative<bool>(initial)) return {"on", "off"};
  if (!range) return one_of;
  std::vector<std::string> out;
  for (std::int64_t n = range->first; n <= range->second; ++n) out.push_back(absl::StrCat(n));
  return out;
}

const Option* Description::find_option(std::string_view wanted) const {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == wanted; });
  return found == options.end() ? nullptr : &*found;
}

absl::Status Description::set_option(const Span& assignment) {
  const auto set = [&]() -> bool {
    const std::string text(assignment.text());
    const std::size_t equals = text.find('=');
    const std::string key(absl::StripAsciiWhitespace(text.substr(0, equals)));
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(option.name);
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == key; });
    if (found == options.end()) {
      fail_at(assignment.part(0, std::max<std::size_t>(1, std::min(equals, text.size()))),
              absl::StrCat("there is no option '", key, "'"), suggestion(key, names, "options"));
    }
    if (equals == std::string::npos) {
      fail_at(assignment, absl::StrCat("option '", key, "' needs a value"),
              absl::StrCat("write ", key, "=VALUE; it takes ", found->choices()));
    }
    const std::size_t skip = std::min(text.find_first_not_of(" \t", equals + 1), text.size());
    const std::string word(absl::StripAsciiWhitespace(text.substr(skip)));
    const Span value_span = assignment.part(skip, std::max<std::size_t>(1, word.size()));
    found->value = read_option_value(*found, word, value_span);
    if (key == "board") use_board(value_span);
    return true;
  };
  return guard(set).status();
}

absl::Status Description::count_outcome_alone() {
  if (!pieces.empty()) return absl::OkStatus();  // no margin is counted there
  return guard([&] {
           end.value = parse_expression(Span::whole("outcome alone", "'outcome'"));
           Removed nothing;
           document = to_toml(
               merge_documents(parse_document(file_text("the game", document)),
                               parse_document(file_text("outcome alone", "end.value = \"'outcome'\"\n")), nothing),
               {});
           return true;
         })
      .status();
}

void Description::use_board(Span text) {
  board_span = std::move(text);
  edges_span.reset();
}

Span Description::board_text() const {
  if (board_span) return *board_span;
  const Option* board = find_option("board");
  return board == nullptr ? Span::whole("board", "") : Span::whole("board", to_text(board->value));
}

absl::StatusOr<Board> Description::board() const {
  return edges_span ? Board::from_edges(*edges_span, board_extras) : Board::parse(board_text());
}

absl::StatusOr<Description> load_description(const std::string& name_or_path, const std::string& data_folder) {
  return guard([&] {
    const Span asked = Span::whole("variant", name_or_path);
    const fs::path path = find_variant(asked, "", data_folder);
    return description_of(read_file(path, asked), path.parent_path(), data_folder, {one_name(path)});
  });
}

absl::StatusOr<Description> parse_description(SourceText text, const std::string& data_folder,
                                              const std::string& beside) {
  return guard([&] { return description_of(file_text(std::move(text.name), text.text), beside, data_folder, {}); });
}

std::vector<std::string> variant_names(const std::string& data_folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(data_folder) / "variants", error)) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace plenum
