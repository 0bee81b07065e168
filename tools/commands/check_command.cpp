// SPDX-License-Identifier: Apache-2.0
// plenum check: compiles a description under each of its options and runs the tests it carries.
#include <algorithm>
#include <iostream>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/study/orders.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/session/checking.h"
#include "tools/session/common.h"
#include "tools/session/run.h"
#include "tools/session/suggestions.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// The value of a position, within the memory there is. Interrupted, it is kCancelled; afterwards an interrupt ends the program again.
absl::StatusOr<PositionValue> value_of(const Variant& variant, const Position& at, const RunArguments& arguments) {
  absl::StatusOr<PositionValue> out = Run(arguments).value(variant, at);
  exit_on_interrupt();
  if (interrupt_seen()) return absl::CancelledError("interrupted");
  return out;
}

Json orders_json(const OrderReport& report) {
  Json out = {{"effects", order_notes_json(report.effects)},
              {"positions", report.positions},
              {"moves", report.moves},
              {"orders", report.orders},
              {"matters", report.difference.has_value()}};
  if (report.difference) {
    const OrderDifference& d = *report.difference;
    out["difference"] = {{"position", d.position},
                         {"move", d.move},
                         {"together", d.together},
                         {"one_by_one", d.one_by_one},
                         {"order", absl::StrJoin(d.order, " ")}};
  }
  return out;
}

void print_orders(const OrderReport& report) {
  if (report.effects.empty()) std::cout << "  no effect goes on by itself, so nothing depends on an order\n";
  for (const OrderNote& note : report.effects) {
    std::cout << "  " << note.effect.text() << "\n    the order of the cells is "
              << (note.proven ? "proven not to matter: " : "not proven not to matter: ") << note.reason << "\n";
  }
  if (report.orders == 0) return;
  std::cout << "  one cell at a time, in " << report.orders << " orders, " << report.moves << " moves of "
            << report.positions << " positions: ";
  if (!report.difference) {
    std::cout << "always the same result\n";
    return;
  }
  const OrderDifference& d = *report.difference;
  std::cout << "the order matters\n    in " << d.position << " the move " << d.move << " leads to " << d.together
            << ",\n    and one cell at a time to " << d.one_by_one << ", in the order " << absl::StrJoin(d.order, " ")
            << "\n";
}

// Compares orders of change; adds to the JSON or prints. The exit code.
absl::StatusOr<int> check_orders(const CheckArguments& arguments, const std::string& name, Json& out) {
  ASSIGN_OR_RETURN(const Description description, load_game({name, arguments.board, arguments.settings}));
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(arguments.run));
  ASSIGN_OR_RETURN(const OrderReport compared,
                   compare_orders(description, static_cast<std::size_t>(arguments.orders), {memory}));
  out = orders_json(compared);
  if (!arguments.run.json) print_orders(compared);
  return compared.difference ? kNegative : kDone;
}

void print_checked(const std::string& name, const Checked& found) {
  for (const Checked::Error& error : found.errors) std::cerr << "plenum: " << error.text << "\n";
  for (const std::string& note : found.notes) std::cerr << "plenum: note: " << note << "\n";
  for (const std::string& text : found.suggestions) std::cerr << "plenum: suggestion: " << text << "\n";
  std::cout << name << ": " << (found.errors.empty() ? "ok" : "not ok") << ", " << found.compiled
            << " settings compiled, " << found.passed << " of " << found.tests << " tests passed\n";
}

// Games that come with the program have been looked at.
bool is_built_in(const Description& description) {
  const std::string folder = data_folder() + "/";
  return description.path.compare(0, folder.size(), folder) == 0;
}

absl::Status check_moves(const Description& description, bool as_json, Json& out) {
  ASSIGN_OR_RETURN(const std::vector<DrawnMove> moves, draw_moves(description));
  out["moves"] = move_drawings_json(moves);
  if (as_json) return absl::OkStatus();
  for (const DrawnMove& one : moves) {
    if (one.move.empty()) {
      std::cout << "  " << one.name << ": never legal in random play\n";
      continue;
    }
    std::cout << "  " << one.name << ": " << one.move << "\n";
    for (const std::string& line : one.lines) std::cout << "    " << line << "\n";
    if (one.lines.empty()) std::cout << "    " << one.before << "  ->  " << one.after << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> check_command(const CheckArguments& arguments) {
  RETURN_IF_ERROR(memory_limit(arguments.run).status());
  int worst = kDone;
  Json out = headed_json();
  out["checked"] = Json::array();
  for (const std::string& name : arguments.variants) {
    const auto value = [&](const Variant& variant, const Position& at) { return value_of(variant, at, arguments.run); };
    const absl::StatusOr<Description> description = load_game({name, "", {}});
    ASSIGN_OR_RETURN(Checked found, check_description(description, value));
    if (found.errors.empty() && !is_built_in(*description)) found.suggestions = suggestions(*description);
    Json& one = out["checked"].emplace_back(checked_json(name, found));
    if (!arguments.run.json) print_checked(name, found);
    if (arguments.moves && found.errors.empty()) RETURN_IF_ERROR(check_moves(*description, arguments.run.json, one));
    worst = std::max(worst, found.worst);
    if (arguments.orders > 0 && found.errors.empty())
      worst = std::max(worst, report(check_orders(arguments, name, one["orders"])));
  }
  if (arguments.run.json) std::cout << json_page(out);
  return worst;
}

}  // namespace plenum
