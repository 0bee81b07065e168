// SPDX-License-Identifier: Apache-2.0
// plenum check: compiles a description under each of its options and runs the tests it carries.
#include <algorithm>
#include <iostream>
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/graph/analysis.h"
#include "solver/study/orders.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/run.h"

namespace plenum {
namespace {

constexpr std::size_t kMostNotes = 20;  // of a description

// Values of an option worth compiling with: all of a list, the ends of a range.
std::vector<std::string> values_of(const Option& option) {
  if (option.name == "board") return {};
  if (std::holds_alternative<bool>(option.initial)) return {"on", "off"};
  if (option.range) return {absl::StrCat(option.range->first), absl::StrCat(option.range->second)};
  return option.one_of;
}

std::vector<Span> words_of(const Span& span) {
  std::vector<Span> out;
  const std::string_view text = span.text();
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) == 0) ++i;
    out.push_back(span.part(begin, i - begin));
  }
  return out;
}

absl::Status check_legal(const Variant& variant, const Position& at, const TestDescription& test) {
  const absl::StatusOr<EndState> end = end_state(variant.rules(), at);
  if (!end.ok()) return end.status();
  std::set<std::string> legal;
  if (!end->ended) {
    const absl::StatusOr<std::vector<Successor>> moves = successors(variant.rules(), at);
    if (!moves.ok()) return moves.status();
    for (const Successor& s : *moves) legal.insert(s.text);
  }
  const std::string where = absl::StrCat(" in ", variant.rules().write(at));
  if (test.legal) {
    bool others = false;  // "..." at the end: these among others
    std::set<std::string> listed;
    for (const Span& word : words_of(*test.legal)) {
      const std::string text(word.text());
      if (text == "...") {
        others = true;
      } else if (legal.count(text) == 0) {
        return error_at(word, absl::StrCat("'", text, "' is not legal", where),
                        absl::StrCat("legal: ", absl::StrJoin(legal, " ")));
      } else {
        listed.insert(text);
      }
    }
    for (const std::string& text : legal) {
      if (!others && listed.count(text) == 0)
        return error_at(*test.legal, absl::StrCat("'", text, "' is legal too", where),
                        "write ... at the end if others are allowed");
    }
  }
  if (test.illegal) {
    for (const Span& word : words_of(*test.illegal)) {
      if (legal.count(std::string(word.text())) != 0)
        return error_at(word, absl::StrCat("'", std::string(word.text()), "' is legal", where), "");
    }
  }
  return absl::OkStatus();
}

// The value of a position, within the memory there is. Interrupted, it is kCancelled; afterwards an interrupt ends the program again.
absl::StatusOr<PositionValue> value_of(const Variant& variant, const Position& at, const RunArguments& arguments) {
  absl::StatusOr<PositionValue> out = absl::CancelledError("interrupted");
  {
    Run run(arguments);
    Wanted wanted;
    wanted.extras = kValuesOnly;
    const absl::StatusOr<Request> request = run.request(wanted);
    if (!request.ok()) return request.status();
    const auto game = run.solve(method_of(MethodId::graph), Game(variant, at), *request);
    if (game.ok()) {
      out = *(*game)->summary().start_value;
    } else {
      out = game.status();
    }
  }
  exit_on_interrupt();
  if (interrupt_seen()) return absl::CancelledError("interrupted");
  return out;
}

absl::Status run_test(const Description& description, const TestDescription& test, const RunArguments& arguments) {
  Description own = description;
  for (const Span& setting : test.settings) {
    absl::Status set = own.set_option(setting);
    if (!set.ok()) return set;
  }
  if (test.board) own.use_board(*test.board);
  const absl::StatusOr<Variant> variant = Variant::make(own);
  if (!variant.ok()) return variant.status();
  Position at = variant->rules().start();
  if (test.position) {
    const absl::StatusOr<Position> parsed = variant->rules().read(*test.position);
    if (!parsed.ok()) return parsed.status();
    at = *parsed;
    const std::string printed = variant->rules().write(at);
    const absl::StatusOr<Position> again = variant->rules().read(Span::whole("position", printed));
    if (!again.ok() || !(*again == at))
      return error_at(*test.position,
                      absl::StrCat("this position is printed as '", printed, "', which is not read as the same"), "");
  }
  absl::Status before = test.play ? absl::OkStatus() : check_legal(*variant, at, test);
  if (!before.ok()) return before;
  if (test.play) {
    if (test.legal || test.illegal) {
      absl::Status legal = check_legal(*variant, at, test);
      if (!legal.ok()) return legal;
    }
    const absl::StatusOr<Position> played = play(*variant, at, *test.play);
    if (!played.ok()) return played.status();
    at = *played;
  }
  if (test.after) {
    const absl::StatusOr<Position> wanted = variant->rules().read(*test.after);
    if (!wanted.ok()) return wanted.status();
    if (!(*wanted == at))
      return error_at(*test.after, absl::StrCat("the position is ", variant->rules().write(at)), "");
  }
  if (test.value) {
    const absl::StatusOr<PositionValue> value = value_of(*variant, at, arguments);
    if (!value.ok()) return value.status();
    const std::string wanted(test.value->text());
    const std::string margin = variant->margin_text(value->margin.margin);
    if (wanted != margin && wanted != outcome_name(value->outcome)) {
      return error_at(*test.value,
                      absl::StrCat("the value of ", variant->rules().write(at), " is ", margin, " (",
                                   std::string(outcome_name(value->outcome)), ")"),
                      "");
    }
  }
  return absl::OkStatus();
}

Json orders_json(const OrderReport& report) {
  Json out;
  out["effects"] = Json::array();
  for (const OrderNote& note : report.effects)
    out["effects"].push_back(
        {{"effect", std::string(note.effect.text())}, {"proven", note.proven}, {"reason", note.reason}});
  out["positions"] = report.positions;
  out["moves"] = report.moves;
  out["orders"] = report.orders;
  out["matters"] = report.difference.has_value();
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
int check_orders(const CheckArguments& arguments, const std::string& name, Json& out) {
  const absl::StatusOr<Description> description = load_game({name, arguments.board, arguments.settings});
  if (!description.ok()) return report(description.status());
  const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments.run);
  if (!memory.ok()) return report(memory.status());
  const absl::StatusOr<OrderReport> compared =
      compare_orders(*description, static_cast<std::size_t>(arguments.orders), {*memory});
  if (!compared.ok()) return report(compared.status());
  out = orders_json(*compared);
  if (!arguments.run.json) print_orders(*compared);
  return compared->difference ? kNegative : kDone;
}

// What was found of one description.
struct Checked {
  std::vector<std::string> errors;
  std::vector<std::string> notes;
  std::size_t compiled = 0;  // settings
  std::size_t tests = 0;
  std::size_t passed = 0;
  int worst = kDone;  // exit code

  void fail(std::string error, int code) {
    errors.push_back(std::move(error));
    worst = std::max(worst, code);
  }
};

// As it is, and with every value of every option.
void compile_all(const Description& description, Checked& out) {
  std::vector<std::pair<std::string, std::string>> settings = {{"", ""}};
  for (const Option& option : description.options) {
    for (const std::string& value : values_of(option)) settings.emplace_back(option.name, value);
  }
  for (const auto& [option, value] : settings) {
    Description own = description;
    if (!option.empty()) {
      const absl::Status set = own.set_option(Span::whole("option", absl::StrCat(option, "=", value)));
      if (!set.ok()) out.errors.emplace_back(set.message());
    }
    const absl::StatusOr<Variant> variant = Variant::make(own);
    if (variant.ok()) {
      ++out.compiled;
      continue;
    }
    out.fail(absl::StrCat(std::string(variant.status().message()),
                          option.empty() ? "" : absl::StrCat("\n  with ", option, "=", value)),
             exit_code(variant.status()));
    if (option.empty()) break;  // the rest would say the same
  }
}

// kCancelled after an interrupt.
absl::Status run_tests(const Description& description, const RunArguments& arguments, Checked& out) {
  for (const TestDescription& test : description.tests) {
    ++out.tests;
    const absl::Status done = run_test(description, test, arguments);
    if (absl::IsCancelled(done)) return done;
    const bool limit = absl::IsResourceExhausted(done);
    if (done.ok()) {
      ++out.passed;
    } else {
      out.fail(absl::StrCat("test ", out.tests, limit ? " cannot be run: " : " fails: ", std::string(done.message())),
               limit ? kLimit : kNegative);
    }
  }
  return absl::OkStatus();
}

std::vector<std::string> notes_on(const Description& description) {
  std::vector<std::string> out;
  const std::vector<Span> unread_names = unread(description);
  for (const Span& span : unread_names) {
    if (out.size() == kMostNotes) {
      out.push_back(absl::StrCat("and ", unread_names.size() - kMostNotes, " more that no rule reads"));
      break;
    }
    std::vector<std::string> others;
    for (const Option& option : description.options) others.push_back(option.name);
    for (const auto& [head, definition] : description.definitions) others.push_back(head);
    std::erase(others, std::string(span.text()));
    const std::string close = nearest(span.text(), others);
    out.emplace_back(error_at(span, absl::StrCat("no rule reads '", std::string(span.text()), "'"),
                              close.empty() ? "it changes nothing" : absl::StrCat("did you mean '", close, "'?"))
                         .message());
  }
  return out;
}

void print_checked(const std::string& name, const Checked& found) {
  for (const std::string& error : found.errors) std::cerr << "plenum: " << error << "\n";
  for (const std::string& note : found.notes) std::cerr << "plenum: note: " << note << "\n";
  std::cout << name << ": " << (found.errors.empty() ? "ok" : "not ok") << ", " << found.compiled
            << " settings compiled, " << found.passed << " of " << found.tests << " tests passed\n";
}

Json to_json(const std::string& name, const Checked& found) {
  Json out;
  out["variant"] = name;
  out["ok"] = found.errors.empty();
  out["compiled"] = found.compiled;
  out["tests"] = found.tests;
  out["passed"] = found.passed;
  out["errors"] = found.errors;
  out["notes"] = found.notes;
  return out;
}

}  // namespace

int check_command(const CheckArguments& arguments) {
  if (const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments.run); !memory.ok())
    return report(memory.status());
  int worst = kDone;
  Json out = headed_json();
  out["checked"] = Json::array();
  for (const std::string& name : arguments.variants) {
    Checked found;
    const absl::StatusOr<Description> description = load_game({name, "", {}});
    if (description.ok()) {
      compile_all(*description, found);
      const absl::Status tested = run_tests(*description, arguments.run, found);
      if (!tested.ok()) return report(tested);
      found.notes = notes_on(*description);
    } else {
      found.fail(std::string(description.status().message()), kBadInput);
    }
    Json one = to_json(name, found);
    if (!arguments.run.json) print_checked(name, found);
    worst = std::max(worst, found.worst);
    if (arguments.orders > 0 && found.errors.empty())
      worst = std::max<int>(worst, check_orders(arguments, name, one["orders"]));
    out["checked"].push_back(std::move(one));
  }
  if (arguments.run.json) std::cout << json_text(out, 2) << "\n";
  return worst;
}

}  // namespace plenum
