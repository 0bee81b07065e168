// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/report/manual.h"

namespace plenum {
namespace {

// A text as roff shows it, sign by sign: what would be an escape, typographic quotes or a request is none.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\(rs";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      case '.':  // at the beginning of a line it would be a request
        if (out.empty() || out.back() == '\n') out += "\\&";
        out += c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return absl::StrCat("\\fB", roff(text), "\\fR"); }
std::string slanted(const std::string& text) { return absl::StrCat("\\fI", roff(text), "\\fR"); }

std::string section_heading(const ManualOption& option) {
  if (option.names.empty()) return absl::StrCat(slanted(option.value), option.repeated ? " ..." : "");
  const std::string names = absl::StrJoin(
      option.names, ", ", [](std::string* out, const std::string& name) { absl::StrAppend(out, bold(name)); });
  if (!option.choices.empty()) return absl::StrCat(names, " ", roff(absl::StrJoin(option.choices, "|")));
  return option.value.empty() ? names : absl::StrCat(names, " ", slanted(option.value));
}

// An entry of a list: what it is called, what it is.
void add_entry(std::string& out, const std::string& heading, const std::string& about) {
  absl::StrAppend(&out, ".TP\n", heading, "\n", roff(about), "\n");
}

std::string synopsis(const Manual& manual, const ManualCommand& command) {
  std::string out = bold(absl::StrCat(manual.program, " ", command.name));
  for (const ManualOption& place : command.places)
    absl::StrAppend(&out, place.required ? " " : " [", section_heading(place), place.required ? "" : "]");
  for (const ManualOption& option : command.options)
    if (option.required) absl::StrAppend(&out, " ", section_heading(option));
  return absl::StrCat(out, " [", slanted("options"), "]");
}

// What many commands take is explained once.
std::vector<ManualOption> shared_options(const Manual& manual) {
  constexpr int kMany = 3;
  std::vector<ManualOption> out;
  for (const ManualCommand& command : manual.commands) {
    for (const ManualOption& option : command.options) {
      const auto takes = [&](const ManualCommand& c) {
        return std::find(c.options.begin(), c.options.end(), option) != c.options.end();
      };
      if (std::count_if(manual.commands.begin(), manual.commands.end(), takes) >= kMany &&
          std::find(out.begin(), out.end(), option) == out.end())
        out.push_back(option);
    }
  }
  return out;
}

void add_command(std::string& out, const Manual& manual, const ManualCommand& command,
                 const std::vector<ManualOption>& shared) {
  absl::StrAppend(&out, ".SS ", roff(command.name), "\n", synopsis(manual, command), "\n.PP\n", roff(command.about),
                  "\n");
  for (const ManualOption& place : command.places) add_entry(out, section_heading(place), place.about);
  std::vector<std::string> also;
  for (const ManualOption& option : command.options) {
    if (std::find(shared.begin(), shared.end(), option) == shared.end()) {
      add_entry(out, section_heading(option), option.about);
    } else {
      also.push_back(bold(option.names.back()));
    }
  }
  if (!also.empty()) absl::StrAppend(&out, ".PP\nAlso ", absl::StrJoin(also, ", "), ".\n");
}

}  // namespace

std::string man_page(const Manual& manual) {
  std::string out = absl::StrCat(".\\\" Made by `", manual.program,
                                 " manual man` from the program's own options.\n.TH ", manual.program, " 1 \"\" \"",
                                 manual.program, " ", manual.version, "\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n",
                                 manual.program, " \\- ", roff(manual.about), "\n.SH SYNOPSIS\n", bold(manual.program),
                                 " ", slanted("command"), " [", slanted("arguments"), "]\n.SH COMMANDS\n");
  const std::vector<ManualOption> shared = shared_options(manual);
  for (const ManualCommand& command : manual.commands) add_command(out, manual, command, shared);
  absl::StrAppend(&out, ".SH OPTIONS OF SEVERAL COMMANDS\n");
  for (const ManualOption& option : shared) add_entry(out, section_heading(option), option.about);
  absl::StrAppend(&out, ".SH OTHER OPTIONS\n");
  for (const ManualOption& option : manual.options) {
    if (std::find(shared.begin(), shared.end(), option) == shared.end())
      add_entry(out, section_heading(option), option.about);
  }
  absl::StrAppend(&out, ".SH EXIT STATUS\n");
  for (const std::string& code : manual.exit_codes) {
    const std::size_t blank = code.find(' ');
    add_entry(out, bold(code.substr(0, blank)), blank == std::string::npos ? "" : code.substr(blank + 1));
  }
  absl::StrAppend(&out, ".SH ENVIRONMENT\n");
  for (const auto& [variable, about] : manual.environment) add_entry(out, bold(variable), about);
  return out;
}

}  // namespace plenum
