// SPDX-License-Identifier: Apache-2.0
// plenum manual: the manual page and the completions for shells, from the table of commands and options that the parser itself reads;
// and the reference of the JSON that commands print.
#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/manual.h"
#include "tools/session/common.h"
#include "variants/text/status_macros.h"
#include "variants/text/text_file.h"

namespace plenum {
namespace {

// "TEXT:{auto,plain}" and "INT:INT in [1 - 9]" to "TEXT" and what is behind it: CLI11 gives out what it checks as text alone.
std::pair<std::string, std::string> type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  return {type.substr(0, colon), colon == std::string::npos ? "" : type.substr(colon + 1)};
}

std::vector<std::string> choices_of(const std::string& check) {
  if (check.size() < 2 || check.front() != '{' || check.back() != '}') return {};
  return absl::StrSplit(check.substr(1, check.size() - 2), ',');
}

// "Only with --readings."
std::string relation(const std::string& words, const std::set<CLI::Option*>& others) {
  std::vector<std::string> names;
  names.reserve(others.size());
  for (const CLI::Option* other : others) names.push_back(other->get_name());
  std::sort(names.begin(), names.end());
  return names.empty() ? "" : absl::StrCat(words, absl::StrJoin(names, ", "), ".");
}

ManualOption option_of(const CLI::Option& option) {
  ManualOption out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  const auto [type, check] = type_of(option);
  const bool flag = option.get_items_expected_max() == 0;
  out.value = flag ? "" : out.names.empty() ? option.get_name(true) : type;
  out.choices = choices_of(check);
  out.required = option.get_required();
  out.repeated = option.get_items_expected_max() > 1;
  out.about = option.get_description();
  const std::size_t bounds = check.find('[');
  for (const std::string& more :
       {bounds == std::string::npos ? "" : absl::StrCat("Within ", check.substr(bounds), "."),
        relation("Only with ", option.get_needs()), relation("Not with ", option.get_excludes())}) {
    if (!more.empty()) absl::StrAppend(&out.about, ". ", more);
  }
  const bool number = type == "INT" || type == "UINT" || type == "FLOAT" || type == "SIZE";
  out.completion = !out.choices.empty()                                      ? Completion::choices
                   : type == "VARIANT" || option.get_name(true) == "VARIANT" ? Completion::variants
                   : flag || number                                          ? Completion::nothing
                                                                             : Completion::files;
  return out;
}

Manual manual_of(const CLI::App& app) {
  Manual out;
  out.program = "plenum";
  out.version = PLENUM_VERSION;
  // "Plenum does this.\nExit codes: 0 done; 1 not."
  const std::vector<std::string> lines = absl::StrSplit(app.get_description(), '\n');
  out.about = lines[0].substr(lines[0].find(' ') + 1);
  constexpr std::string_view kExitCodes = "Exit codes: ";
  for (const std::string& line : lines) {
    if (line.rfind(kExitCodes, 0) == 0) out.exit_codes = absl::StrSplit(line.substr(kExitCodes.size()), "; ");
  }
  for (std::string* text : {&out.about, out.exit_codes.empty() ? &out.about : &out.exit_codes.back()}) {
    if (!text->empty() && text->back() == '.') text->pop_back();
  }
  out.environment = {{"PLENUM_DATA", "the folder of the descriptions that come with the program, instead of its own"},
                     {"PLENUM_CACHE",
                      "the folder for tables and results that are kept; otherwise XDG_CACHE_HOME/plenum, or "
                      ".cache/plenum in the home folder"},
                     {"PLENUM_CPU", "base, v3, v4 or native: how rules are run; what is fastest here if not given"},
                     {"PLENUM_COMMAND", "what the program is called in the commands that it suggests"}};
  for (const CLI::Option* option : app.get_options()) out.options.push_back(option_of(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;  // hidden
    ManualCommand one;
    one.name = command->get_name();
    one.about = command->get_description();
    for (const CLI::Option* option : command->get_options())
      (option->get_positional() ? one.places : one.options).push_back(option_of(*option));
    out.commands.push_back(std::move(one));
  }
  return out;
}

}  // namespace

absl::StatusOr<int> manual_command(const ManualArguments& arguments, const CLI::App& app) {
  if (arguments.what == "variants") {
    for (const std::string& name : variant_names(data_folder())) std::cout << name << "\n";
    return kDone;
  }
  if (arguments.what == "json" || arguments.what == "json-schema") {
    ASSIGN_OR_RETURN(const std::string text,
                     read_text_file(data_folder() + (arguments.what == "json" ? "/json.md" : "/json-schema.json")));
    std::cout << text;
    return kDone;
  }
  const Manual manual = manual_of(app);
  std::cout << (arguments.what == "man"    ? man_page(manual)
                : arguments.what == "bash" ? bash_completion(manual)
                : arguments.what == "zsh"  ? zsh_completion(manual)
                                           : fish_completion(manual));
  return kDone;
}

}  // namespace plenum
