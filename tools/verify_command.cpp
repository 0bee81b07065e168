// SPDX-License-Identifier: Apache-2.0
// plenum verify: a table of a solved game against the rules and against itself.
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/memory.h"
#include "tools/commands.h"
#include "tools/exit_codes.h"
#include "tools/kept_ending.h"
#include "tools/page_text.h"
#include "tools/run.h"
#include "tools/verify_footer.h"

namespace plenum {
namespace {

constexpr std::size_t kShown = 10;

struct Verified {
  Verification bytes;
  std::vector<FooterMismatch> footer;
  std::uint64_t wrong() const { return bytes.wrong + footer.size(); }
};

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
  Json out;
  out["table"] = table.reader->path();
  out["variant"] = variant.description().name;
  out["board"] = variant.board().name();
  out["hash"] = variant.identity().hash;
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
  for (std::size_t i = 0; i < std::min(kShown, found.footer.size()); ++i) {
    const FooterMismatch& m = found.footer[i];
    out["mismatches"].push_back({{"what", "result"}, {"place", m.place}, {"found", m.found}, {"expected", m.expected}});
  }
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
  absl::StrAppend(&out, "WRONG: ", pages::number(found.wrong()), found.wrong() == 1 ? " mismatch\n" : " mismatches\n");
  const auto show = [&](const std::string& what, const std::string& is, const std::string& should) {
    absl::StrAppend(&out, "  ", what, "\n    the table says  ", is, "\n    and should say  ", should, "\n");
  };
  for (const Mismatch& m : v.first)
    show(absl::StrCat(verify_kind_name(m.kind), " of ", m.position), m.found, m.expected);
  for (std::size_t i = 0; i < std::min(kShown, found.footer.size()); ++i) {
    const FooterMismatch& m = found.footer[i];
    show(absl::StrCat("result ", m.place), json_text(m.found, -1), json_text(m.expected, -1));
  }
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
    Json out;
    out["table"] = table.reader->path();
    out["variant"] = variant.description().name;
    out["board"] = variant.board().name();
    out["hash"] = variant.identity().hash;
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

}  // namespace

int verify_command(const VerifyArguments& arguments) {
  Run run(arguments.run);
  const absl::StatusOr<OpenTable> table = open_table(arguments.table);
  if (!table.ok()) return report(table.status());
  if (const absl::Status whole = run.check(*table->reader); !whole.ok()) return report(whole);
  const absl::StatusOr<Variant> variant = variant_of(*table);
  if (!variant.ok()) return report(variant.status());
  if (is_of_ending(*table)) return verify_material(run, *table, *variant, arguments.run.json);
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
