// SPDX-License-Identifier: Apache-2.0
#include "tools/session/kept_game.h"

#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include <absl/strings/str_cat.h>

#include "solver/method/dense_methods.h"
#include "tools/report/bits_report.h"
#include "tools/report/page.h"

namespace plenum {
namespace {

// Not of a game solved by bits.
bool has_values(const OpenTable& table) {
  return table.reader->find_layer(kDenseLayerNames[static_cast<std::size_t>(DenseLayer::codes)]).has_value();
}
bool has_remoteness(const OpenTable& table) { return table.reader->find_layer("plies").has_value(); }

// Of a solve that was killed after its table was there.
void remove_pieces(const std::string& path, const std::string& game) {
  const absl::StatusOr<std::string> file = followed(path);
  std::error_code error;
  if (!file.ok() || !std::filesystem::exists(*file + ".partial", error)) return;
  const absl::StatusOr<Checkpoint> left = Checkpoint::open(path, game);
  if (left.ok()) static_cast<void>(left->remove_all());
}

// Where the table cannot be written, whatever the reason, the disk is the limit.
absl::Status cannot_write(const absl::Status& status) { return absl::ResourceExhaustedError(status.message()); }

// A way to solve a game, and what is kept of it.
template <typename Game>
struct Way {
  std::string stored;                                 // file in the cache folder
  std::string game;                                   // what is solved, as a checkpoint has it
  std::function<bool(const OpenTable& table)> suits;  // whether a table of the game has what is asked for
  std::function<absl::StatusOr<std::shared_ptr<const Game>>(const Checkpoint* checkpoint)> solve;
  std::function<absl::Status(const std::string& path, const Game& game)> write;
};

template <typename Game>
absl::StatusOr<Kept<Game>> keep(Run& run, const Variant& variant, const Way<Game>& way, const TableChoice& choice) {
  const bool asked = !choice.file.empty();
  Kept<Game> out;
  out.path = asked ? choice.file : choice.none ? "" : way.stored;
  const auto give_up = [&](const absl::Status& status) {
    run.note(absl::StrCat("no table is kept: ", std::string(status.message())));
    out.path.clear();
  };
  if (!out.path.empty()) {
    absl::StatusOr<std::optional<OpenTable>> table = open_table_of(out.path, variant);
    if (!table.ok() && asked) return table.status();
    if (!table.ok()) run.note(absl::StrCat("solved again, since ", first_line(table.status())));
    if (table.ok() && *table && way.suits(**table)) {
      out.table = *std::move(table);
      return out;
    }
    if (!asked) make_table_folder();
  }
  std::optional<Checkpoint> checkpoint;
  if (!out.path.empty()) {
    absl::StatusOr<Checkpoint> opened = Checkpoint::open(out.path, way.game);
    if (!opened.ok() && asked) return cannot_write(opened.status());
    if (opened.ok()) {
      checkpoint = *std::move(opened);
    } else {
      give_up(opened.status());
    }
  }
  absl::StatusOr<std::shared_ptr<const Game>> game = way.solve(checkpoint ? &*checkpoint : nullptr);
  if (checkpoint && !asked && absl::IsResourceExhausted(game.status()) && !out.path.empty() &&
      std::string(game.status().message()).rfind("memory", 0) != 0) {  // the disk: then without
    give_up(game.status());
    static_cast<void>(checkpoint->remove_all());
    checkpoint.reset();
    game = way.solve(nullptr);
  }
  if (!game.ok()) return game.status();
  if (!out.path.empty()) {
    const absl::Status written = way.write(out.path, **game);
    if (!written.ok() && asked) return cannot_write(written);
    if (!written.ok()) give_up(written);
  }
  if (checkpoint) static_cast<void>(checkpoint->remove_all());
  out.game = *std::move(game);
  return out;
}

}  // namespace

absl::StatusOr<KeptGame> solve_kept(Run& run, const Variant& variant, DenseMethod method, bool only, bool remoteness,
                                    const TableChoice& choice) {
  const auto game_text = [&](bool with) {
    return absl::StrCat(variant.identity().text, "remoteness=", with,
                        " method=", method == DenseMethod::rows ? "rows" : "one pass", " version=", kTableVersion,
                        "\n");
  };
  Way<DenseGame> way;
  way.stored = stored_table(variant.identity().hash);
  way.game = game_text(remoteness);
  way.suits = [&](const OpenTable& table) {
    if (!has_values(table)) return false;
    if (only && table.header.index != (method == DenseMethod::rows ? TableIndex::dense : TableIndex::one_pass))
      return false;
    if (has_remoteness(table)) remove_pieces(table.reader->path(), game_text(true));
    return !remoteness || has_remoteness(table);
  };
  way.solve = [&](const Checkpoint* checkpoint) { return run.solve_dense(variant, method, remoteness, checkpoint); };
  way.write = [](const std::string& path, const DenseGame& game) {
    return write_table(path, game, page_without_cost(game), solve_json(game, std::nullopt));
  };
  return keep(run, variant, way, choice);
}

absl::StatusOr<Kept<BitGame>> solve_bits_kept(Run& run, const Variant& variant, const TableChoice& choice) {
  Way<BitGame> way;
  way.stored = stored_bits(variant.identity().hash);
  way.game = absl::StrCat(variant.identity().text, "bits version=", kTableVersion, "\n");
  way.suits = [&](const OpenTable& table) {
    remove_pieces(table.reader->path(), way.game);
    return true;
  };
  way.solve = [&](const Checkpoint* checkpoint) { return run.solve_bits(variant, checkpoint); };
  way.write = [](const std::string& path, const BitGame& game) {
    return write_table(path, game, bits_page(game, std::nullopt), bits_json(game, std::nullopt));
  };
  return keep(run, variant, way, choice);
}

absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const KeptGame& kept, const Variant& variant) {
  if (kept.game != nullptr) return kept.game;
  return game_of(*kept.table, variant);
}

std::optional<OpenTable> find_kept(const Variant& variant) {
  const std::string path = stored_table(variant.identity().hash);
  if (path.empty()) return std::nullopt;
  absl::StatusOr<std::optional<OpenTable>> table = open_table_of(path, variant);
  if (!table.ok() || !*table || !has_remoteness(**table)) return std::nullopt;
  return *std::move(table);
}

}  // namespace plenum
