// SPDX-License-Identifier: Apache-2.0
// What a killed solve goes on from: the finished pieces of an unfinished table, a table file each.
//
// They lie in the folder "<path>.partial" (of a link: beside the file it leads to, where there is room) and carry the identity of their game (in their footers), so pieces of another game, or of
// the same under other rules, are never taken for this one's. A piece appears when it is complete; a damaged one counts
// as never saved. Either is removed when it is met. Files that are not pieces are left alone.
//
// Bytes of a position and counters are kept as they lie in memory, on machines whose lowest byte comes first; kPieceLayout tells how.
//
// Thread-safety: none; a folder is for one program at a time.
// Cost: load() reads a piece once, to know that all of it is sound.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "tables/file/table_file.h"

namespace plenum {

// To be raised when a solver lays out the layers of its pieces differently: pieces of another layout are never taken up.
inline constexpr int kPieceLayout = 3;

// Counters as they are kept in a piece: a struct of numbers without gaps between them.
template <typename T>
requires(std::has_unique_object_representations_v<T>) std::span<std::uint8_t> counter_bytes(std::span<T> counters) {
  return {reinterpret_cast<std::uint8_t*>(counters.data()), counters.size_bytes()};
}
template <typename T>
requires(std::has_unique_object_representations_v<T>) std::span<const std::uint8_t> counter_bytes(
    std::span<const T> counters) {
  return {reinterpret_cast<const std::uint8_t*>(counters.data()), counters.size_bytes()};
}

class Checkpoint {
 public:
  struct Layer {
    using Bytes = std::span<const std::uint8_t>;
    Layer(std::string n, Bytes bytes) : name(std::move(n)), parts{bytes} {}
    Layer(std::string n, std::vector<Bytes> p) : name(std::move(n)), parts(std::move(p)) {}
    std::string name;
    std::vector<Bytes> parts;  // one after the other
  };

  // Makes the folder if it is not there, and removes what in it belongs to another game or was abandoned half written.
  static absl::StatusOr<Checkpoint> open(const std::string& path, const std::string& game);

  const std::string& folder() const { return folder_; }
  // Names are of letters, digits, '-' and '_', for example "tier-013". A piece saved before under this name is replaced.
  absl::Status save(const std::string& name, const std::string& header, std::span<const Layer> layers) const;
  // For whoever writes a piece by other means, with game() as its footer: the path of the file, whose folder is there.
  absl::StatusOr<std::string> new_piece(const std::string& name) const;
  const std::string& game() const { return game_; }
  // None if it was not saved, or is damaged.
  std::optional<std::shared_ptr<TableReader>> load(const std::string& name) const;
  // The same where it is known that it is sound: another process has loaded it.
  std::optional<std::shared_ptr<TableReader>> open_checked(const std::string& name) const;
  // A whole layer of a piece; false if it has none of this name and length, or it cannot be read.
  static bool read(const TableReader& piece, std::string_view layer, std::span<std::uint8_t> to);
  // Names of the pieces, in alphabetic order. Whether they are sound load() finds out.
  std::vector<std::string> finished() const;
  // One that is not needed any more.
  void remove(const std::string& name) const;
  // All pieces, and the folder if nothing else is in it.
  absl::Status remove_all() const;

 private:
  Checkpoint(std::string folder, std::string game) : folder_(std::move(folder)), game_(std::move(game)) {}
  absl::Status make_folder() const;
  std::string file_of(const std::string& name) const;
  // The piece as far as it can be told without reading its blocks; removes it if it is damaged or of another game.
  std::shared_ptr<TableReader> open_piece(const std::string& name) const;

  std::string folder_;
  std::string game_;
};

}  // namespace plenum
