// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/dense/dense_bytes.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "solver/verify/verify_stages.h"

namespace plenum {
namespace {

constexpr BoardIndex kPiece = 1024;         // boards of a piece of work
constexpr BoardIndex kSlice = 64 * kPiece;  // between two looks at whether to go on

std::string claim_words(const Variant& variant, std::uint8_t claims, ValueByte code) {
  std::vector<std::string> out;
  if ((claims & kClaimDecided) != 0) out.push_back(code_words(variant, code));
  if ((claims & kClaimMoverEnds) != 0) out.emplace_back("the mover can force an end at no loss");
  if ((claims & kClaimOtherEnds) != 0) out.emplace_back("the opponent can force an end at no loss");
  if ((claims & kClaimMoverForces) != 0) out.emplace_back("the mover can force an end");
  if ((claims & kClaimOtherForces) != 0) out.emplace_back("the opponent can force an end");
  if ((claims & kClaimLevelEnd) != 0) out.emplace_back("a level end can be reached");
  return out.empty() ? "nothing can be brought about" : absl::StrJoin(out, ", ");
}

std::string fact_words(const Variant& variant, std::uint8_t facts) {
  if (facts > (kRowMoverForcesEnd | kRowNothingKnown)) return absl::StrCat("the byte ", facts);
  return claim_words(variant, claims_of(kUnresolved, facts, true), kUnresolved);
}

std::string reached_words(std::uint8_t bits) {
  std::vector<std::string> out;
  for (int bit = 0; bit < 6; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    out.push_back(absl::StrCat(bit % 2 == 0 ? "with first to move" : "with second to move", bit < 2 ? ""
                                                                                            : bit < 4
                                                                                                ? " after a pass"
                                                                                                : " after two passes"));
  }
  if (bits > 63) return absl::StrCat("the byte ", bits);
  return out.empty() ? "not reached" : absl::StrCat("reached ", absl::StrJoin(out, ", "));
}

Mismatch in_words(const VerifySpace& space, const Finding& f) {
  const Variant& variant = space.variant;
  Mismatch out;
  out.kind = f.kind;
  out.position = variant.rules().write(space.index.position({f.state, f.board}));
  const auto words = [&](std::uint8_t byte) {
    switch (f.kind) {
      case VerifyKind::value:
        return code_words(variant, byte);
      case VerifyKind::remoteness:
        return ply_words(byte);
      case VerifyKind::facts:
        return fact_words(variant, byte);
      case VerifyKind::proven:
        return claim_words(variant, byte, f.code);
      case VerifyKind::reached:
        return reached_words(byte);
    }
    return std::string();
  };
  out.found = words(f.found);
  out.expected = words(f.expected);
  return out;
}

std::optional<std::size_t> find_layer(const TableReader& table, DenseLayer layer) {
  return table.find_layer(kDenseLayerNames[static_cast<std::size_t>(layer)]);
}

absl::Status read_nodes(const TableReader& table, VerifyRun& run) {
  const std::uint64_t wanted = run.space.index.boards() * run.space.states;
  for (const TableReader::Layer& layer : table.layers()) {
    if (layer.bytes != wanted)
      return damaged_table(table.path(), absl::StrCat("its layer '", layer.name, "' has ", layer.bytes,
                                                      " bytes, and this game has ", wanted, " boards"));
  }
  const auto codes = find_layer(table, DenseLayer::codes);
  const auto facts = find_layer(table, DenseLayer::facts);
  const auto plies = find_layer(table, DenseLayer::plies);
  if (!codes || !find_layer(table, DenseLayer::reached))
    return damaged_table(table.path(), "it has no values of positions");
  run.nodes.resize(wanted);
  run.facts = facts.has_value();
  run.plies = plies.has_value();
  absl::Status done = read_layer(table, *codes, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].code = b; });
  if (done.ok() && facts)
    done = read_layer(table, *facts, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].facts = b; });
  if (done.ok() && plies)
    done = read_layer(table, *plies, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].plies = b; });
  return done;
}

absl::Status compare_reached(const TableReader& table, VerifyRun& run) {
  const BoardIndex boards = run.space.index.boards();
  return read_layer(table, *find_layer(table, DenseLayer::reached), [&](std::uint64_t i, std::uint8_t byte) {
    if (byte == run.reached[i]) return;
    run.note({VerifyKind::reached, static_cast<std::uint32_t>(i / boards), i % boards, byte, run.reached[i], 0});
  });
}

}  // namespace

std::string code_words(const Variant& variant, ValueByte code) {
  switch (code) {
    case 128:
      return "a tie: the opponent can force an end";
    case 129:
      return "a tie: both can force an end";
    case 130:
      return "a cycle: nobody can force an end";
    case 131:
      return "a tie: the mover can force an end";
    default:
      break;
  }
  const std::int64_t units = units_of(code);
  if (code == 0 || code == kNoSuccessor || code_of_margin(units) != code) return absl::StrCat("the byte ", code);
  return absl::StrCat(units > 0 ? "the mover wins by " : "the mover loses by ",
                      variant.margin_text(Margin{units > 0 ? units : -units}));
}

std::string ply_words(std::uint8_t plies) {
  return plies == kUnknownPlies ? "unknown" : absl::StrCat(plies, plies == 1 ? " ply" : " plies");
}

absl::Status read_layer(const TableReader& table, std::size_t layer, const EnterByteFn& enter) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
  const std::uint64_t size = table.layers()[layer].bytes;
  std::vector<absl::Status> status((size + kBytes - 1) / kBytes);
  for_each_index(status.size(), [&](std::size_t k) {
    const std::uint64_t from = k * kBytes;
    std::vector<std::uint8_t> bytes(std::min(kBytes, size - from));
    status[k] = table.read(layer, from, bytes);
    for (std::size_t i = 0; i < bytes.size() && status[k].ok(); ++i) enter(from + i, bytes[i]);
  });
  for (const absl::Status& s : status) {
    if (!s.ok()) return s;
  }
  return absl::OkStatus();
}

const char* verify_kind_name(VerifyKind kind) {
  switch (kind) {
    case VerifyKind::value:
      return "value";
    case VerifyKind::remoteness:
      return "remoteness";
    case VerifyKind::facts:
      return "facts";
    case VerifyKind::proven:
      return "claim";
    case VerifyKind::reached:
      return "reached";
  }
  return "";
}

VerifyRun::VerifyRun(const VerifySpace& s, const VerifyOptions& options)
    : space(s), options_(options), replies_([this] { return std::make_unique<Replies>(space); }) {}

VerifyTier VerifyRun::tier(int stones) const {
  const DenseIndex& index = space.index;
  VerifyTier out;
  out.stones = stones;
  out.first = index.first_block(stones);
  const BlockIndex after = index.first_block(stones + 1);
  if (after == out.first) return out;
  const Block& block = index.blocks()[out.first];
  out.begin = block.base;
  out.size = index.size(block);
  out.end = out.begin + (after - out.first) * out.size;
  return out;
}

absl::Status VerifyRun::for_boards(const char* what, const VerifyTier& tier, const Body& body) {
  std::mutex lock;
  absl::Status first_error = absl::OkStatus();
  for (BoardIndex slice = tier.begin; slice < tier.end; slice += kSlice) {
    if (options_.progress && !options_.progress({what, slice, space.index.boards(), tier.stones}))
      return absl::CancelledError("interrupted");
    const BoardIndex end = std::min(tier.end, slice + kSlice);
    for_each_index((end - slice + kPiece - 1) / kPiece, [&](std::size_t k) {
      const BoardIndex from = slice + k * kPiece;
      const auto replies = replies_.borrow();
      const absl::Status done = body(*replies, from, std::min(end, from + kPiece));
      if (done.ok()) return;
      const std::lock_guard<std::mutex> guard(lock);
      first_error = done;
    });
    if (!first_error.ok()) return first_error;
  }
  return absl::OkStatus();
}

void MismatchLog::note(const Finding& finding) {
  const std::lock_guard<std::mutex> guard(lock_);
  ++wrong_;
  first_.insert(finding);
  if (first_.size() > Mismatches::kShown) first_.erase(std::prev(first_.end()));
}

std::uint64_t verify_bytes(const Variant& variant, const DenseIndex& index) {
  const VerifySpace space(variant, index);
  std::uint64_t largest = 0;
  for (int stones = 0; stones <= index.cells(); ++stones) {
    const std::uint64_t blocks = index.first_block(stones + 1) - index.first_block(stones);
    if (blocks > 0) largest = std::max(largest, blocks * index.size(index.blocks()[index.first_block(stones)]));
  }
  const std::uint64_t each = sizeof(VerifyNode) + 1;
  const std::uint64_t of_tier = space.has_passes ? sizeof(VerifyNode) : 1;  // sent on, then after a pass: not at a time
  constexpr std::uint64_t kWorkers = 32'000'000;
  return space.states * (index.boards() * each + largest * of_tier) + kWorkers + base_memory();
}

absl::StatusOr<Verification> verify_table(const Variant& variant, const TableReader& table,
                                          const VerifyOptions& options) {
  if (find_layer(table, DenseLayer::sets)) return verify_one_pass(variant, table, options);
  if (const auto why = VerifySpace::obstacle(variant)) return absl::UnimplementedError(*why);
  const DenseIndex index(variant);
  if (index.base() != 2) return absl::UnimplementedError("only one kind of stones can come to stand on the board");
  if (const std::uint64_t needed = verify_bytes(variant, index); needed > options.memory_bytes)
    return absl::ResourceExhaustedError(absl::StrCat(
        "memory: verifying ", variant.description().name, " on ", variant.board().name(), " needs ",
        memory_text(needed), "; ", memory_text(options.memory_bytes), " may be used\n  give more with --memory"));
  VerifyRun run(VerifySpace(variant, index), options);
  if (const absl::Status done = read_nodes(table, run); !done.ok()) return done;
  if (const absl::Status done = find_reached(run); !done.ok()) return done;
  if (const absl::Status done = compare_reached(table, run); !done.ok()) return done;
  absl::StatusOr<Census> census = check_nodes(run);
  if (!census.ok()) return census.status();

  Verification out;
  out.boards = index.boards();
  out.positions = index.boards() * run.space.states;
  out.after_pass = run.space.has_passes ? out.positions : 0;
  out.facts = run.facts;
  out.remoteness = run.plies;
  out.claims = census->claims;
  out.expanded = run.expanded;
  for (const std::uint8_t bits : run.reached) out.reached += static_cast<std::uint64_t>(std::popcount(bits));
  out.wrong = run.wrong();
  for (const Finding& finding : run.first()) out.first.push_back(in_words(run.space, finding));
  out.reachable = std::move(census->reachable);
  out.whole_board = std::move(census->whole_board);
  return out;
}

}  // namespace plenum
