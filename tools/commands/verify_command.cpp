// SPDX-License-Identifier: Apache-2.0
// plenum verify: a table of a solved game against the rules and against itself.
#include <algorithm>
#include <iostream>

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

namespace plenum {
namespace {

constexpr std::size_t kShown = 10;

struct Verified {
  Verification values;
  std::vector<SummaryMismatch> summary;
  std::uint64_t wrong() const { return values.wrong + summary.size(); }
};

void add_mismatches(const std::vector<SummaryMismatch>& mismatches, Json& out) {
  for (std::size_t i = 0; i < std::min(kShown, mismatches.size()); ++i) {
    const SummaryMismatch& m = mismatches[i];
    out.push_back({{"what", "result"}, {"place", m.place}, {"found", m.found}, {"expected", m.expected}});
  }
}

void show_mismatch(const std::string& what, const std::string& is, const std::string& should, std::string& out) {
  absl::StrAppend(&out, "  ", what, "\n    the table says  ", is, "\n    and should say  ", should, "\n");
}

void show_mismatches(const std::vector<SummaryMismatch>& mismatches, std::string& out) {
  for (std::size_t i = 0; i < std::min(kShown, mismatches.size()); ++i) {
    const SummaryMismatch& m = mismatches[i];
    show_mismatch(absl::StrCat("result ", m.place), json_text(m.found, -1), json_text(m.expected, -1), out);
  }
}

std::string count_of_mismatches(std::uint64_t wrong) {
  return absl::StrCat("WRONG: ", pages::number(wrong), wrong == 1 ? " mismatch\n" : " mismatches\n");
}

Json mismatches_json(const std::vector<Mismatch>& mismatches) {
  Json out = Json::array();
  for (const Mismatch& m : mismatches) {
    out.push_back(
        {{"what", verify_kind_name(m.kind)}, {"position", m.position}, {"found", m.found}, {"expected", m.expected}});
  }
  return out;
}

Json report_json(const OpenTable& table, const Summary& game, const Verified& found, const Cost& cost) {
  const Verification& v = found.values;
  Json out = headed_json(*game.variant);
  out["table"] = table.path();
  if (game.ending) out["material"] = game.ending->material;
  out["stands_on"] = v.stands_on;
  out["verified"] = found.wrong() == 0;
  out["solved_again"] = v.solved_again;
  Json& checked = out["checked"];
  checked["bytes"] = table.reader->file_bytes();
  checked["boards"] = v.solved_again ? Json(nullptr) : Json(v.boards);
  checked["positions"] = v.positions;
  checked["after_pass"] = v.after_pass;
  checked["remoteness"] = v.remoteness;
  checked["facts"] = v.facts;
  checked["claims"] = v.claims;
  checked["reached"] = v.reached;
  out["wrong"] = found.wrong();
  out["mismatches"] = mismatches_json(v.first);
  add_mismatches(found.summary, out["mismatches"]);
  out["cost"] = cost_json(cost);
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
  out += count_of_mismatches(found.wrong());
  for (const Mismatch& m : v.first)
    show_mismatch(absl::StrCat(verify_kind_name(m.kind), " of ", m.position), m.found, m.expected, out);
  show_mismatches(found.summary, out);
  return out;
}

}  // namespace

int verify_command(const VerifyArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<OpenTable> table = open_table(arguments.table);
  if (!table.ok()) return report(table.status());
  if (const absl::Status whole = run.check(*table->reader); !whole.ok()) return report(whole);
  const absl::StatusOr<Variant> variant = variant_of(*table);
  if (!variant.ok()) return report(variant.status());
  const Game game(*variant, variant->rules().start());
  absl::StatusOr<Request> request = run.request({});
  if (!request.ok()) return report(request.status());
  request->parts = part_store(run, *variant, *table->header.method);
  const absl::StatusOr<std::shared_ptr<const Result>> opened = result_of(*table, game, *request);
  if (!opened.ok()) return report(opened.status());
  const Method& method = *table->header.method;
  if (!method.offers().values)
    run.note(absl::StrCat("the values of its positions were not kept: the game is solved again, by ",
                          std::string(method.name())));
  absl::StatusOr<Verification> values = run.verify(method, game, *table->reader, **opened);
  if (!values.ok()) return report(values.status());
  Verified found{*std::move(values), {}};
  if (found.values.summary) found.summary = compare_summaries(table->summary, summary_to_json(*found.values.summary));
  const Cost cost = run.cost();
  const Summary& summary = (*opened)->summary();
  std::cout << (arguments.run.json ? json_text(report_json(*table, summary, found, cost), 2) + "\n"
                                   : report_text(*table, summary, found, cost));
  return found.wrong() == 0 ? kDone : kNegative;
}

}  // namespace plenum
