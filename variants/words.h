// SPDX-License-Identifier: Apache-2.0
// The words of the language, each with what it is and an example: what errors suggest and references are made from.
#pragma once

#include <string>
#include <vector>

namespace plenum {

struct Word {
  std::string name;
  std::string usage;    // how it is written
  std::string meaning;  // a sentence
  bool is_function = false;
  bool on_boards = false;  // belongs to some board shapes only
};

const std::vector<Word>& words();

std::string join(const std::vector<std::string>& items);  // with commas

}  // namespace plenum
