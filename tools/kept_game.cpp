// SPDX-License-Identifier: Apache-2.0
#include "tools/kept_game.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <absl/strings/str_cat.h>

#include "tools/page.h"

namespace plenum {
namespace {

bool has_remoteness(const OpenTable& table) { return table.reader->find_layer("plies").has_value(); }

// What is solved, as a checkpoint has it.
std::string game_text(const Variant& variant, bool remoteness) {
  return absl::StrCat(variant.description().canonical_text(), "remoteness=", remoteness, " version=", kTableVersion,
                      "\n");
}

// Of a solve that was killed after its table was there.
void remove_pieces(const std::string& path, const std::string& game) {
  std::error_code error;
  if (!std::filesystem::exists(path + ".partial", error)) return;
  const absl::StatusOr<Checkpoint> left = Checkpoint::open(path, game);
  if (left.ok()) static_cast<void>(left->remove_all());
}

// Where the table cannot be written, whatever the reason, the disk is the limit.
absl::Status cannot_write(const absl::Status& status) { return absl::ResourceExhaustedError(status.message()); }

}  // namespace

absl::StatusOr<KeptGame> solve_kept(Run& run, const Variant& variant, bool remoteness, const TableChoice& choice) {
  const bool asked = !choice.file.empty();
  KeptGame out;
  out.path = asked ? choice.file : choice.none ? "" : stored_table(variant.hash());
  const auto give_up = [&](const absl::Status& status) {
    run.note(absl::StrCat("no table is kept: ", std::string(status.message())));
    out.path.clear();
  };
  if (!out.path.empty()) {
    absl::StatusOr<std::optional<OpenTable>> table = open_table_of(out.path, variant);
    if (!table.ok() && asked) return table.status();
    if (!table.ok()) run.note(absl::StrCat("solved again, since ", std::string(table.status().message())));
    if (table.ok() && *table && (!remoteness || has_remoteness(**table))) {
      if (has_remoteness(**table)) remove_pieces(out.path, game_text(variant, true));
      out.table = *std::move(table);
      return out;
    }
    if (!asked) make_table_folder();
  }
  std::optional<Checkpoint> checkpoint;
  if (!out.path.empty()) {
    absl::StatusOr<Checkpoint> opened = Checkpoint::open(out.path, game_text(variant, remoteness));
    if (!opened.ok() && asked) return cannot_write(opened.status());
    if (opened.ok()) {
      checkpoint = *std::move(opened);
    } else {
      give_up(opened.status());
    }
  }
  absl::StatusOr<std::shared_ptr<const DenseGame>> game =
      run.solve_dense(variant, remoteness, checkpoint ? &*checkpoint : nullptr);
  if (checkpoint && !asked && absl::IsResourceExhausted(game.status()) && !out.path.empty() &&
      std::string(game.status().message()).rfind("memory", 0) != 0) {  // the disk: then without
    give_up(game.status());
    static_cast<void>(checkpoint->remove_all());
    checkpoint.reset();
    game = run.solve_dense(variant, remoteness, nullptr);
  }
  if (!game.ok()) return game.status();
  if (!out.path.empty()) {
    const absl::Status written =
        write_table(out.path, **game, page_without_cost(**game), solve_json(**game, std::nullopt));
    if (!written.ok() && asked) return cannot_write(written);
    if (!written.ok()) give_up(written);
  }
  if (checkpoint) static_cast<void>(checkpoint->remove_all());
  out.game = *std::move(game);
  return out;
}

absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const KeptGame& kept, const Variant& variant) {
  if (kept.game != nullptr) return kept.game;
  return game_of(*kept.table, variant);
}

std::optional<OpenTable> find_kept(const Variant& variant) {
  const std::string path = stored_table(variant.hash());
  if (path.empty()) return std::nullopt;
  absl::StatusOr<std::optional<OpenTable>> table = open_table_of(path, variant);
  if (!table.ok() || !*table || !has_remoteness(**table)) return std::nullopt;
  return *std::move(table);
}

}  // namespace plenum
