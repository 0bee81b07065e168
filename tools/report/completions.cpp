// SPDX-License-Identifier: Apache-2.0
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include "tools/report/manual.h"

namespace plenum {
namespace {

// A word that no shell reads otherwise than as it stands.
std::string shell_quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// Of an explanation, what fits beside an offer.
std::string brief(const std::string& about) { return about.substr(0, std::min(about.find("; "), about.find(". "))); }

std::vector<std::string> names_in(const std::vector<ManualCommand>& commands) {
  std::vector<std::string> out;
  out.reserve(commands.size());
  for (const ManualCommand& command : commands) out.push_back(command.name);
  return out;
}

std::vector<std::string> names_in(const std::vector<ManualOption>& options, bool valued_only) {
  std::vector<std::string> out;
  for (const ManualOption& option : options)
    if (!valued_only || !option.value.empty()) out.insert(out.end(), option.names.begin(), option.names.end());
  return out;
}

std::string made_by(const Manual& manual, const std::string& shell) {
  return absl::StrCat("# Completion of ", manual.program, " for ", shell, ", made by `", manual.program, " manual ",
                      shell, "` from the program's own options.\n");
}

// --- bash

// What is offered for a value: words to choose from, or nothing, where bash falls back to files.
std::string bash_offer(const ManualOption& option) {
  switch (option.completion) {
    case Completion::choices:
      return absl::StrCat("OFFER ", shell_quoted(absl::StrJoin(option.choices, " ")));
    case Completion::variants:
      return "OFFER \"$(\"${COMP_WORDS[0]}\" manual variants 2>/dev/null)\"";
    case Completion::files:
    case Completion::nothing:
      break;
  }
  return ":";
}

std::string bash_case(const ManualCommand& command) {
  std::string out = absl::StrCat(
      "    ", command.name, ")\n      valued=", shell_quoted(absl::StrJoin(names_in(command.options, true), " ")),
      "\n      options=", shell_quoted(absl::StrJoin(names_in(command.options, false), " ")), " ;;\n");
  return out;
}

std::string bash_values(const ManualCommand& command) {
  std::string out;
  for (const ManualOption& option : command.options) {
    for (const std::string& name : option.names)
      if (option.completion == Completion::choices)
        absl::StrAppend(&out, "    ", command.name, ":", name, ") ", bash_offer(option), " ;;\n");
  }
  for (std::size_t i = 0; i < command.places.size(); ++i) {
    const ManualOption& place = command.places[i];
    if (place.completion == Completion::variants || place.completion == Completion::choices)
      absl::StrAppend(&out, "    ", command.name, ":", place.repeated ? "[0-9]*" : absl::StrCat(i), ") ",
                      bash_offer(place), " ;;\n");
  }
  return out;
}

// --- zsh

// Inside an argument of _arguments in single quotes.
std::string zsh_text(const std::string& text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}, {"'", "'\\''"}});
}

std::string zsh_action(const ManualOption& option, const std::string& program) {
  switch (option.completion) {
    case Completion::choices:
      return absl::StrCat("(", absl::StrJoin(option.choices, " "), ")");
    case Completion::variants:
      return absl::StrCat("_", program, "_variants");
    case Completion::files:
      return "_files";
    case Completion::nothing:
      break;
  }
  return " ";
}

std::string zsh_option(const ManualOption& option, const std::string& program) {
  std::string out;
  for (const std::string& name : option.names) {
    absl::StrAppend(&out, " \\\n        '", option.repeated ? "*" : "", name);
    if (!option.value.empty()) absl::StrAppend(&out, name.rfind("--", 0) == 0 ? "=" : "+");
    absl::StrAppend(&out, "[", zsh_text(brief(option.about)), "]");
    if (!option.value.empty()) absl::StrAppend(&out, ":", zsh_text(option.value), ":", zsh_action(option, program));
    absl::StrAppend(&out, "'");
  }
  return out;
}

std::string zsh_case(const ManualCommand& command, const std::string& program) {
  std::string out = absl::StrCat("    ", command.name, ")\n      _arguments");
  for (const ManualOption& option : command.options) absl::StrAppend(&out, zsh_option(option, program));
  for (std::size_t i = 0; i < command.places.size(); ++i) {
    const ManualOption& place = command.places[i];
    const std::string which = place.repeated ? "*" : absl::StrCat(i + 1);
    absl::StrAppend(&out, " \\\n        '", which, place.required || place.repeated ? ":" : "::", zsh_text(place.value),
                    ":", zsh_action(place, program), "'");
  }
  return absl::StrCat(out, " ;;\n");
}

// --- fish

std::string fish_quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

std::string fish_line(const Manual& manual, const std::string& when, const ManualOption& option) {
  std::string out = absl::StrCat("complete -c ", manual.program, " -n ", fish_quoted(when));
  for (const std::string& name : option.names) {
    const bool is_long = name.rfind("--", 0) == 0;
    absl::StrAppend(&out, is_long ? " -l " : " -s ", name.substr(is_long ? 2 : 1));
  }
  switch (option.completion) {
    case Completion::choices:
      absl::StrAppend(&out, " -x -a ", fish_quoted(absl::StrJoin(option.choices, " ")));
      break;
    case Completion::variants:
      absl::StrAppend(&out, option.names.empty() ? " -k" : " -r", " -a '(__", manual.program, "_variants)'");
      break;
    case Completion::files:
      if (!option.value.empty()) absl::StrAppend(&out, " -r -F");
      break;
    case Completion::nothing:
      if (!option.value.empty()) absl::StrAppend(&out, " -x");
      break;
  }
  return absl::StrCat(out, " -d ", fish_quoted(brief(option.about)), "\n");
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  const std::string function = absl::StrCat("_", manual.program);
  std::string cases;
  std::string values;
  for (const ManualCommand& command : manual.commands) {
    absl::StrAppend(&cases, bash_case(command));
    absl::StrAppend(&values, bash_values(command));
  }
  const std::string script =
      absl::StrCat(made_by(manual, "bash"), R"(# Where nothing is offered, bash offers files.

# Words are taken as they are; compgen -W would expand them.
OFFER() {
  local words word
  read -r -d '' -a words <<<"$1"
  for word in "${words[@]}"; do
    if [[ $word == "${COMP_WORDS[COMP_CWORD]#=}"* ]]; then COMPREPLY+=("$word"); fi
  done
}

)",
                   function, R"(() {
  local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} options='' valued='' before='' place=0 i
  COMPREPLY=()
  case $command in
)",
                   cases, R"(  esac
  if ((COMP_CWORD == 1)); then
    if [[ $current == -* ]]; then OFFER )",
                   shell_quoted(absl::StrJoin(names_in(manual.options, false), " ")), "; else OFFER ",
                   shell_quoted(absl::StrJoin(names_in(manual.commands), " ")), R"(; fi
    return
  fi
  # Which option the word in hand is the value of, and how many words were told by their places. To bash, "=" is a word of its own.
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ -n $before && ${COMP_WORDS[i]} == = ]]; then continue; fi
    if [[ -n $before ]]; then
      before=
    elif [[ " $valued " == *" ${COMP_WORDS[i]} "* ]]; then
      before=${COMP_WORDS[i]}
    elif [[ ${COMP_WORDS[i]} != -* ]]; then
      ((++place))
    fi
  done
  if [[ -z $before && $current == -* ]]; then
    OFFER "$options"
    return
  fi
  case $command:${before:-$place} in
)",
                   values, R"(  esac
}
complete -o default -F )",
                   function, " ", manual.program, "\n");
  return absl::StrReplaceAll(script, {{"OFFER", absl::StrCat(function, "_offer")}});
}

std::string zsh_completion(const Manual& manual) {
  const std::string& program = manual.program;
  std::string commands;
  std::string cases;
  std::string options;
  for (const ManualCommand& command : manual.commands) {
    absl::StrAppend(
        &commands, "    ",
        shell_quoted(absl::StrCat(command.name, ":", absl::StrReplaceAll(brief(command.about), {{":", "\\:"}}))), "\n");
    absl::StrAppend(&cases, zsh_case(command, program));
  }
  for (const ManualOption& option : manual.options) absl::StrAppend(&options, zsh_option(option, program));
  return absl::StrCat("#compdef ", program, "\n", made_by(manual, "zsh"), "\n_", program, R"zsh(_variants() {
  local -a names
  names=(${(f)"$(_call_program variants )zsh",
                      program, R"zsh( manual variants 2>/dev/null)"})
  _alternative 'variants:variant:compadd -a names' 'files:file:_files'
}

_)zsh",
                      program, R"zsh(() {
  local curcontext=$curcontext state line
  local -a commands
  typeset -A opt_args
  commands=(
)zsh",
                      commands, "  )\n  _arguments -C", options, R"zsh( \
        '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $line[1] in
)zsh",
                      cases, R"zsh(      esac ;;
  esac
}

_)zsh",
                      program, " \"$@\"\n");
}

std::string fish_completion(const Manual& manual) {
  const std::string& program = manual.program;
  std::string out =
      absl::StrCat(made_by(manual, "fish"), "function __", program, "_variants\n    ", program,
                   " manual variants 2>/dev/null\nend\n\ncomplete -c ", program, " -n __fish_use_subcommand -f\n");
  for (const ManualOption& option : manual.options)
    absl::StrAppend(&out, fish_line(manual, "__fish_use_subcommand", option));
  for (const ManualCommand& command : manual.commands)
    absl::StrAppend(&out, "complete -c ", program, " -n __fish_use_subcommand -a ", command.name, " -d ",
                    fish_quoted(brief(command.about)), "\n");
  for (const ManualCommand& command : manual.commands) {
    const std::string when = absl::StrCat("__fish_seen_subcommand_from ", command.name);
    absl::StrAppend(&out, "\n");
    for (const ManualOption& place : command.places) {
      if (place.completion == Completion::variants || place.completion == Completion::choices)
        absl::StrAppend(&out, fish_line(manual, when, place));
    }
    for (const ManualOption& option : command.options) absl::StrAppend(&out, fish_line(manual, when, option));
  }
  return out;
}

}  // namespace plenum
