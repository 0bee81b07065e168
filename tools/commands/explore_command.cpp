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
    const absl::StatusOr<std::string> name = games.add_table(out.variant);
    if (!name.ok()) return name.status();
    out.variant = *name;
  } else if (std::find(known.begin(), known.end(), out.variant) == known.end()) {
    const absl::StatusOr<Description> file = load_game({out.variant, "", {}});
    if (!file.ok()) return file.status();
    out.variant = games.add_file(out.variant);
  }
  const absl::StatusOr<std::shared_ptr<HeldGame>> game = games.find(out);
  if (!game.ok()) return game.status();
  return out;
}

}  // namespace

int explore_command(const ExploreArguments& arguments) {
  if (const absl::StatusOr<std::uint64_t> memory = memory_limit(arguments.run); !memory.ok())
    return report(memory.status());
  Explorer explorer(arguments.run);
  absl::StatusOr<GameArguments> game = opened(arguments, explorer.games());
  if (!game.ok()) return report(game.status());
  explorer.open(*std::move(game));
  explorer.save_to(arguments.save);
  Server server(explorer);
  const absl::StatusOr<std::uint16_t> port = server.listen(static_cast<std::uint16_t>(arguments.port));
  if (!port.ok()) return report(port.status());
  const std::string address = absl::StrCat("http://127.0.0.1:", *port, "/");
  std::cout << address << "\n" << std::flush;
  note_interrupts();
  if (!arguments.no_open) open_browser(address);
  server.run([] { return !interrupt_seen(); });
  return kDone;
}

}  // namespace plenum
