// SPDX-License-Identifier: Apache-2.0
// The command line as texts for others to read: a manual page for people, completions for shells. All are written from one value, which
// manual_command reads out of the parser, so that nothing here names a command or an option.
//
//     std::cout << man_page(manual);
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

namespace plenum {

// What a shell can offer in place of a value.
enum class Completion { nothing, files, variants, choices };

struct ManualOption {
  std::vector<std::string> names;    // "--board", "-h"; none for what is told by its place
  std::string value;                 // "FILE", "TEXT"; of a place, its name; empty: there is none
  std::string about;                 // what it takes included
  std::vector<std::string> choices;  // all it takes, if these can be listed
  Completion completion = Completion::files;
  bool required = false;
  bool repeated = false;  // may be given several times

  bool operator==(const ManualOption&) const = default;
};

struct ManualCommand {
  std::string name;
  std::string about;
  std::vector<ManualOption> places;  // in their order
  std::vector<ManualOption> options;
};

struct Manual {
  std::string program;
  std::string version;
  std::string about;
  std::vector<std::string> exit_codes;                           // "0 done"
  std::vector<std::pair<std::string, std::string>> environment;  // a variable, what it says
  std::vector<ManualOption> options;                             // of the program itself
  std::vector<ManualCommand> commands;
};

// For man(1), in the macros of man(7).
std::string man_page(const Manual& manual);

// For bash, zsh and fish. The names of variants they ask the program for, by `PROGRAM manual variants`.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

}  // namespace plenum
