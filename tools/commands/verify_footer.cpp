// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/verify_footer.h"

#include <map>

#include <absl/strings/str_cat.h>

#include "tools/report/page.h"

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
  data.method = game.method_name();
  data.stored = found.positions;
  data.facts_known = game.facts_known();
  if (const absl::Status read = read_start(game, data); !read.ok()) {
    if (!absl::IsNotFound(read)) return read;
    data.openings.clear();  // some value is not there, which is a mismatch already
  }
  const GameResult result(std::move(data));

  return compare_footer(table, solve_json(result, std::nullopt), page_without_cost(result));
}

std::vector<FooterMismatch> compare_footer(const OpenTable& table, const Json& result, const std::string& page) {
  std::vector<FooterMismatch> out;
  const auto entries = [](const Json& json) {
    std::map<std::string, Json> places;
    const Json flat = json.flatten();
    for (const auto& [place, entry] : flat.items()) places[place] = entry;
    return places;
  };
  const std::map<std::string, Json> should = entries(result);
  const std::map<std::string, Json> is = entries(table.footer.result);
  for (const auto& [place, entry] : is) {
    const auto wanted = should.find(place);
    if (wanted == should.end()) {
      out.push_back({place, entry, nullptr});
    } else if (json_text(wanted->second, -1) != json_text(entry, -1)) {
      out.push_back({place, entry, wanted->second});
    }
  }
  for (const auto& [place, entry] : should) {
    if (is.count(place) == 0) out.push_back({place, nullptr, entry});
  }
  // The order of keys, or an empty list for an empty object.
  if (out.empty() && json_text(result, -1) != json_text(table.footer.result, -1))
    out.push_back({"", "another form of the same result", "the result as it is written"});
  if (table.footer.page != page) out.push_back({"/page", table.footer.page, page});
  return out;
}

}  // namespace plenum
