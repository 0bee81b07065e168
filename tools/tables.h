// SPDX-License-Identifier: Apache-2.0
// Tables of solved games: which file a game's is, what stands in its header and footer, and opening one.
//
// The header is a JSON object: "game" (the identity of description, options and board; identity.h), "hash" (of that text), "variant", "board",
// "index" ("dense": by rows; "one-pass"; "bits": no layers, as values are gone; "ending": codes and plies of one material), "boards" and "states" of the index (what is noted besides the stones). The footer: "result" (what `plenum solve --json` prints) and "page" (what
// it prints without). Layers are those of DenseLayer
// (solver/dense_bytes.h).
//
// Thread-safety: no state.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "solver/bit_pass.h"
#include "solver/dense_game.h"
#include "solver/ending.h"
#include "tools/json_report.h"

namespace plenum {

// Of what a table says. It changes when some table would say something else, and tables of before are not read.
//     1   the first; wrong about who has no move after a pass
inline constexpr int kTableVersion = 2;

// Where the table of a game is kept if no file is named: "<cache folder>/tables/<hash>.plenum"; empty without a cache folder.
std::string stored_table(const std::string& hash);
// Of a game solved by bits, likewise.
std::string stored_bits(const std::string& hash);
std::string table_folder();
void make_table_folder();

struct OpenTable {
  std::shared_ptr<TableReader> reader;
  Json header;
  Json footer;
  std::string page() const { return footer.value("page", ""); }
};

// Whether the file begins like a table.
bool is_table(const std::string& path);
// Checks all but the blocks. kDataLoss for a damaged table, kFailedPrecondition for one of another kind.
absl::StatusOr<OpenTable> open_table(const std::string& path);
// None if there is no such file; kFailedPrecondition, naming both, if it is of another game.
absl::StatusOr<std::optional<OpenTable>> open_table_of(const std::string& path, const Variant& variant);
// The game that a table is of, as it was solved.
absl::StatusOr<Variant> variant_of(const OpenTable& table);
// kFailedPrecondition for an index that is not known here.
absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const OpenTable& table, const Variant& variant);

// The layers of one material of an ending; none if there is no such file.
absl::StatusOr<std::optional<EndingLayers>> read_ending(const std::string& path, const GameIdentity& identity,
                                                        std::uint64_t positions);
absl::Status write_ending(const std::string& path, const Description& description, const std::string& board,
                          const GameIdentity& identity, const EndingLayers& layers);
bool is_of_ending(const OpenTable& table);

absl::Status write_table(const std::string& path, const DenseGame& game, const std::string& page, const Json& result);
// What was found out, without values.
absl::Status write_table(const std::string& path, const BitGame& game, const std::string& page, const Json& result);

}  // namespace plenum
