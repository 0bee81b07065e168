// SPDX-License-Identifier: Apache-2.0
// plenum verify: a table of a solved game against the rules and against itself.
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/support/memory.h"
#include "tools/commands/commands.h"
#include "tools/commands/verify_footer.h"
#include "tools/console/exit_codes.h"
#include "tools/report/bits_report.h"
#include "tools/report/page_text.h"
#include "tools/session/common.h"
#include "tools/session/kept_ending.h"
#include "tools/session/run.h"

namespace plenum {
namespace {

constexpr std::size_t kShown = 10;

struct Verified {
  Verification bytes;
  std::vector<FooterMismatch> footer;
  std::uint64_t wrong() const { return bytes.wrong + footer.size(); }
};

void add_mismatches(const std::vector<FooterMismatch>& mismatches, Json& out) {
  for (std::size_t i = 0; i < std::min(kShown, mismatches.size()); ++i) {
    const FooterMismatch& m = mismatches[i];
    out.push_back({{"what", "result"}, {"place", m.place}, {"found", m.found}, {"expected", m.expected}});
  }
}

void show_mismatch(const std::string& what, const std::string& is, const std::string& should, std::string& out) {
  absl::StrAppend(&out, "  ", what, "\n    the table says  ", is, "\n    and should say  ", should, "\n");
}

void show_mismatches(const std::vector<FooterMismatch>& mismatches, std::string& out) {
  for (std::size_t i = 0; i < std::min(kShown, mismatches.size()); ++i) {
    const FooterMismatch& m = mismatches[i];
    show_mismatch(absl::StrCat("result ", m.place), json_text(m.found, -1), json_text(m.expected, -1), out);
  }
}

std::string count_of_mismatches(std::uint64_t wrong) {
  return absl::StrCat("WRONG: ", pages::number(wrong), wrong == 1 ? " mismatch\n" : " mismatches\n");
}

// Which table it is.
Json table_json(const OpenTable& table, const Variant& variant) {
  Json out;
  out["table"] = table.path();
  out["variant"] = variant.description().name;
  out["board"] = variant.board().name();
  out["hash"] = variant.identity().hash;
  return out;
}

Json mismatches_json(const std::vector<Mismatch>& mismatches) {
  Json out = Json::array();
  for (const Mismatch& m : mismatches) {
    out.push_back(
        {{"what", verify_kind_name(m.kind)}, {"position", m.position}, {"found", m.found}, {"expected", m.expected}});
  }
  return out;
}

Json report_json(const OpenTable& table, const Variant& variant, const Verified& found, const Cost& cost) {
  const Verification& v = found.bytes;
  Json out = table_json(table, variant);
  out["verified"] = found.wrong() == 0;
  Json& checked = out["checked"];
  checked["bytes"] = table.reader->file_bytes();
  checked["boards"] = v.boards;
  checked["positions"] = v.positions;
  checked["after_pass"] = v.after_pass;
  checked["remoteness"] = v.remoteness;
  checked["facts"] = v.facts;
  checked["claims"] = v.claims;
  checked["reached"] = v.reached;
  out["wrong"] = found.wrong();
  out["mismatches"] = mismatches_json(v.first);
  add_mismatches(found.footer, out["mismatches"]);
  out["cost"] = cost_json(cost);
  out["cost"]["expanded"] = v.expanded;
  return out;
}

std::string report_text(const OpenTable& table, const Variant& variant, const Verified& found, const Cost& cost) {
  const Verification& v = found.bytes;
  std::string out =
      absl::StrFormat("%s on %s: %s\n", variant.description().name, variant.board().name(), table.reader->path());
  const auto line = [&](const std::string& name, const std::string& text) {
    out += absl::StrFormat("  %-12s %s\n", name, text);
  };
  line("checksums", absl::StrCat("of ", memory_text(table.reader->file_bytes()), " are right"));
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
  line("reached", absl::StrCat(pages::number(v.reached), " positions, found again from the start"));
  line("result", "counted again");
  out += absl::StrFormat("  %.1f s, %.2f M positions/s, %s\n", cost.seconds,
                         cost.seconds > 0 ? static_cast<double>(v.positions) / cost.seconds / 1e6 : 0,
                         memory_text(cost.peak_bytes.value_or(0)));
  if (found.wrong() == 0) return out + "verified: nothing is wrong\n";
  out += count_of_mismatches(found.wrong());
  for (const Mismatch& m : v.first)
    show_mismatch(absl::StrCat(verify_kind_name(m.kind), " of ", m.position), m.found, m.expected, out);
  show_mismatches(found.footer, out);
  return out;
}

int verify_material(Run& run, const OpenTable& table, const Variant& variant, bool json) {
  const absl::StatusOr<std::shared_ptr<const EndingTables>> tables = open_ending(run, variant, table.reader->path());
  if (!tables.ok()) return report(tables.status());
  const absl::StatusOr<EndingVerification> found = run.verify(**tables);
  if (!found.ok()) return report(found.status());
  const Cost cost = run.cost();
  const std::string material = to_text(*variant.rule_set().pieces, (*tables)->material());
  std::vector<std::string> others;
  for (const EndingTables::Size& size : (*tables)->sizes()) {
    if (size.material != material) others.push_back(size.material);
  }
  if (json) {
    Json out = table_json(table, variant);
    out["material"] = material;
    out["stands_on"] = others;
    out["verified"] = found->holds();
    out["checked"] = {
        {"bytes", table.reader->file_bytes()}, {"boards", found->numbered}, {"positions", found->positions}};
    out["wrong"] = found->wrong;
    out["mismatches"] = mismatches_json(found->first);
    out["cost"] = cost_json(cost);
    out["cost"]["expanded"] = found->expanded;
    std::cout << json_text(out, 2) << "\n";
    return found->holds() ? kDone : kNegative;
  }
  std::cout << absl::StrFormat("%s on %s, %s: %s\n", variant.description().name, variant.board().name(), material,
                               table.reader->path());
  std::cout << absl::StrFormat("  checksums    of %s are right\n", memory_text(table.reader->file_bytes()));
  std::cout << absl::StrFormat(
      "  values       of %s positions, and how long they take, compared with those of their successors\n",
      pages::number(found->positions));
  std::cout << absl::StrFormat("  claims       of what can be brought about, proven from the ends\n");
  if (!others.empty())
    std::cout << absl::StrFormat("  taken as they are: %s, for verifying by themselves\n", absl::StrJoin(others, ", "));
  std::cout << absl::StrFormat("  %.1f s, %s\n", cost.seconds, memory_text(cost.peak_bytes.value_or(0)));
  if (found->holds()) {
    std::cout << absl::StrFormat("verified: nothing is wrong\n");
    return kDone;
  }
  std::cout << absl::StrFormat("WRONG: %s mismatches\n", pages::number(found->wrong));
  for (const Mismatch& m : found->first)
    std::cout << absl::StrFormat("  %s of %s\n    the table says  %s\n    and should say  %s\n",
                                 verify_kind_name(m.kind), m.position, m.found, m.expected);
  return kNegative;
}

// Nothing but the result was kept, so there is nothing to hold against the rules: the game is solved again.
int verify_result(Run& run, const OpenTable& table, const Variant& variant, bool json) {
  run.note("the values of its positions were not kept: the game is solved again, by bits");
  const absl::StatusOr<std::shared_ptr<const BitGame>> game = run.solve_bits(variant, nullptr);
  if (!game.ok()) return report(game.status());
  const std::vector<FooterMismatch> wrong =
      compare_footer(table, bits_json(**game, std::nullopt), bits_page(**game, std::nullopt));
  const Cost cost = run.cost();
  if (json) {
    Json out = table_json(table, variant);
    out["verified"] = wrong.empty();
    out["solved_again"] = true;
    out["checked"] = {{"bytes", table.reader->file_bytes()}, {"boards", nullptr}, {"positions", (*game)->stored()}};
    out["wrong"] = wrong.size();
    out["mismatches"] = Json::array();
    add_mismatches(wrong, out["mismatches"]);
    out["cost"] = cost_json(cost);
    std::cout << json_text(out, 2) << "\n";
    return wrong.empty() ? kDone : kNegative;
  }
  std::string out = absl::StrFormat(
      "%s on %s: %s\n  checksums    of %s are right\n"
      "  values       were not kept: this game was solved by bits\n"
      "  result       compared with that of solving it again, by the solver that this program has for it\n"
      "  %.1f s, %s\n",
      variant.description().name, variant.board().name(), table.path(), memory_text(table.reader->file_bytes()),
      cost.seconds, memory_text(cost.peak_bytes.value_or(0)));
  if (wrong.empty()) {
    out += "verified: nothing is wrong\n";
  } else {
    out += count_of_mismatches(wrong.size());
    show_mismatches(wrong, out);
  }
  std::cout << out;
  return wrong.empty() ? kDone : kNegative;
}

}  // namespace

int verify_command(const VerifyArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<OpenTable> table = open_table(arguments.table);
  if (!table.ok()) return report(table.status());
  if (const absl::Status whole = run.check(*table->reader); !whole.ok()) return report(whole);
  const absl::StatusOr<Variant> variant = variant_of(*table);
  if (!variant.ok()) return report(variant.status());
  if (is_of_ending(*table)) return verify_material(run, *table, *variant, arguments.run.json);
  if (table->header.index == TableIndex::bits) return verify_result(run, *table, *variant, arguments.run.json);
  if (const absl::Status opened = game_of(*table, *variant).status(); !opened.ok()) return report(opened);
  absl::StatusOr<Verification> bytes = run.verify(*variant, *table->reader);
  if (!bytes.ok()) return report(bytes.status());
  Verified found{*std::move(bytes), {}};
  absl::StatusOr<std::vector<FooterMismatch>> footer = verify_footer(*table, *variant, found.bytes);
  if (!footer.ok()) return report(footer.status());
  found.footer = *std::move(footer);
  const Cost cost = run.cost();
  std::cout << (arguments.run.json ? json_text(report_json(*table, *variant, found, cost), 2) + "\n"
                                   : report_text(*table, *variant, found, cost));
  return found.wrong() == 0 ? kDone : kNegative;
}

}  // namespace plenum
