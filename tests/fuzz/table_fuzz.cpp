// SPDX-License-Identifier: Apache-2.0
// Table files (table_input.h has how they are given): any bytes are refused or read, to their last layer; their game is made, and a
// table that verifies has the values of its game.
#include <cstdlib>

#include <absl/strings/str_cat.h>

#include "solver/endings/ending.h"
#include "solver/method/method.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/table_input.h"
#include "tools/session/summary_text.h"
#include "tools/session/tables.h"

namespace plenum::fuzz {
namespace {

constexpr int kMostCells = 6;                                 // of a game that is solved
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;  // of a layer that is read
constexpr int kMostEndingCells = 9;                           // of an ending that is solved
constexpr int kMostMen = 3;
constexpr std::uint64_t kAsked = 8;  // positions of an ending, from all over it

void read_all(const TableReader& reader) {
  const bool sound = reader.check().ok();
  for (std::size_t i = 0; i < reader.layers().size(); ++i) {
    const TableReader::Layer& layer = reader.layers()[i];
    if (layer.bytes > kMostBytes) continue;
    std::vector<std::uint8_t> bytes(layer.bytes);
    const absl::Status read = reader.read(i, 0, bytes);
    require(!sound || read.ok(), "a block is damaged and was not found");
    if (bytes.empty()) continue;
    const std::uint64_t at = layer.bytes / 3;
    const absl::StatusOr<std::uint8_t> byte = reader.byte(i, at);
    require(!read.ok() || (byte.ok() && *byte == bytes[at]), "a byte is read in two ways");
  }
}

// Solves the ending where all that it leads to says, position after position, what this table does: lies, which may lead to other lies
// but not astray.
void solve_from(const EndingTables& tables) {
  EndingLayers lies;
  for (std::uint64_t n = 0; n < tables.index().size(); ++n) {
    if (!tables.at(n).has_value()) continue;
    lies.codes.push_back(tables.at(n).code);
    lies.plies.push_back(tables.at(n).plies);
  }
  if (lies.codes.empty()) return;
  EndingOptions options;
  options.find = [&](const std::string&, std::uint64_t positions) -> std::optional<EndingLayers> {
    if (positions == tables.index().size()) return std::nullopt;  // the ending itself
    EndingLayers out;
    for (std::uint64_t n = 0; n < positions; ++n) {
      out.codes.push_back(lies.codes[n % lies.codes.size()]);
      out.plies.push_back(lies.plies[n % lies.plies.size()]);
    }
    return out;
  };
  if (const auto solved = solve_ending(tables.variant(), options); !solved.ok()) for_people(solved.status());
}

// What is asked of an ending; and, where it verifies, that all of its bytes are right.
void read_material(const OpenTable& table, const Variant& variant) {
  const absl::StatusOr<Material> material = material_of(variant);
  if (!material.ok()) {
    for_people(material.status());
    return;
  }
  if (variant.board().size() > kMostEndingCells || material->count() > kMostMen) return;
  const Game game(variant, variant.rules().start());
  const absl::StatusOr<std::shared_ptr<const Result>> opened = result_of(table, game, {});
  if (!opened.ok()) {
    for_people(opened.status());
    return;
  }
  const EndingTables& tables = *(*opened)->ending();
  const EndingIndex& index = tables.index();
  static_cast<void>(tables.statistics());
  for (std::uint64_t k = 0; k < kAsked; ++k) {
    Position p;
    if (!index.position(index.place_at(k * index.size() / kAsked), p)) continue;
    if (const auto moves = (*opened)->moves(p); !moves.ok()) for_people(moves.status());
    if (const auto line = (*opened)->line(p); !line.ok()) for_people(line.status());
  }
  solve_from(tables);
  const absl::StatusOr<Verification> found = table.header.method->verify(game, *table.reader, **opened, {});
  if (!found.ok()) {
    for_people(found.status());
    return;
  }
  if (!found->holds()) return;
  const auto solved = sure(solve_ending(variant, {}), "a table of an ending that cannot be solved");
  for (std::uint64_t n = 0; n < index.size(); ++n)
    require(tables.at(n) == solved->at(n), absl::StrCat("verified, and wrong at ", n));
}

// Whatever the table says of positions of the game; and, where it verifies, that it is so.
void read_game(const OpenTable& table) {
  const absl::StatusOr<Variant> variant = variant_of(table);
  if (!variant.ok()) {
    for_people(variant.status());
    return;
  }
  open_table_of(table.reader->path(), *variant).status().IgnoreError();
  if (is_part(table)) return read_material(table, *variant);
  const Position start = variant->rules().start();
  const Game game(*variant, start);
  const absl::StatusOr<std::shared_ptr<const Result>> opened = result_of(table, game, {});
  if (!opened.ok()) {
    for_people(opened.status());
    return;
  }
  std::vector<Position> asked = {start};
  if (const auto moves = successors(variant->rules(), start); moves.ok()) {
    for (const Successor& s : *moves) asked.push_back(s.position);
  }
  for (const Position& p : asked) {
    if (const auto value = (*opened)->value(p); !value.ok()) for_people(value.status());
    if (const auto reachable = (*opened)->reachable(p); !reachable.ok()) for_people(reachable.status());
  }
  if (variant->board().size() > kMostCells) return;
  const absl::StatusOr<Verification> found = table.header.method->verify(game, *table.reader, **opened, {});
  if (!found.ok()) {
    for_people(found.status());
    return;
  }
  if (!found->holds() || !found->summary) return;
  if (!compare_summaries(table.summary, summary_to_json(*found->summary)).empty()) return;
  const auto solved = sure(table.header.method->solve(game, {}), "a table of a game that cannot be solved");
  const PositionValue right = *solved->summary().start_value;
  const PositionValue value = *(*opened)->summary().start_value;
  require(value.margin == right.margin && value.outcome == right.outcome, "verified, and the start's value is wrong");
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  setenv("PLENUM_DATA", "/nonexistent", 1);  // what descriptions extend is not there
  fuzz::Input in(data, size);
  const std::string path = fuzz::own_folder() + "/table";
  fuzz::write_file(path, fuzz::table_of(in.rest()));
  const absl::StatusOr<std::shared_ptr<TableReader>> reader = TableReader::open(path);
  if (!reader.ok()) {
    fuzz::require(reader.status().message().find(path) != absl::string_view::npos,
                  "an error that does not name the file");
    return fuzz::for_people(reader.status());
  }
  fuzz::read_all(**reader);
  const absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return fuzz::for_people(table.status());
  fuzz::read_game(*table);
  return 0;
}
