// SPDX-License-Identifier: Apache-2.0
#include "tools/verify_footer.h"

#include <absl/strings/str_cat.h>

#include "tools/page.h"

namespace plenum {

absl::StatusOr<std::vector<FooterMismatch>> verify_footer(const OpenTable& table, const Variant& variant,
                                                          const Verification& found) {
  const absl::StatusOr<DenseGame> game = game_of(table, variant);
  if (!game.ok()) return game.status();
  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant);
  data.start = game->start();
  data.statistics = found.reachable;
  data.whole_board = found.whole_board;
  data.stored = found.positions;
  data.facts_known = found.facts;
  const absl::StatusOr<PositionValue> value = game->value(data.start);
  if (!value.ok()) return value.status();
  data.start_value = *value;
  absl::Status read = absl::OkStatus();
  const auto value_of = [&](const Position& p) {
    const absl::StatusOr<PositionValue> after = game->value(p);
    if (!after.ok()) read = after.status();
    return after.ok() ? *after : PositionValue();
  };
  if (const absl::Status opened = find_openings(value_of, data); !opened.ok()) return opened;
  if (!read.ok()) return read;
  const GameResult result(std::move(data));

  // What a later version adds to results is not missed.
  const Json expected = solve_json(result, std::nullopt);
  const auto stands = table.footer.find("result");
  if (stands == table.footer.end() || !stands->is_object() || !stands->contains("positions"))
    return absl::DataLossError(absl::StrCat(table.reader->path(), ": the table has no result"));
  std::vector<FooterMismatch> out;
  const Json should = expected.flatten();
  const Json is = stands->flatten();
  for (const auto& [place, entry] : is.items()) {
    const auto wanted = should.find(place);
    if (wanted == should.end()) {
      out.push_back({place, entry, nullptr});
    } else if (*wanted != entry) {
      out.push_back({place, entry, *wanted});
    }
  }
  if (table.page() != page_without_cost(result)) out.push_back({"/page", table.page(), page_without_cost(result)});
  return out;
}

}  // namespace plenum
