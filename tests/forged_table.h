// SPDX-License-Identifier: Apache-2.0
// A table that a forger works on, and everybody who reads it (table_forgery_test).
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solver/method/method.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"
#include "tools/console/exit_codes.h"
#include "tools/session/summary_text.h"
#include "tools/session/tables.h"

namespace plenum::tables_testing {

using variants_testing::sure;

enum class Verdict { refused, found, unnoticed };

// A table as a forger has it: all of its parts, to be changed and put together again.
struct Parts {
  std::string header;
  std::vector<NamedLayer> layers;
  std::string footer;
};

// The files change thousands of times: in memory, where the system has a folder for that.
inline const bool kInMemory = access("/dev/shm", W_OK) != 0 || setenv("TEST_TMPDIR", "/dev/shm", 0) == 0;

// A solved game, its table, and everybody who reads it.
class Victim {
 public:
  Victim(Variant variant, MethodId method) : variant_(std::move(variant)) {
    EXPECT_TRUE(kInMemory);
    setenv("PLENUM_CACHE", (folder_ / "cache").c_str(), 1);
    Request request;
    if (method_of(method).offers().parts) {
      const std::string name = to_text(*variant_.rules().pieces(), sure(material_of(variant_)));
      request.parts.keep = [this, name](const std::string& material, const EndingLayers& layers) {
        if (material != name) return;
        EXPECT_TRUE(write_part(path(), variant_.description(), variant_.board().name(), variant_.identity(),
                               method_of(MethodId::ending), layers)
                        .ok());
      };
    }
    const auto solved = sure(method_of(method).solve(game(), request));
    if (!method_of(method).offers().parts) {
      EXPECT_TRUE(write_table(path(), *solved).ok());
    }
    EXPECT_TRUE(read_table(path(), &sound_.layers).ok());
    const auto reader = sure(TableReader::open(path()));
    sound_.header = reader->header();
    sound_.footer = reader->footer();
    bytes_ = contents(path());
    EXPECT_EQ(examine(), Verdict::unnoticed);  // there is nothing to notice
  }

  std::string path() const { return folder_ / "game.plenum"; }
  const Variant& variant() const { return variant_; }
  const Parts& sound() const { return sound_; }
  const Bytes& bytes() const { return bytes_; }
  const absl::Status& why() const { return why_; }  // of what was refused last

  Verdict examine(const Bytes& bytes) {
    write_contents(path(), bytes);
    return examine();
  }
  // With checksums that fit.
  Verdict examine(const Parts& parts, bool same_layers = false) {
    EXPECT_TRUE(write_table(path(), parts.header, parts.layers, parts.footer).ok());
    return examine(same_layers);
  }

 private:
  Verdict examine(bool same_layers = false) {
    const absl::StatusOr<std::optional<OpenTable>> opened = open_table_of(path(), variant_);
    const absl::Status solving = opened.ok() ? result_of(**opened, game(), {}).status() : opened.status();
    absl::StatusOr<bool> verifying = verify(same_layers);
    // Damaged blocks are met when they are read: opening a table refuses no more than verifying it does.
    EXPECT_TRUE(solving.ok() || !verifying.ok()) << solving;
    why_ = verifying.status();
    for (const absl::Status& status : {solving, why_}) {
      if (status.ok()) continue;
      EXPECT_TRUE(status.message().find(path()) != absl::string_view::npos) << status;
      const ExitCode code = exit_code(status);
      EXPECT_TRUE(code == kDamaged || code == kLimit || absl::IsFailedPrecondition(status)) << status;
    }
    return !verifying.ok() ? Verdict::refused : *verifying ? Verdict::unnoticed : Verdict::found;
  }

  // What `plenum verify` does, but that the bytes of layers which nobody touched are verified once. Whether nothing is wrong.
  absl::StatusOr<bool> verify(bool same_layers) {
    const absl::StatusOr<OpenTable> table = open_table(path());
    if (!table.ok()) return table.status();
    if (absl::Status status = table->reader->check(); !status.ok()) return status;
    const absl::StatusOr<Variant> same = variant_of(*table);
    if (!same.ok()) return same.status();
    const Game own(*same, same->rules().start());
    const Method& method = *table->header.method;
    const auto opened = result_of(*table, own, {});
    if (!opened.ok()) return opened.status();
    if (method.offers().values && !method.offers().parts) {
      const absl::StatusOr<PositionValue> value = (*opened)->value(same->rules().start());
      EXPECT_TRUE(value.ok() || absl::IsNotFound(value.status())) << value.status();
    }
    if (!same_layers || !verified_) {
      const absl::StatusOr<Verification> found = method.verify(own, *table->reader, **opened, {});
      if (!found.ok()) return found.status();
      if (!same_layers) return found->holds() && says(*table, *found);
      verified_ = *found;
    }
    return verified_->holds() && says(*table, *verified_);
  }

  // Whether the summary is the one that was found again.
  static bool says(const OpenTable& table, const Verification& found) {
    return !found.summary || compare_summaries(table.summary, summary_to_json(*found.summary)).empty();
  }

  Game game() const { return Game(variant_, variant_.rules().start()); }

  Variant variant_;
  TestFolder folder_;
  std::optional<Verification> verified_;
  Parts sound_;
  Bytes bytes_;
  absl::Status why_;
};

}  // namespace plenum::tables_testing
