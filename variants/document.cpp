// SPDX-License-Identifier: Apache-2.0
#include "variants/document.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
// toml++ 3.3 takes for granted some things that wrong files break ("[[[a]]"), and goes on well enough where it may not.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSUME
#define TOML_ASSUME(...) static_assert(true)
#include <toml++/toml.h>

namespace plenum {
namespace {

using Source = std::shared_ptr<const SourceText>;

// Where the lines of a text begin, and every 64th of its characters: the byte of any line and column in a few steps.
class Places {
 public:
  explicit Places(const Source& source) : source_(source), lines_(1, 0) {
    const std::string& text = source->text;
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!begins_character(text[i])) continue;
      if (characters % kStride == 0) bytes_.push_back(i);
      ++characters;
      if (text[i] == '\n') lines_.push_back(characters);
    }
    if (bytes_.empty()) bytes_.push_back(0);
  }

  // toml++ counts lines and columns from 1, columns in characters.
  std::size_t byte(const toml::source_position& at) const {
    const std::string& text = source_->text;
    const auto line = static_cast<std::size_t>(std::max<toml::source_index>(at.line, 1)) - 1;
    if (line >= lines_.size()) return text.size();
    const std::size_t character =
        lines_[line] + static_cast<std::size_t>(std::max<toml::source_index>(at.column, 1)) - 1;
    const std::size_t stride = std::min(character / kStride, bytes_.size() - 1);
    std::size_t i = bytes_[stride];
    for (std::size_t left = character - stride * kStride; left > 0 && i < text.size(); --left) {
      ++i;
      while (i < text.size() && !begins_character(text[i])) ++i;
    }
    return i;
  }

  Span span(const toml::source_region& region) const {
    const std::size_t begin = byte(region.begin);
    const std::size_t end = std::clamp(byte(region.end), begin, source_->text.size());
    return {source_, begin, end - begin};
  }

  const Source& source() const { return source_; }

 private:
  static constexpr std::size_t kStride = 64;
  static bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }
  Source source_;
  std::vector<std::size_t> lines_;  // by line: the number of its first character
  std::vector<std::size_t> bytes_;  // of every kStride-th character
};

// The inside of a string literal; where escapes make text and source differ, the text by itself, under the name of its place.
Span string_span(const Span& literal, toml::source_index line, const std::string& value) {
  const Source& source = literal.source;
  const std::string_view text = source->text;
  std::size_t begin = literal.offset;
  for (const std::string_view quote : {"\"\"\"", "'''", "\"", "'"}) {
    if (text.substr(begin, quote.size()) != quote) continue;
    begin += quote.size();
    if (quote.size() == 3 && text.substr(begin, 1) == "\n") ++begin;
    break;
  }
  if (text.substr(begin, value.size()) == value) return {source, begin, value.size()};
  return Span::whole(absl::StrCat(source->name, ":", line, ": the text"), value);
}

constexpr int kMostDots = 12;      // of one key
constexpr int kMostBrackets = 30;  // open at one place

// Signs that are not ASCII belong in texts and comments, and tables do not nest without end. Checked here, since elsewhere
// toml++ 3.3 does anything at all (its is_non_ascii_horizontal_whitespace reaches an "unreachable" place, and it makes and
// destroys nested tables by recursion).
void check_signs(const Source& source) {
  const std::string_view text = source->text;
  int dots = 0;
  int brackets = 0;
  const auto too_deep = [&](std::size_t at) {
    fail_at({source, at, 1}, "tables are nested too deeply here",
            "a description has tables in tables in [moves] at most");
  };
  std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      const std::string long_quote(3, c);
      const bool is_long = text.substr(i, 3) == long_quote;
      i += is_long ? 3 : 1;
      while (i < text.size() && (is_long ? text.substr(i, 3) != long_quote : text[i] != c && text[i] != '\n')) {
        i += c == '"' && text[i] == '\\' ? 2 : 1;
      }
      i = std::min(i + (is_long ? 3 : 1), text.size());
      for (int more = 0; is_long && more < 2 && i < text.size() && text[i] == c; ++more)
        ++i;  // quotes at the text's end
    } else if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
      std::size_t bytes = 1;
      while (i + bytes < text.size() && (static_cast<unsigned char>(text[i + bytes]) & 0xC0U) == 0x80U) ++bytes;
      fail_at({source, i, bytes}, "this sign can only stand in a text or a comment",
              "names and keys are of letters, digits and _; texts stand in quotes");
    } else {
      if (c == '.' && ++dots > kMostDots) too_deep(i);
      if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
      if ((c == '[' || c == '{') && ++brackets > kMostBrackets) too_deep(i);
      if (c == ']' || c == '}') brackets = std::max(brackets - 1, 0);
      ++i;
    }
  }
}

DocumentNode convert(const Places& places, const toml::node& node, const Span& fallback) {
  DocumentNode out;
  out.span = node.source().begin ? places.span(node.source()) : fallback;
  if (const toml::table* table = node.as_table()) {
    DocumentTable entries;
    for (const auto& [key, value] : *table) {
      const Span key_span = places.span(key.source());
      entries.push_back({std::string(key.str()), key_span, convert(places, value, key_span)});
    }
    std::stable_sort(entries.begin(), entries.end(), [](const DocumentEntry& a, const DocumentEntry& b) {
      return a.key_span.offset < b.key_span.offset;
    });
    out.value = std::move(entries);
  } else if (const toml::array* array = node.as_array()) {
    DocumentList list;
    for (const toml::node& value : *array) list.push_back(convert(places, value, out.span));
    out.value = std::move(list);
  } else if (const auto* text = node.as_string()) {
    out.span = string_span(out.span, node.source().begin.line, text->get());
    out.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.value = integer->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.value = boolean->get();
  } else {
    fail_at(out.span, "only texts, whole numbers, true and false, tables and lists are used in descriptions",
            "write a fraction as an expression in quotes, such as \"1/2\"");
  }
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      absl::StrAppend(&out, "\\u00", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string inline_toml(const DocumentNode& node) {
  if (const std::string* text = node.text()) return quoted(*text);
  if (const std::int64_t* integer = node.integer()) return absl::StrCat(*integer);
  if (const bool* boolean = node.boolean()) return *boolean ? "true" : "false";
  std::string out;
  if (const DocumentTable* table = node.table()) {
    for (const DocumentEntry& entry : *table)
      absl::StrAppend(&out, out.empty() ? "" : ", ", quoted(entry.key), " = ", inline_toml(entry.node));
    return absl::StrCat("{", out, "}");
  }
  for (const DocumentNode& item : *node.list()) absl::StrAppend(&out, out.empty() ? "" : ", ", inline_toml(item));
  return absl::StrCat("[", out, "]");
}

}  // namespace

std::string to_toml(const DocumentNode& document, const std::vector<std::string_view>& without) {
  std::string out;
  for (const DocumentEntry& entry : *document.table()) {
    if (std::find(without.begin(), without.end(), entry.key) != without.end()) continue;
    absl::StrAppend(&out, quoted(entry.key), " = ", inline_toml(entry.node), "\n");
  }
  return out;
}

const DocumentNode* DocumentNode::find(std::string_view key) const {
  const DocumentTable* entries = table();
  if (entries == nullptr) return nullptr;
  for (const DocumentEntry& entry : *entries) {
    if (entry.key == key) return &entry.node;
  }
  return nullptr;
}

DocumentNode parse_document(const Source& source) {
  check_signs(source);
  toml::parse_result parsed = toml::parse(source->text, source->name);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    Span span = Places(source).span(error.source());
    span.length = std::max<std::size_t>(span.length, 1);
    fail_at(span, error.description(),
            "the file is TOML: key = value lines under [table] headings; texts stand in quotes");
  }
  return convert(Places(source), parsed.table(), Span{source, 0, 0});
}

DocumentNode merge_documents(DocumentNode base, const DocumentNode& tweak,
                             std::vector<std::pair<std::string, Span>>& removed) {
  DocumentTable* into = std::get_if<DocumentTable>(&base.value);
  const DocumentTable* from = tweak.table();
  if (into == nullptr || from == nullptr) return tweak;
  for (const DocumentEntry& entry : *from) {
    const auto found =
        std::find_if(into->begin(), into->end(), [&](const DocumentEntry& old) { return old.key == entry.key; });
    if (found == into->end()) {
      into->push_back(entry);
    } else if (entry.node.boolean() != nullptr && !*entry.node.boolean() && found->node.boolean() == nullptr) {
      removed.emplace_back(entry.key, entry.key_span);
      into->erase(found);
    } else {
      found->node = merge_documents(std::move(found->node), entry.node, removed);
      found->key_span = entry.key_span;
    }
  }
  return base;
}

}  // namespace plenum
