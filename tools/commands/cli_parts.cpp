// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/cli_parts.h"

namespace plenum {

const CLI::Validator& filled() {
  static const CLI::Validator validator(
      [](const std::string& text) {
        return text.empty() ? std::string("an empty text was given; leave it out for what is usual") : std::string();
      },
      "", "");
  return validator;
}

void add_game(CLI::App& command, GameArguments& game) {
  command.add_option("VARIANT", game.variant, "a description's file, or the name of one in data/variants")->required();
  command.add_option("--board", game.board, Board::forms())->check(filled());
  command.add_option("--set", game.settings, "an option of the variant, name=value; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

void add_threads_and_memory(CLI::App& command, RunArguments& run) {
  command.add_option("--threads", run.threads, "how many threads to use; all cores if not given")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--memory", run.memory,
                  "how much memory to use, as in 500M or 2G; four fifths of the machine's if not given")
      ->type_name("SIZE")
      ->check(filled());
}

void add_scratch(CLI::App& command, RunArguments& run) {
  command
      .add_option(
          "--scratch", run.scratch,
          "keep large arrays in files of this folder, so that what takes more than --memory is solved all the same")
      ->type_name("DIR")
      ->check(filled());
}

void add_progress(CLI::App& command, RunArguments& run) {
  command.add_option("--progress", run.progress, "auto, plain, json or none; on stderr")
      ->check(CLI::IsMember({"auto", "plain", "json", "none"}));
}

void add_run(CLI::App& command, RunArguments& run) {
  add_threads_and_memory(command, run);
  add_progress(command, run);
  command.add_flag("--json", run.json, "print JSON");
}

void add_begin(CLI::App& command, std::string& position, std::string& moves) {
  command.add_option("--position", position, "from this position; the start if not given")->check(filled());
  command.add_option("--moves", moves, "moves to play first, separated by spaces");
}

}  // namespace plenum
