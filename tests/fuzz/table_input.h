// SPDX-License-Identifier: Apache-2.0
// Table files as fuzz inputs. The first byte says how the rest is to be taken:
//
//     F   the file as it is
//     M   the file, with its checksums mended, so that what is forged gets past them
//     P   parts: header and footer, a line each; then layers: the name on a line, two bytes of length (the low one first), the bytes
//     G   parts, and "game" and "hash" in the header become those of its description and settings
//
// Thread-safety: none.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plenum::fuzz {

struct TableParts {
  std::string header;
  std::string footer;
  std::vector<std::pair<std::string, std::string>> layers;
};

// The input as a file's bytes; none if it is in parts that no file can have.
std::string table_of(const std::string& input);
// Parts as an input, without its first byte.
std::string text_of(const TableParts& parts);
// A file's parts; the file has to be sound.
TableParts parts_of(const std::string& path);
// All of a file's bytes from its parts.
std::string file_of(const TableParts& parts);
void mend(std::string& file);

}  // namespace plenum::fuzz
