// SPDX-License-Identifier: Apache-2.0
// Tables of solved games: which file a game's is, and opening one.
//
// table_text.h has what stands before and behind the layers, which are the method's (Result::shape, solver/result/result.h). A table carries its
// description, so what its header must say follows from that: it is worked out anew and compared when a table is opened, and a header
// that says anything else is a damaged table. What the result says is for verify to find out, as are the bytes of the layers.
//
// Thread-safety: no state.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tools/console/game_arguments.h"
#include "tools/session/table_text.h"

namespace plenum {

// Where the table of a game is kept if no file is named: "<cache folder>/tables/<hash>.plenum", with "-<method>" behind the hash of one
// without values; empty without a cache folder.
std::string stored_table(const std::string& hash);
std::string stored_table(const std::string& hash, const Method& method);
std::string table_folder();
void make_table_folder();
// For a table that the ranks write together and that nothing keeps: the name that the root gives it, in the cache folder or that for
// temporary files. Collective.
std::string passing_table(Ranks& ranks);

struct OpenTable {
  std::shared_ptr<TableReader> reader;
  TableHeader header;
  Json summary;  // null of a part
  const std::string& path() const { return reader->path(); }
};

// Checks all but the blocks, and the texts by themselves. kDataLoss for a damaged table, kResourceExhausted for one of another version,
// kFailedPrecondition for a file of another kind.
absl::StatusOr<OpenTable> open_table(const std::string& path);
// The table that is named in place of a game; none if it is a game. kInvalidArgument if a board or settings are given with it.
absl::StatusOr<std::optional<OpenTable>> named_table(const GameArguments& arguments);
// None if there is no such file; kFailedPrecondition, naming both, if it is of another game; kDataLoss if what it says is not
// what it should say.
absl::StatusOr<std::optional<OpenTable>> open_table_of(const std::string& path, const Variant& variant);
// The game that a table is of, as it was solved; kDataLoss, naming what is wrong, if the header says anything else.
absl::StatusOr<Variant> variant_of(const OpenTable& table);
// Whether the header says what its description comes to, as far as that can be told without compiling it.
absl::Status check_description(const OpenTable& table);
// What it holds; kDataLoss if that is not what it should be.
absl::StatusOr<std::shared_ptr<const Result>> result_of(const OpenTable& table, const Game& game,
                                                        const Request& request);
// What a message says before it gives advice.
std::string first_line(const absl::Status& status);

// The layers of one part (PartStore): the table of this game on this board; none if there is no such file.
absl::StatusOr<std::optional<EndingLayers>> read_part(const std::string& path, const std::string& board,
                                                      const GameIdentity& identity, std::uint64_t positions);
absl::Status write_part(const std::string& path, const Description& description, const std::string& board,
                        const GameIdentity& identity, const Method& method, const EndingLayers& layers);
// Whether it is of a part (PartStore), which other games share.
inline bool is_part(const OpenTable& table) { return table.header.method->offers().parts; }

absl::Status write_table(const std::string& path, const Result& result);
// Of a result of which each rank has a part: collective.
absl::Status write_table(Ranks& ranks, const std::string& path, const Result& result);

}  // namespace plenum
