// SPDX-License-Identifier: Apache-2.0
// plenum verify: a table of a solved game against the rules and against itself.
#include <algorithm>
#include <iostream>
#include <span>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/support/memory.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/parts.h"
#include "tools/session/run.h"
#include "tools/session/summary_text.h"
#include "tools/session/tables.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kShown = 10;

struct Verified {
  Verification values;
  std::vector<SummaryMismatch> summary;
  std::uint64_t wrong() const { return values.wrong + summary.size(); }
};

void show_mismatch(const std::string& what, const std::string& is, const std::string& should, std::string& out) {
  absl::StrAppend(&out, "  ", what, "\n    the table says  ", is, "\n    and should say  ", should, "\n");
}

// Of what the summary says wrongly, as much as is shown.
std::span<const SummaryMismatch> shown(const Verified& found) {
  return std::span(found.summary).first(std::min(kShown, found.summary.size()));
}

Json mismatches_json(const Verified& found) {
  Json out = json_list(found.values.first, [](const Mismatch& m) -> Json {
    return {{"what", verify_kind_name(m.kind)}, {"position", m.position}, {"found", m.found}, {"expected", m.expected}};
  });
  for (const SummaryMismatch& m : shown(found))
    out.push_back({{"what", "result"}, {"place", m.place}, {"found", m.found}, {"expected", m.expected}});
  return out;
}

Json report_json(const OpenTable& table, const Summary& game, const Verified& found, const Cost& cost) {
  const Verification& v = found.values;
  Json out = headed_json(*game.variant);
  out["table"] = table.path();
  if (game.ending) out["material"] = game.ending->material;
  out.update({{"stands_on", v.stands_on},
              {"verified", found.wrong() == 0},
              {"solved_again", v.solved_again},
              {"checked",
               {{"bytes", table.reader->file_bytes()},
                {"boards", v.solved_again ? Json() : Json(v.boards)},
                {"positions", v.positions},
                {"after_pass", v.after_pass},
                {"remoteness", v.remoteness},
                {"facts", v.facts},
                {"claims", v.claims},
                {"reached", v.reached}}},
              {"wrong", found.wrong()},
              {"mismatches", mismatches_json(found)},
              {"cost", cost_json(cost)}});
  out["cost"]["expanded"] = v.expanded;
  return out;
}

// What was held against the rules, a line each.
std::string checked_text(const OpenTable& table, const Verification& v) {
  std::string out;
  const auto line = [&](const std::string& name, const std::string& text) {
    out += absl::StrFormat("  %-12s %s\n", name, text);
  };
  line("checksums", absl::StrCat("of ", memory_text(table.reader->file_bytes()), " are right"));
  if (v.solved_again) {
    line("values", absl::StrCat("were not kept: this game was solved by ", std::string(table.header.method->name())));
    line("result", "compared with that of solving it again, by the solver that this program has for it");
    return out;
  }
  line("values", absl::StrCat("of ", pages::number(v.positions), " positions",
                              v.after_pass > 0 ? ", and of as many after a pass," : "",
                              " compared with those of their successors"));
  line("remoteness", v.remoteness ? "likewise" : "is not in this table");
  if (v.one_pass) {
    line("proof", "every move leads to a later tier, so that values that follow from their successors are right");
  } else {
    line("facts", v.facts ? "likewise" : "are not in this table");
    line("claims", absl::StrCat("of ", pages::number(v.claims),
                                " positions, of what can be brought about, proven from the ends"));
  }
  if (!v.stands_on.empty())
    line("taken as they are:", absl::StrCat(absl::StrJoin(v.stands_on, ", "), ", for verifying by themselves"));
  if (!v.summary) return out;
  line("reached", absl::StrCat(pages::number(v.reached), " positions, found again from the start"));
  line("result", "counted again");
  return out;
}

std::string report_text(const OpenTable& table, const Summary& game, const Verified& found, const Cost& cost) {
  const Verification& v = found.values;
  std::string out =
      absl::StrCat(game.variant->description().name, " on ", game.variant->board().name(),
                   game.ending ? absl::StrCat(", ", game.ending->material) : "", ": ", table.path(), "\n");
  absl::StrAppend(&out, checked_text(table, v));
  out += absl::StrFormat("  %.1f s, %.2f M positions/s, %s\n", cost.seconds,
                         cost.seconds > 0 ? static_cast<double>(v.positions) / cost.seconds / 1e6 : 0,
                         memory_text(cost.peak_bytes.value_or(0)));
  if (found.wrong() == 0) return out + "verified: nothing is wrong\n";
  absl::StrAppend(&out, "WRONG: ", pages::count(found.wrong(), "mismatch", "mismatches"), "\n");
  for (const Mismatch& m : v.first)
    show_mismatch(absl::StrCat(verify_kind_name(m.kind), " of ", m.position), m.found, m.expected, out);
  for (const SummaryMismatch& m : shown(found))
    show_mismatch(absl::StrCat("result ", m.place), json_text(m.found, -1), json_text(m.expected, -1), out);
  return out;
}

}  // namespace

absl::StatusOr<int> verify_command(const VerifyArguments& arguments) {
  Run run(arguments.run);
  ASSIGN_OR_RETURN(const OpenTable table, open_table(arguments.table));
  RETURN_IF_ERROR(run.check(*table.reader));
  ASSIGN_OR_RETURN(const Variant variant, variant_of(table));
  const Game game(variant, variant.rules().start());
  ASSIGN_OR_RETURN(Request request, run.request({}));
  request.parts = part_store(run, variant, *table.header.method);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Result> opened, result_of(table, game, request));
  const Method& method = *table.header.method;
  if (!method.offers().values)
    run.note(absl::StrCat("the values of its positions were not kept: the game is solved again, by ",
                          std::string(method.name())));
  Verified found;
  ASSIGN_OR_RETURN(found.values, run.verify(method, game, *table.reader, *opened));
  if (found.values.summary) found.summary = compare_summaries(table.summary, summary_to_json(*found.values.summary));
  const Cost cost = run.cost();
  const Summary& summary = opened->summary();
  std::cout << (arguments.run.json ? json_page(report_json(table, summary, found, cost))
                                   : report_text(table, summary, found, cost));
  return found.wrong() == 0 ? kDone : kNegative;
}

}  // namespace plenum
