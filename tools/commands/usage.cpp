// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/usage.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <absl/strings/str_cat.h>

#include "tools/console/exit_codes.h"
#include "tools/console/terminal.h"
#include "variants/text/diagnostic.h"
#include "variants/text/printable.h"

namespace plenum {
namespace {

// What every name on the command line could have been meant as.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    out.push_back(command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    }
  }
  return out;
}

}  // namespace

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::vector<std::string> known = option_names(app);
  const std::string command = argc > 1 ? argv[1] : "";
  if (!command.empty() && command[0] != '-' && std::find(known.begin(), known.end(), command) == known.end()) {
    complain(absl::StrCat("there is no command '", printable(command), "'"));
  } else {
    complain(printable(error.what()));
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string name = word.substr(0, word.find('='));
    const bool wrong_option = name.rfind("--", 0) == 0 && std::find(known.begin(), known.end(), name) == known.end() &&
                              name != "--help" && name != "--version";
    const bool wrong_command = i == 1 && std::find(known.begin(), known.end(), name) == known.end();
    const std::string close = wrong_option || wrong_command ? nearest(name, known) : "";
    if (!close.empty()) std::cerr << "  '" << printable(name) << "': did you mean '" << close << "'?\n";
  }
  std::cerr << "  plenum --help and plenum COMMAND --help show what there is\n";
  return kBadInput;
}

}  // namespace plenum
