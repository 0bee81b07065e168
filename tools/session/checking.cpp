// SPDX-License-Identifier: Apache-2.0
#include "tools/session/checking.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/graph/analysis.h"
#include "tools/session/common.h"
#include "variants/text/status_macros.h"

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
    ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant.rules(), at));
    for (const Successor& s : moves) legal.insert(s.text);
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

// The game as tests set it. Those that set the same share it, and what is found of it only once.
class TestedVariants {
 public:
  explicit TestedVariants(const Description& description) : description_(description) {}

  absl::StatusOr<Variant> of(const TestDescription& test) {
    std::vector<std::string> set;
    for (const Span& setting : test.settings) set.emplace_back(setting.text());
    if (test.board) set.push_back("board=" + std::string(test.board->text()));
    if (const auto known = known_.find(set); known != known_.end()) return known->second;
    Description own = description_;
    for (const Span& setting : test.settings) {
      RETURN_IF_ERROR(own.set_option(setting));
    }
    if (test.board) own.use_board(*test.board);
    ASSIGN_OR_RETURN(const Variant variant, Variant::make(own));
    known_.emplace(set, variant);
    return variant;
  }

 private:
  const Description& description_;
  std::map<std::vector<std::string>, Variant> known_;
};

absl::Status run_test(const Variant& variant, const TestDescription& test, const TestValueFn& value_of) {
  Position at = variant.rules().start();
  if (test.position) {
    ASSIGN_OR_RETURN(at, variant.rules().read(*test.position));
    const std::string printed = variant.rules().write(at);
    const absl::StatusOr<Position> again = variant.rules().read(Span::whole("position", printed));
    if (!again.ok() || !(*again == at))
      return error_at(*test.position,
                      absl::StrCat("this position is printed as '", printed, "', which is not read as the same"), "");
  }
  RETURN_IF_ERROR(test.play ? absl::OkStatus() : check_legal(variant, at, test));
  if (test.play) {
    if (test.legal || test.illegal) {
      RETURN_IF_ERROR(check_legal(variant, at, test));
    }
    ASSIGN_OR_RETURN(at, play(variant, at, *test.play));
  }
  if (test.after) {
    ASSIGN_OR_RETURN(const Position wanted, variant.rules().read(*test.after));
    if (!(wanted == at)) return error_at(*test.after, absl::StrCat("the position is ", variant.rules().write(at)), "");
  }
  if (test.value) {
    const absl::StatusOr<PositionValue> value = value_of(variant, at);
    if (!value.ok()) return value.status();
    const std::string wanted(test.value->text());
    const std::string margin = variant.margin_text(value->margin.margin);
    if (wanted != margin && wanted != outcome_name(value->outcome)) {
      return error_at(*test.value,
                      absl::StrCat("the value of ", variant.rules().write(at), " is ", margin, " (",
                                   std::string(outcome_name(value->outcome)), ")"),
                      "");
    }
  }
  return absl::OkStatus();
}

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
      if (!set.ok()) out.fail(set, "", kDone);
    }
    const absl::StatusOr<Variant> variant = Variant::make(own);
    if (variant.ok()) {
      ++out.compiled;
      continue;
    }
    if (!option.empty() && absl::IsFailedPrecondition(variant.status())) continue;  // the description refuses it
    out.fail(variant.status(), option.empty() ? "" : absl::StrCat("\n  with ", option, "=", value),
             exit_code(variant.status()));
    if (option.empty()) break;  // the rest would say the same
  }
}

// kCancelled after an interrupt.
absl::Status run_tests(const Description& description, const TestValueFn& value_of, Checked& out) {
  TestedVariants variants(description);
  for (const TestDescription& test : description.tests) {
    ++out.tests;
    const absl::StatusOr<Variant> variant = variants.of(test);
    absl::Status done = variant.ok() ? run_test(*variant, test, value_of) : variant.status();
    if (absl::IsCancelled(done)) return done;
    const bool limit = absl::IsResourceExhausted(done);
    if (done.ok()) {
      ++out.passed;
    } else {
      out.fail(done, "", limit ? kLimit : kNegative,
               absl::StrCat("test ", out.tests, limit ? " cannot be run: " : " fails: "));
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

}  // namespace

void Checked::fail(const absl::Status& status, const std::string& behind, int code, const std::string& before) {
  errors.push_back({absl::StrCat(before, std::string(status.message()), behind), place_of(status)});
  worst = std::max(worst, code);
}

absl::StatusOr<Checked> check_description(const absl::StatusOr<Description>& description, const TestValueFn& value_of) {
  Checked out;
  if (!description.ok()) {
    out.fail(description.status(), "", kBadInput);
    return out;
  }
  compile_all(*description, out);
  RETURN_IF_ERROR(run_tests(*description, value_of, out));
  out.notes = notes_on(*description);
  return out;
}

Checked compile_description(const absl::StatusOr<Description>& description) {
  Checked out;
  const absl::StatusOr<Variant> variant = description.ok() ? Variant::make(*description) : description.status();
  if (variant.ok()) {
    out.compiled = 1;
    out.notes = notes_on(*description);
  } else {
    out.fail(variant.status(), "", exit_code(variant.status()));
  }
  return out;
}

Json checked_json(const std::string& name, const Checked& found) {
  Json out;
  out["variant"] = name;
  out["ok"] = found.errors.empty();
  out["compiled"] = found.compiled;
  out["tests"] = found.tests;
  out["passed"] = found.passed;
  out["errors"] = Json::array();
  out["places"] = Json::array();
  for (const Checked::Error& error : found.errors) {
    out["errors"].push_back(error.text);
    out["places"].push_back(error.place ? Json{{"line", error.place->line}, {"column", error.place->column}}
                                        : Json(nullptr));
  }
  out["notes"] = found.notes;
  out["suggestions"] = found.suggestions;
  return out;
}

}  // namespace plenum
