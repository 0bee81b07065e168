// SPDX-License-Identifier: Apache-2.0
// plenum new: writes a first description, ready to be changed: a small game of its own, or a tweak of another.
#include <cctype>
#include <cerrno>
#include <iostream>
#include <string_view>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <fcntl.h>
#include <unistd.h>

#include "tables/file/files.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/session/checking.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMovesListed = 40;  // in the test of a tweak; of more, some
constexpr std::size_t kMovesOfMany = 3;

// "my-game" as a title: "My game".
std::string title_of(const std::string& name) {
  std::string out = absl::StrReplaceAll(name, {{"-", " "}, {"_", " "}});
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

std::string how_to_begin(const std::string& file) {
  return absl::StrCat("# What stands behind a # is a comment. While you change this file:\n#   plenum check ", file,
                      "     does it hold together, and do its tests pass?\n#   plenum solve ", file,
                      "     who wins, how, and after which opening?\n#   plenum explore ", file,
                      "   play on the solved board, in a browser\n# plenum language prints all words that rules may "
                      "use.\n\n");
}

constexpr const char* kFirstGame = R"toml(about  = """
Two players take turns to put a stone on an empty cell, or to move one of their own to an empty cell beside it.
Whoever has three stones in a row wins."""

[options]
board = { default = "square:3x3", about = "any board with straight directions" }   # also hexhex:3, torus:4x4, ...
need  = { default = 3, range = [2, 5], about = "how many stones in a row win" }    # plenum solve FILE --set need=4
steps = { default = "off", about = "stones may move" }

# Sets of cells and numbers with names of your own. 'mine' are the stones of the player to move, 'theirs' the others.
[define]
made = "any(line(mine, need))"

# Each kind of move is a table. This one puts a stone: 'to' is the set of cells where it may go.
[moves.place]
to = "empty"

# This one takes a stone from a cell to another one.
[moves.step]
when = "steps"
from = "mine"
step = "adjacent"
to   = "empty"

# When the game ends, and what becomes of a player who has no move: loses, wins, ties, scores or pass.
[end]
wins  = "made"
stuck = "ties"

# Tests: plenum check runs them. Write one for each rule that you would explain to a friend.
[[test]]
legal = "a1 b1 c1 a2 b2 c2 a3 b3 c3"

# The rows from the top, then the player to move: x is first, o is second, a number is so many empty cells.
[[test]]
position = "x1o/x1o/3 1"
play     = "a1"
after    = "x1o/x1o/x2 2"
value    = "first"

[[test]]
set      = { steps = "on" }
position = "3/x2/3 1"
legal    = "a2-a1 a2-b2 a2-a3 ..."
)toml";

std::string first_game(const std::string& name, const std::string& file) {
  return absl::StrCat(how_to_begin(file), "name   = \"", title_of(name), "\"\nauthor = \"\"\n", kFirstGame);
}

// The moves at the start, as a test has them; empty where there is nothing to say.
absl::StatusOr<std::string> test_of_start(const Description& like) {
  ASSIGN_OR_RETURN(const Variant variant, Variant::make(like));
  if (!variant.rules().has_start()) return std::string();
  const Position start = variant.rules().start();
  ASSIGN_OR_RETURN(const EndState end, end_state(variant.rules(), start));
  if (end.ended) return std::string();
  ASSIGN_OR_RETURN(const std::vector<Successor> moves, successors(variant.rules(), start));
  const bool some = moves.size() > kMovesListed;
  std::string list;
  for (std::size_t i = 0; i < (some ? kMovesOfMany : moves.size()); ++i)
    absl::StrAppend(&list, i == 0 ? "" : " ", moves[i].text);
  return absl::StrCat("# The moves at the start as they are in that game", some ? ", and others" : "",
                      ". A rule that you change may change them.\n[[test]]\nlegal = \"", list, some ? " ..." : "",
                      "\"\n");
}

std::string one_line(const std::string& text) { return absl::StrReplaceAll(text, {{"\n", " "}}); }

std::string default_text(const Option& option) {
  const bool number = std::holds_alternative<std::int64_t>(option.initial);
  return number
             ? to_text(option.initial)
             : absl::StrCat("\"", absl::StrReplaceAll(to_text(option.initial), {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

absl::StatusOr<std::string> tweak_of(const Description& like, const std::string& extended, const std::string& name,
                                     const std::string& file) {
  std::string out = absl::StrCat(
      how_to_begin(file), "# All that is not said here is as in ", like.name, ": ", like.path, "\nextends = \"",
      absl::StrReplaceAll(extended, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"\nname    = \"", title_of(name), "\"\n\n");
  absl::StrAppend(&out, "# Its options. Take away the # to begin with another value.\n[options]\n");
  for (const Option& option : like.options) {
    const std::string choices = option.choices();
    absl::StrAppend(&out, "# ", option.name, " = { default = ", one_line(default_text(option)), " }",
                    choices.empty() ? "" : absl::StrCat("   # of ", choices), "\n");
    if (!option.about.empty()) absl::StrAppend(&out, "#     ", one_line(option.about), "\n");
  }
  if (!like.moves.empty()) {
    absl::StrAppend(&out, "\n# Its moves. 'false' takes one away; a table changes the keys that it has.\n# [moves]\n");
    for (const MoveDescription& move : like.moves) absl::StrAppend(&out, "# ", move.name, " = false\n");
  }
  ASSIGN_OR_RETURN(const std::string test, test_of_start(like));
  return absl::StrCat(out, "\n", test);
}

absl::Status check_name(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-_") == std::string::npos;
  if (plain && name[0] != '-' && name[0] != '_') return absl::OkStatus();
  return error_at(Span::whole("NAME", name),
                  "a name has letters, digits, '-' and '_', and begins with one of the first two",
                  "the file is written where you are: NAME.toml");
}

// Never over a file that is there.
absl::Status write_new(const std::string& file, const std::string& text) {
  const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (out.number() < 0 && errno == EEXIST)
    return absl::InvalidArgumentError(
        absl::StrCat(file, " is there already, and is not overwritten\n  take another name, or remove it"));
  if (out.number() < 0) return file_error(errno, "write", file);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(out.number(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    const int error = written < 0 ? errno : ENOSPC;
    ::unlink(file.c_str());
    return file_error(error, "write", file);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> new_command(const NewArguments& arguments) {
  std::string name = arguments.name;
  if (name.ends_with(".toml")) name.resize(name.size() - 5);
  RETURN_IF_ERROR(check_name(name));
  const std::string file = name + ".toml";
  std::string text = first_game(name, file);
  if (!arguments.like.empty()) {
    if (arguments.like == name || arguments.like == file)
      return absl::InvalidArgumentError(
          absl::StrCat("a game that is called '", name, "' cannot extend '", name, "'\n  give it a name of its own"));
    ASSIGN_OR_RETURN(const Description like, load_description(arguments.like, data_folder()));
    ASSIGN_OR_RETURN(text, tweak_of(like, arguments.like, name, file));
  }
  // What is written holds together.
  const Checked checked = compile_description(parse_description({file, text}, data_folder(), "."));
  if (!checked.errors.empty()) return absl::InvalidArgumentError(checked.errors.front().text);
  RETURN_IF_ERROR(write_new(file, text));
  std::cout << "wrote " << file << "\n  plenum check " << file << "\n";
  return kDone;
}

}  // namespace plenum
