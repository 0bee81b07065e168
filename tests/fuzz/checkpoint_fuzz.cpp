// SPDX-License-Identifier: Apache-2.0
// Solves that go on from checkpoints whose files were changed: small games solved in every way that keeps checkpoints, stopped at some
// place; then files are damaged, exchanged, removed or forged as the input says, and the solve goes on.
//
// The first byte chooses the game, the second where it was stopped; then come edits: what to do, with which file, and what that
// takes. Damaged and renamed pieces have to be taken for none, so that the result is as ever; forged ones, whose checksums fit, may only be refused or
// lead to other values, not astray.
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include <absl/strings/str_cat.h>
#include <tbb/global_control.h>

#include "solver/bits/bit_pass.h"
#include "solver/dense/dense_game.h"
#include "solver/method/all_methods.h"
#include "solver/one_pass/one_pass.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/table_input.h"

namespace plenum::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRows = R"toml(
name = "Rows"
options.board = { default = "path:3" }
moves.place.to = "empty"
moves.move = { from = "mine", to = "empty", step = "adjacent" }
moves.pass = {}
end = { when = "passes == 2", score = "count(mine)" }
)toml";

using Files = std::map<std::string, std::string>;  // names and bytes
// Returns false to stop.
using Report = std::function<bool()>;
// Everything that a solve has found, as a text.
using Solve = std::function<absl::StatusOr<std::string>(const Variant&, const Checkpoint*, const Report&)>;

std::string text_of(const GameResult& game) {
  const PositionValue& v = game.start_value();
  std::string out = absl::StrCat(v.margin.margin.units, " ", static_cast<int>(v.outcome), " ",
                                 v.plies ? v.plies->count : 0, " ", game.stored(), "\n");
  for (const Opening& o : game.openings()) absl::StrAppend(&out, o.text, " ", o.after.margin.margin.units, "\n");
  if (!game.summary().statistics) return out;  // by bits
  const Statistics& s = game.statistics();
  return absl::StrCat(out, s.reachable, " ", s.canonical, " ", s.ended, " ", s.first, " ", s.second, " ", s.tie, " ",
                      s.cycle, " ", s.moves, "\n");
}

absl::StatusOr<std::string> by_bytes(const Variant& variant, const Checkpoint* checkpoint, const Report& report) {
  DenseOptions options;
  options.checkpoint = checkpoint;
  options.progress = [&](const DenseProgress&) { return report(); };
  const auto game = solve_dense(variant, options);
  if (!game.ok()) return game.status();
  std::string out = text_of(**game);
  const absl::Status written =
      write_layers((*game)->bytes(), [&](DenseLayer layer, std::span<const std::uint8_t> bytes) {
        absl::StrAppend(&out, kDenseLayerNames[static_cast<std::size_t>(layer)], " ");
        out.append(bytes.begin(), bytes.end());
        return absl::OkStatus();
      });
  if (!written.ok()) return written;
  return out;
}

absl::StatusOr<std::string> by_bits(const Variant& variant, const Checkpoint* checkpoint, const Report& report) {
  BitOptions options;
  options.checkpoint = checkpoint;
  options.progress = [&](const DenseProgress&) { return report(); };
  const auto game = solve_bits(variant, variant.rules().start(), options);
  if (!game.ok()) return game.status();
  std::string out = text_of(**game);
  for (const BitTier& t : (*game)->tiers())
    absl::StrAppend(&out, t.stones, " ", t.positions, " ", t.first, " ", t.second, " ", t.level, " ", t.ended, "\n");
  return out;
}

struct Solved {
  Variant variant;
  Solve solve;
  std::string right;
  std::vector<Files> stages;  // what was kept whenever it could have been stopped
};

Solved solved(Variant variant, const Solve& solve) {
  Solved out{std::move(variant), solve, {}, {}};
  const std::string path = own_folder() + "/seed";
  const Checkpoint checkpoint = sure(Checkpoint::open(path, "the game"), path);
  const auto keep = [&] {
    Files files;
    for (const auto& entry : fs::directory_iterator(path + ".partial"))
      files[entry.path().filename().string()] = read_file(entry.path().string());
    if (out.stages.empty() || out.stages.back() != files) out.stages.push_back(std::move(files));
    return true;
  };
  out.right = sure(solve(out.variant, &checkpoint, keep), "the game cannot be solved");
  keep();
  require(checkpoint.remove_all().ok(), path);
  require(out.right == sure(solve(out.variant, nullptr, [] { return true; }), "solved"), "a checkpoint matters");
  require(out.stages.size() > 1, "nothing is kept");
  return out;
}

const Solved& chosen(std::size_t n) {
  static const std::array games = {
      solved(sure(Variant::make(sure(described(kRows), "rows")), "rows"), by_bytes),
      solved(game("taifas", {"board=square:2x2"}), by_bytes),
      solved(game("cascade", {"board=square:2x2", "fill=both"}), by_bytes),
      solved(game("taifas", {"board=square:2x2"}), by_bits),
      solved(game("tic-tac-toe", {"board=square:2x2"}), by_bits),
  };
  return games[n % games.size()];
}

// Changes a piece behind its checksums.
void forge(Input& in, std::string& file) {
  const std::string path = own_folder() + "/sound";
  write_file(path, file);
  if (!TableReader::open(path).ok() || !(*TableReader::open(path))->check().ok()) return;
  TableParts parts = parts_of(path);
  const std::size_t what = in.below(6);
  const std::size_t at = in.byte() + std::size_t{256} * in.byte();
  const std::uint8_t value = in.byte();
  if (what == 0 && !parts.header.empty()) parts.header[at % parts.header.size()] ^= static_cast<char>(value);
  if (what == 1) parts.header.resize(value);
  if (what >= 2 && !parts.layers.empty()) {
    auto& [name, bytes] = parts.layers[value % parts.layers.size()];
    if (what == 2) bytes.resize(at);
    if (what == 3) name += static_cast<char>(value);
    if (what == 4) parts.layers.erase(parts.layers.begin() + value % static_cast<int>(parts.layers.size()));
    for (std::size_t i = 0; what == 5 && i <= value % 16 && !bytes.empty(); ++i)
      bytes[(at + i) % bytes.size()] = static_cast<char>(in.byte());
  }
  file = file_of(parts);
}

// One edit; whether what it leaves may pass for sound.
bool edit(Input& in, const Solved& solved, Files& files) {
  if (files.empty()) return false;
  const std::size_t what = in.below(10);
  const auto one = [&] { return std::next(files.begin(), static_cast<std::ptrdiff_t>(in.below(files.size()))); };
  const auto chosen_file = one();
  std::string& file = chosen_file->second;
  const std::size_t at = file.empty() ? 0 : (in.byte() + std::size_t{256} * in.byte()) % file.size();
  switch (what) {
    case 0:
      if (!file.empty()) file[at] = static_cast<char>(file[at] ^ in.byte());
      return false;
    case 1:
      file.resize(at);
      return false;
    case 2:
      file.insert(at, in.take(in.byte()));
      return false;
    case 3:
      files.erase(chosen_file);
      return false;
    case 4:
      files[in.take(in.below(32))] = file;
      return false;
    case 5:  // a piece of another game
      file = file_of({"", "another game", {{"codes", in.take(in.byte())}}});
      return false;
    case 6: {  // as it was at another time
      const Files& other = solved.stages[in.below(solved.stages.size())];
      if (const auto found = other.find(chosen_file->first); found != other.end()) file = found->second;
      return false;
    }
    case 7:
      std::swap(file, one()->second);
      return false;
    case 8:
      mend(file);
      return true;
    default:
      forge(in, file);
      return true;
  }
}

}  // namespace
}  // namespace plenum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  static const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  fuzz::Input in(data, size);
  const fuzz::Solved& solved = fuzz::chosen(in.byte());
  fuzz::Files files = solved.stages[in.below(solved.stages.size())];
  bool forged = false;
  for (int edits = 0; edits < 16 && !in.empty(); ++edits) forged |= fuzz::edit(in, solved, files);

  const std::string path = fuzz::own_folder() + "/game";
  const std::string folder = path + ".partial";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  for (const auto& [name, bytes] : files) {
    const bool good =
        !name.empty() && name != "." && name != ".." && name.find_first_of(std::string("/\0", 2)) == std::string::npos;
    if (good) fuzz::write_file(absl::StrCat(folder, "/", name), bytes);
  }
  const Checkpoint checkpoint = fuzz::sure(Checkpoint::open(path, "the game"), path);
  const absl::StatusOr<std::string> found = solved.solve(solved.variant, &checkpoint, [] { return true; });
  if (!forged) {
    fuzz::require(found.ok(), "not solved: " + std::string(found.status().message()));
    fuzz::require(*found == solved.right, "solved otherwise");
  }
  fuzz::require(checkpoint.remove_all().ok(), "pieces are left");
  return 0;
}
