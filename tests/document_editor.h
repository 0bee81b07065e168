// SPDX-License-Identifier: Apache-2.0
// Random edits of descriptions, for the tests of what a description means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "variants/text/document.h"

namespace plenum::variants_testing {

// Random edits of a document's tree, as a person who tweaks a game makes them, and as nobody would.
class Editor {
 public:
  explicit Editor(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  void edit(DocumentNode& document) {
    std::vector<DocumentNode*> tables;
    std::vector<DocumentNode*> leaves;
    collect(document, tables, leaves);
    switch (below(8)) {
      case 0:
        return swap_entries(*tables[below(tables.size())]);
      case 1:
        return remove_entry(*tables[below(tables.size())]);
      case 2:
        return rename_entry(*tables[below(tables.size())]);
      case 3:
        return copy_entry(*tables[below(tables.size())]);
      default:
        return change(*leaves[below(leaves.size())]);
    }
  }

  // An edit that changes nothing but prose, spelling and order of what has none.
  void rephrase(DocumentNode& document) {
    DocumentTable& top = std::get<DocumentTable>(document.value);
    switch (below(6)) {
      case 0: {
        const std::vector<std::string> prose = {"name", "author", "source", "about"};
        set(top, prose[below(prose.size())], "Other words " + std::to_string(below(1000)));
        return;
      }
      case 1:  // the order of tables, of options and of definitions
        std::shuffle(top.begin(), top.end(), random_);
        return;
      case 2:
      case 3:
        for (DocumentEntry& entry : top) {
          if (entry.key != "options" && entry.key != "define") continue;
          DocumentTable& table = std::get<DocumentTable>(entry.node.value);
          std::shuffle(table.begin(), table.end(), random_);
          if (entry.key != "options" || table.empty()) continue;
          DocumentTable& option = std::get<DocumentTable>(table[below(table.size())].node.value);
          set(option, "about", "It is " + std::to_string(below(1000)));
        }
        return;
      case 4:  // a definition that nothing reads
        for (DocumentEntry& entry : top) {
          if (entry.key == "define") set(std::get<DocumentTable>(entry.node.value), "nobody_reads_this", "count(mine)");
        }
        return;
      default:  // blanks between the words of expressions
        for (DocumentEntry& entry : top) {
          if (entry.key != "define" && entry.key != "end") continue;
          for (DocumentEntry& inner : std::get<DocumentTable>(entry.node.value)) {
            std::string* text = std::get_if<std::string>(&inner.node.value);
            if (text != nullptr && text->find('\'') == std::string::npos) *text = widen(*text);
          }
        }
    }
  }

 private:
  static void collect(DocumentNode& node, std::vector<DocumentNode*>& tables, std::vector<DocumentNode*>& leaves) {
    if (DocumentTable* table = std::get_if<DocumentTable>(&node.value)) {
      if (!table->empty()) tables.push_back(&node);
      for (DocumentEntry& entry : *table) collect(entry.node, tables, leaves);
    } else if (DocumentList* list = std::get_if<DocumentList>(&node.value)) {
      for (DocumentNode& item : *list) collect(item, tables, leaves);
    } else {
      leaves.push_back(&node);
    }
  }

  static void set(DocumentTable& table, const std::string& key, const std::string& text) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const DocumentEntry& e) { return e.key == key; });
    DocumentEntry entry{key, {}, {text, {}}};
    if (found == table.end()) {
      table.push_back(std::move(entry));
    } else {
      *found = std::move(entry);
    }
  }

  // Blanks before and after whatever is no part of a word or of an operator of two signs.
  std::string widen(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '(' || c == ')' || c == '+' || c == '&' || c == '|') {
        out += std::string(below(3), ' ') + c + std::string(below(3), ' ');
      } else {
        out += c;
      }
    }
    return out;
  }

  void swap_entries(DocumentNode& node) {
    DocumentTable& table = std::get<DocumentTable>(node.value);
    std::swap(table[below(table.size())], table[below(table.size())]);
  }
  void remove_entry(DocumentNode& node) {
    DocumentTable& table = std::get<DocumentTable>(node.value);
    table.erase(table.begin() + static_cast<std::ptrdiff_t>(below(table.size())));
  }
  void rename_entry(DocumentNode& node) {
    DocumentTable& table = std::get<DocumentTable>(node.value);
    const std::vector<std::string> names = {"about", "x",         "o",    "red", "place",
                                            "pass",  "first_one", "name", "a b", "surplus"};
    const std::string& name = names[below(names.size())];
    if (node_has(table, name)) return;
    table[below(table.size())].key = name;
  }
  void copy_entry(DocumentNode& node) {
    DocumentTable& table = std::get<DocumentTable>(node.value);
    const DocumentNode copied = table[below(table.size())].node;
    table[below(table.size())].node = copied;
  }
  static bool node_has(const DocumentTable& table, const std::string& name) {
    return std::any_of(table.begin(), table.end(), [&](const DocumentEntry& e) { return e.key == name; });
  }

  void change(DocumentNode& leaf) {
    if (std::int64_t* number = std::get_if<std::int64_t>(&leaf.value)) {
      *number += below(2) == 0 ? 1 : -1;
    } else if (bool* truth = std::get_if<bool>(&leaf.value)) {
      *truth = !*truth;
    } else {
      std::string& text = std::get<std::string>(leaf.value);
      if (text.size() == 1) {
        text = "bqrstuvxo"[below(9)];
        return;
      }
      const std::size_t at = below(text.size() + 1);
      switch (below(5)) {
        case 0: {
          const std::size_t quote = text.find('\'');  // blanks inside quotes count
          text.insert(quote == std::string::npos ? at : std::min(quote + 1 + below(4), text.size()), 1, ' ');
          return;
        }
        case 1:
          if (at < text.size()) text.erase(at, 1);
          return;
        case 2:
          if (at < text.size()) text[at] = "0123456789 +-*&|!<>=()',"[below(24)];
          return;
        case 3:
          text = "(" + text + ")";
          return;
        default:
          replace_word(text);
      }
    }
  }

  void replace_word(std::string& text) {
    static const std::vector<std::pair<std::string, std::string>> kPairs = {
        {"mine", "theirs"}, {"theirs", "mine"}, {"empty", "stones"}, {"+", "-"},        {"-", "+"},
        {"&", "|"},         {"|", "&"},         {">", ">="},         {"==", ">="},      {"1", "2"},
        {"2", "3"},         {"place", "move"},  {"first", "second"}, {"near", "!near"}, {"count(", "2 * count("},
        {"square", "king"}, {"path", "cycle"},  {"x", "o"},          {"me", "them"}};
    const auto& [from, to] = kPairs[below(kPairs.size())];
    const std::size_t found = text.find(from);
    if (found != std::string::npos) text.replace(found, from.size(), to);
  }

  std::mt19937_64 random_;
};

}  // namespace plenum::variants_testing
