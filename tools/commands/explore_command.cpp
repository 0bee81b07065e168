// SPDX-License-Identifier: Apache-2.0
// plenum explore: a page to look at games with, served to this machine's browser.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/console/progress.h"
#include "tools/console/terminal.h"
#include "tools/explore/explorer.h"
#include "tools/explore/server.h"
#include "tools/session/common.h"
#include "tools/session/tables.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Where there is a screen; whether a browser comes is not our concern, the address is printed anyway.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open";
  std::string argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, descriptor, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

// The game that the page begins with: a table, a file, or one that comes with the program.
absl::StatusOr<GameArguments> opened(const ExploreArguments& arguments, Games& games) {
  GameArguments out = arguments.game;
  if (out.variant.empty()) {
    if (!out.board.empty() || !out.settings.empty())
      return absl::InvalidArgumentError("--board and --set are of a game\n  name it: plenum explore VARIANT");
    return out;
  }
  const std::vector<std::string> known = variant_names(data_folder());
  if (is_table(out.variant)) {
    ASSIGN_OR_RETURN(out.variant, games.add_table(out.variant));
  } else if (std::find(known.begin(), known.end(), out.variant) == known.end()) {
    RETURN_IF_ERROR(load_game({out.variant, "", {}}).status());
    out.variant = games.add_file(out.variant);
  }
  RETURN_IF_ERROR(games.find(out).status());
  return out;
}

}  // namespace

absl::StatusOr<int> explore_command(const ExploreArguments& arguments) {
  RETURN_IF_ERROR(memory_limit(arguments.run).status());
  Explorer explorer(arguments.run);
  ASSIGN_OR_RETURN(GameArguments game, opened(arguments, explorer.games()));
  explorer.open(std::move(game));
  explorer.save_to(arguments.save);
  Server server(explorer);
  ASSIGN_OR_RETURN(const std::uint16_t port, server.listen(static_cast<std::uint16_t>(arguments.port)));
  const std::string address = absl::StrCat("http://127.0.0.1:", port, "/");
  std::cout << address << "\n" << std::flush;
  note_interrupts();
  if (!arguments.no_open) open_browser(address);
  server.run([] { return !interrupt_seen(); });
  return kDone;
}

}  // namespace plenum
