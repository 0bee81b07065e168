// SPDX-License-Identifier: Apache-2.0
// Mutations for libFuzzer of what is written in the description language: half of them put in, take out or exchange words, as the
// language's tables have them, lines of examples, and parts of the input itself; the others are libFuzzer's own.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "variants/language/vocabulary.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace plenum::fuzz {
namespace {

void add_lines(const std::string& text, std::vector<std::string>& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at) + "\n");
    at = end + 1;
  }
}

const std::vector<std::string>& vocabulary() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out = {
        " ",      "0",  "1", "2",    "3",      "64",    "1000000000", "-1", "(",    ")",  "[",   "]",     "{",
        "}",      "\"", "'", "=",    ".",      ",",     ":",          "\n", "#",    "->", "if ", "then ", " in ",
        " else ", "x",  "o", "mine", "theirs", "empty", "passes",     "me", "them", "/",  " 1",  " 2",    " w - -"};
    for (const Word& word : words()) {
      out.push_back(word.name);
      out.push_back(word.usage);
      add_lines(word.example, out);
    }
    for (const TableKey& key : keys()) {
      out.push_back(key.name);
      out.push_back(key.table + "." + key.name + " = ");
      add_lines(key.example, out);
    }
    for (const auto* forms : {&operators(), &effects()}) {
      for (const Form& form : *forms) {
        out.push_back(form.usage);
        add_lines(form.example, out);
      }
    }
    add_lines(example_game(), out);
    add_lines(example_piece_game(), out);
    return out;
  }();
  return all;
}

// Begins of tokens: runs of letters and digits, and every other sign by itself.
std::vector<std::size_t> tokens(const std::string& text) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 || !inside(text[i]) || !inside(text[i - 1])) out.push_back(i);
  }
  out.push_back(text.size());
  return out;
}

class Mutation {
 public:
  explicit Mutation(unsigned seed) : random_(seed) {}

  std::string apply(const std::string& text) {
    const std::vector<std::size_t> at = tokens(text);
    std::size_t from = below(at.size());
    std::size_t to = std::min(at.size() - 1, from + below(4));
    const std::string before = text.substr(0, at[from]);
    const std::string after = text.substr(at[to]);
    switch (below(5)) {
      case 0:  // a word for what stands there
        return before + word() + after;
      case 1:  // a word more
        return before + word() + text.substr(at[from]);
      case 2:  // less
        return before + after;
      case 3: {  // what stands elsewhere
        std::size_t begin = below(at.size());
        const std::size_t end = std::min(at.size() - 1, begin + 1 + below(12));
        begin = std::min(begin, end);
        return before + text.substr(at[begin], at[end] - at[begin]) + (below(2) == 0 ? after : text.substr(at[from]));
      }
      default: {  // brackets around it, or a line twice
        if (below(2) == 0) return before + "(" + text.substr(at[from], at[to] - at[from]) + ")" + after;
        const std::size_t begin = text.rfind('\n', at[from] == 0 ? 0 : at[from] - 1) + 1;
        const std::size_t end = std::min(text.find('\n', at[from]), text.size());
        const std::string line = begin < end ? text.substr(begin, end - begin) + "\n" : "\n";
        return text.substr(0, std::min(begin, text.size())) + line + text.substr(std::min(begin, text.size()));
      }
    }
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  const std::string& word() { return vocabulary()[below(vocabulary().size())]; }

  std::minstd_rand random_;
};

}  // namespace
}  // namespace plenum::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  plenum::fuzz::Mutation mutation(seed + 1);
  for (int i = 0; i < 4; ++i) mutation.below(2);  // the first numbers are much like the seed
  if (mutation.below(2) == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (std::size_t left = 1 + mutation.below(3); left > 0; --left) text = mutation.apply(text);
  text.resize(std::min(text.size(), most));
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
