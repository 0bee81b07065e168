// SPDX-License-Identifier: Apache-2.0
#include "tools/verify_footer.h"

#include <absl/strings/str_cat.h>

#include "tools/page.h"

namespace plenum {

absl::StatusOr<std::vector<FooterMismatch>> verify_footer(const OpenTable& table, const Variant& variant,
                                                          const Verification& found) {
  const absl::StatusOr<std::shared_ptr<const DenseGame>> opened = game_of(table, variant);
  if (!opened.ok()) return opened.status();
  const DenseGame& game = **opened;
  GameResult::Data data;
  data.variant = std::make_shared<const Variant>(variant);
  data.start = game.start();
  data.statistics = found.reachable;
  data.whole_board = found.whole_board;
  data.stored = found.positions;
  data.facts_known = game.facts_known();
  if (const absl::Status read = read_start(game, data); !read.ok()) {
    if (!absl::IsNotFound(read)) return read;
    data.openings.clear();  // some value is not there, which is a mismatch already
  }
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
