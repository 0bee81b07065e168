// SPDX-License-Identifier: Apache-2.0
#include "tools/console/game_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <sys/auxv.h>

#include "solver/support/memory.h"
#include "tables/file/files.h"
#include "tables/file/table_layout.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr double kLeastMemory = 1e6;  // bytes

}  // namespace

std::string command_name() {
  const char* name = std::getenv("PLENUM_COMMAND");
  return name != nullptr ? name : "plenum";
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-./:=,+", c) != nullptr;
  });
  return plain ? text : absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

std::string as_typed(const GameArguments& game) {
  std::string out = shell_word(game.variant);
  if (!game.board.empty()) absl::StrAppend(&out, " --board ", shell_word(game.board));
  for (const std::string& setting : game.settings) absl::StrAppend(&out, " --set ", shell_word(setting));
  return out;
}

std::string data_folder() {
  if (const char* asked = std::getenv("PLENUM_DATA")) return asked;
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {  // no /proc, as in a bare chroot: what it was started as, whose address the kernel gives as a number
    const auto* const started =
        reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // NOLINT(performance-no-int-to-ptr)
    program = std::filesystem::canonical(started == nullptr ? "" : started, error);
  }
  if (!error) {
    const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "plenum";
    if (std::filesystem::is_directory(installed / "variants", error)) return installed.string();
  }
  return PLENUM_DATA_FOLDER;
}

bool is_table(const std::string& path) {
  const absl::StatusOr<FileToRead> file = FileToRead::open(path);
  // The size first: a read of /proc/kmsg, of no bytes, would wait for the kernel to say something.
  if (!file.ok() || file->bytes() < kTableMagic.size()) return false;
  std::array<std::uint8_t, kTableMagic.size()> first = {};
  return file->read(0, first).ok() && std::equal(first.begin(), first.end(), kTableMagic.begin());
}

absl::StatusOr<Description> load_game(const GameArguments& arguments) {
  if (is_table(arguments.variant))
    return error_at(Span::whole("variant", arguments.variant), "this is the table of a solved game, not a description",
                    "query, export, verify and explore take tables; elsewhere name the game");
  ASSIGN_OR_RETURN(Description game, load_description(arguments.variant, data_folder()));
  RETURN_IF_ERROR(set_options(game, arguments));
  return game;
}

absl::Status set_options(Description& game, const GameArguments& arguments) {
  std::set<std::string> given;
  for (const std::string& setting : arguments.settings) {
    const std::string name = setting.substr(0, setting.find('='));
    if (!given.insert(name).second)
      return error_at(Span::whole("--set", setting).part(0, name.size()),
                      absl::StrCat("option '", name, "' is given twice"), "");
    RETURN_IF_ERROR(game.set_option(Span::whole("--set", setting)));
  }
  if (!arguments.board.empty()) {
    if (given.count("board") > 0)
      return error_at(Span::whole("--board", arguments.board), "the board is given twice, here and by --set", "");
    RETURN_IF_ERROR(set_board(game, arguments.board));
  }
  return absl::OkStatus();
}

absl::Status set_board(Description& game, const std::string& board) {
  absl::Status set = game.set_option(Span::whole("--board", absl::StrCat("board=", board)));
  if (set.ok()) game.use_board(Span::whole("--board", board));
  return set;
}

absl::StatusOr<Variant> make_game(const GameArguments& arguments) {
  ASSIGN_OR_RETURN(Description game, load_game(arguments));
  return Variant::make(game);
}

absl::StatusOr<std::uint64_t> memory_limit(const RunArguments& arguments) {
  if (arguments.memory.empty()) return arguments.ranks->memory_share() / 5 * 4;
  const Span text = Span::whole("--memory", arguments.memory);
  const std::size_t digits = arguments.memory.find_first_not_of("0123456789.");
  double value = 0;
  const std::string unit = digits == std::string::npos ? "" : arguments.memory.substr(digits);
  const std::vector<std::pair<std::string, double>> units = {
      {"", 1},     {"B", 1},     {"k", 1e3},     {"K", 1e3},        {"kB", 1e3},
      {"KB", 1e3}, {"M", 1e6},   {"MB", 1e6},    {"G", 1e9},        {"GB", 1e9},
      {"T", 1e12}, {"TB", 1e12}, {"KiB", 1024.}, {"MiB", 1048576.}, {"GiB", 1073741824.}};
  if (absl::SimpleAtod(arguments.memory.substr(0, digits), &value) && value > 0) {
    for (const auto& [name, factor] : units) {
      if (name != unit || value * factor >= 1e18) continue;
      if (value * factor < kLeastMemory) {
        return absl::ResourceExhaustedError(error_at(text, "this is less than any game takes",
                                                     absl::StrCat("write ", arguments.memory, "M for megabytes"))
                                                .message());
      }
      return static_cast<std::uint64_t>(value * factor);
    }
  }
  return error_at(text, "this is no amount of memory", "write 500M, 2G, 1.5GiB, or a number of bytes");
}

}  // namespace plenum
