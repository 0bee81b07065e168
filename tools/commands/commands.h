// SPDX-License-Identifier: Apache-2.0
// The commands of `plenum`, each from its arguments to an exit code, or to what kept it from its work: results on stdout, messages on
// stderr.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/console/game_arguments.h"

namespace CLI {
class App;
}

namespace plenum {

struct SolveArguments {
  GameArguments game;
  RunArguments run;
  std::string method = kAuto;        // or the name of a method
  std::string table;                 // the file for the result; empty: the one in the cache folder
  bool no_table = false;             // nor that
  bool no_remoteness = false;        // values alone
  std::string only;                  // "outcome": not by how much
  bool margins = false;              // by bits: of all positions
  bool lengths = false;              // how long wins take, where the look at every position takes longer than the solve
  bool openings = false;             // by search too, which otherwise looks at the start alone
  bool measures = false;             // of a graph of any size
  std::string position;              // to begin at; empty: the start
  std::string moves;                 // played from there
  std::vector<std::string> against;  // "default" or "name=value"
};
absl::StatusOr<int> solve_command(const SolveArguments& arguments);

struct VerifyArguments {
  std::string table;
  RunArguments run;
};
absl::StatusOr<int> verify_command(const VerifyArguments& arguments);

struct NewArguments {
  std::string name;
  std::string like;  // a game to extend; empty: none
};
absl::StatusOr<int> new_command(const NewArguments& arguments);

struct CheckArguments {
  std::vector<std::string> variants;
  std::string board;                  // these two for `orders`
  std::vector<std::string> settings;  // "name=value"
  bool moves = false;                 // one of each kind is drawn
  int orders = 0;                     // in how many orders cells are changed, to see whether it matters
  RunArguments run;
};
absl::StatusOr<int> check_command(const CheckArguments& arguments);

struct InfoArguments {
  GameArguments game;
  RunArguments run;
  bool pieces = false;  // instead: how each piece goes
  int ranks = 1;        // for which what it takes is predicted
};
absl::StatusOr<int> info_command(const InfoArguments& arguments);

struct CountArguments {
  GameArguments game;
  RunArguments run;
  int depth = 1;
  std::string position;  // empty: the start
  bool divide = false;
};
absl::StatusOr<int> count_command(const CountArguments& arguments);

struct QueryArguments {
  GameArguments game;
  RunArguments run;
  std::string position;  // empty: the start
  std::string moves;     // played from there
  bool moves_only = false;
  bool from_stdin = false;
};
absl::StatusOr<int> query_command(const QueryArguments& arguments);

struct ExportArguments {
  GameArguments game;
  RunArguments run;
  std::string output;  // "-": stdout
  std::string format;  // empty: as the file's ending says
  std::string rows = "positions";
  bool unfold = false;  // all images of a position, and not one for all
};
absl::StatusOr<int> export_command(const ExportArguments& arguments);

struct TablesArguments {
  std::vector<std::string> remove;  // files, hashes, or variants
  bool remove_all = false;
  bool json = false;
};
absl::StatusOr<int> tables_command(const TablesArguments& arguments);

struct CyclesArguments {
  GameArguments game;
  RunArguments run;
  std::string method = kAuto;
  std::string position;  // to begin at; empty: the start
  std::string moves;     // played from there
  std::string dot;       // files to write the trap to as a graph; empty: none
  std::string graphml;
};
absl::StatusOr<int> cycles_command(const CyclesArguments& arguments);

struct ReachArguments {
  GameArguments game;
  RunArguments run;
  std::string goal;          // a truth expression
  std::string position;      // empty: the start
  std::string moves;         // played from there
  std::optional<int> depth;  // plies; none: as far as it takes
};
absl::StatusOr<int> reach_command(const ReachArguments& arguments);

struct CompareArguments {
  std::string a;
  std::string b;  // empty: the same description
  std::string board;
  std::vector<std::string> settings;  // "name=value", or "name=value,value" for A and B
  bool readings = false;              // instead: A against each of its other readings
  bool all_options = false;           // of these, not only those that the author left open
  int show = 3;                       // positions that change
  RunArguments run;
};
absl::StatusOr<int> compare_command(const CompareArguments& arguments);
absl::StatusOr<int> readings_command(const CompareArguments& arguments);

struct ReportArguments {
  GameArguments game;
  RunArguments run;
  std::string output;               // the file
  bool openings = false;            // as of solve
  bool in_full = false;             // what takes long in large games too
  std::vector<std::string> varied;  // "name=value,value", two at most; empty: what the game has
};
absl::StatusOr<int> report_command(const ReportArguments& arguments);

struct SweepArguments {
  std::string variant;
  std::string boards;                 // "square:2x3,path:3..9"; empty: the variant's
  std::vector<std::string> settings;  // "name=value,value"
  bool all_options = false;
  bool csv = false;
  bool fresh = false;     // do not use what is known from before
  bool no_cache = false;  // nor keep anything
  std::string html;       // the file for a page with maps; empty: none
  RunArguments run;
};
absl::StatusOr<int> sweep_command(const SweepArguments& arguments);

struct ExploreArguments {
  GameArguments game;  // its variant may be empty, or a table
  RunArguments run;
  int port = 0;  // 0: any that is free
  bool no_open = false;
  std::string save;  // the file that the editor may write to; empty: none
};
absl::StatusOr<int> explore_command(const ExploreArguments& arguments);

struct PlayArguments {
  GameArguments game;
  RunArguments run;
  std::string position;            // empty: the start
  std::string program = "second";  // the side that it plays: first, second, both, nobody
  bool values = false;             // are shown
};
absl::StatusOr<int> play_command(const PlayArguments& arguments);

int language_command();

struct BenchArguments {
  std::vector<std::string> workloads;  // empty: all
  RunArguments run;
  std::string file;        // empty: the data folder's list
  bool choice = false;     // hold the choice of methods against what each takes, instead of timing workloads
  bool long_ones = false;  // workloads that take long too
};
absl::StatusOr<int> bench_command(const BenchArguments& arguments);
absl::StatusOr<int> bench_choice(const BenchArguments& arguments);

struct ManualArguments {
  std::string what;  // man, bash, zsh, fish; json, json-schema; or variants, the names there are
};
// `app` has the commands and options that are written about.
absl::StatusOr<int> manual_command(const ManualArguments& arguments, const CLI::App& app);

}  // namespace plenum
