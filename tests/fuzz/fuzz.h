// SPDX-License-Identifier: Apache-2.0
// What fuzz targets share: input taken apart, what must hold of it, and the properties of any description.
//
//     extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
//       Input in(data, size);
//       const absl::StatusOr<Description> description = described(in.rest());
//       if (!description.ok()) return for_people(description.status());
//       ...
//     }
//
// A target is given any bytes. A description, position or table that is wrong has to come back as an error for people; what is taken
// has to keep what its reader promises. Otherwise `fail` ends the program, which libFuzzer and the replay both report.
//
// Thread-safety: none; one input at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "variants/rules/variant.h"

namespace plenum::fuzz {

// Bytes from the front; zeros and empty texts where there are no more.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(reinterpret_cast<const char*>(data), size) {}
  bool empty() const { return left_.empty(); }
  std::uint8_t byte();
  std::size_t below(std::size_t limit) { return byte() % limit; }
  std::string line();               // up to the next line feed, which goes
  std::string take(std::size_t n);  // at most so many
  std::string rest();

 private:
  std::string_view left_;
};

[[noreturn]] void fail(const std::string& what);
inline void require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}
template <typename T>
T sure(absl::StatusOr<T> result, const std::string& what) {
  if (!result.ok()) fail(what + ": " + std::string(result.status().message()));
  return *std::move(result);
}

// An error may be any that a person can cause, and says something; 0, which is what a target returns.
int for_people(const absl::Status& status);

// A text as TOML has it in quotes.
std::string quoted_toml(std::string_view text);
// As if it were a file; whatever it extends is not there. Lines "#set NAME=VALUE" set options.
absl::StatusOr<Description> described(const std::string& text);
// One of the data folder, with options set.
Variant game(const std::string& name, const std::vector<std::string>& settings);

// What a description promises that was taken: its document is read as the same game, and on a small board (another is taken where
// it is not) it compiles or says why not. Then plays on from the start as the input says.
void check_description(Description description, Input& choices);
// The same of a compiled game.
void check_play(const Variant& variant, Position position, Input& choices);
// Of a position, reachable or not: its text is read as the same position, its moves are found by their texts, what they lead to can be
// written, in tiers that do not fall, and symmetric images have the images of its moves. The moves; none where it has ended or the
// rules make no sense there.
std::vector<Successor> check_position(const Variant& variant, const Position& position);

// A folder of this process's own, in memory where there is /dev/shm; it goes at the end.
const std::string& own_folder();
void write_file(const std::string& path, std::string_view bytes);
std::string read_file(const std::string& path);

}  // namespace plenum::fuzz
