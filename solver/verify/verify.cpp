// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify.h"

#include <algorithm>
#include <array>
#include <bit>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/dense/dense_bytes.h"
#include "solver/support/memory.h"
#include "solver/support/parallel.h"
#include "solver/verify/verify_stages.h"
#include "solver/verify/verify_tools.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

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
  constexpr std::array<const char*, 3> kAfter = {"", " after a pass", " after two passes"};
  std::vector<std::string> out;
  for (std::size_t bit = 0; bit < 6; ++bit) {
    if ((bits >> bit & 1) != 0)
      out.push_back(absl::StrCat(bit % 2 == 0 ? "with first to move" : "with second to move", kAfter[bit / 2]));
  }
  if (bits > 63) return absl::StrCat("the byte ", bits);
  return out.empty() ? "not reached" : absl::StrCat("reached ", absl::StrJoin(out, ", "));
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
  RETURN_IF_ERROR(read_layer(table, *codes, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].code = b; }));
  if (facts) {
    RETURN_IF_ERROR(read_layer(table, *facts, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].facts = b; }));
  }
  if (!plies) return absl::OkStatus();
  return read_layer(table, *plies, [&](std::uint64_t i, std::uint8_t b) { run.nodes[i].plies = b; });
}

absl::Status compare_reached(const TableReader& table, VerifyRun& run) {
  const BoardIndex boards = run.space.index.boards();
  return read_layer(table, *find_layer(table, DenseLayer::reached), [&](std::uint64_t i, std::uint8_t byte) {
    if (byte == run.reached[i]) return;
    run.note({VerifyKind::reached, static_cast<std::uint32_t>(i / boards), i % boards, byte, run.reached[i], 0});
  });
}

// What verifying will hold at the most.
std::uint64_t verify_bytes(const VerifySpace& space) {
  const DenseIndex& index = space.index;
  BoardIndex largest = 0;
  for (int stones = 0; stones <= index.cells(); ++stones)
    largest = std::max(largest, index.begin(stones + 1) - index.begin(stones));
  const std::uint64_t each = sizeof(VerifyNode) + 1;
  const std::uint64_t of_tier = space.has_passes ? sizeof(VerifyNode) : 1;  // sent on, then after a pass: not at a time
  constexpr std::uint64_t kWorkers = 32'000'000;
  return space.states * (index.boards() * each + largest * of_tier) + kWorkers + base_memory();
}

}  // namespace

std::string code_words(const Variant& variant, ValueByte code) {
  constexpr std::array<const char*, 4> kLevel = {"a tie: the opponent can force an end", "a tie: both can force an end",
                                                 "a cycle: nobody can force an end",
                                                 "a tie: the mover can force an end"};
  if (is_level(code)) return kLevel[code - kLevelOtherEnds];
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
  for (absl::Status& one : status) RETURN_IF_ERROR(std::move(one));
  return absl::OkStatus();
}

std::optional<std::size_t> find_layer(const TableReader& table, DenseLayer layer) {
  return table.find_layer(kDenseLayerNames[static_cast<std::size_t>(layer)]);
}

const char* verify_kind_name(VerifyKind kind) {
  constexpr std::array<const char*, 5> kNames = {"value", "remoteness", "facts", "claim", "reached"};
  return kNames[static_cast<std::size_t>(kind)];
}

absl::Status for_pieces(std::uint64_t begin, std::uint64_t end, const std::function<bool(std::uint64_t)>& go_on,
                        const std::function<absl::Status(std::uint64_t, std::uint64_t)>& look) {
  constexpr std::uint64_t kSlice = 256 * kVerifiedPiece;  // between two looks at whether to go on
  for (std::uint64_t slice = begin; slice < end; slice += kSlice) {
    if (!go_on(slice)) return absl::CancelledError("interrupted");
    const std::uint64_t until = std::min(end, slice + kSlice);
    std::vector<absl::Status> status((until - slice + kVerifiedPiece - 1) / kVerifiedPiece);
    for_each_index(status.size(), [&](std::size_t k) {
      const std::uint64_t from = slice + k * kVerifiedPiece;
      status[k] = look(from, std::min(until, from + kVerifiedPiece));
    });
    for (absl::Status& one : status) RETURN_IF_ERROR(std::move(one));
  }
  return absl::OkStatus();
}

absl::Status allow_verifying(const Variant& variant, const char* needs, std::uint64_t bytes, std::uint64_t allowed) {
  if (bytes <= allowed) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("memory: verifying ", variant.description().name, " on ",
                                                   variant.board().name(), " ", needs, " ", memory_text(bytes), "; ",
                                                   memory_text(allowed), " may be used\n  give more with --memory"));
}

void DenseVerifier::note(const Finding& finding) {
  const std::lock_guard<std::mutex> guard(lock_);
  ++wrong_;
  first_.insert(finding);
  if (first_.size() > Mismatches::kShown) first_.erase(std::prev(first_.end()));
}

absl::Status DenseVerifier::for_boards(const char* what, BoardIndex begin, BoardIndex end, std::uint64_t done,
                                       std::uint64_t of,
                                       const std::function<absl::Status(BoardIndex, BoardIndex)>& look) const {
  const auto go_on = [&](BoardIndex at) {
    return !options_.progress || options_.progress({what, done + at - begin, of, index_.block_at(at).stones});
  };
  return for_pieces(begin, end, go_on, look);
}

Verification DenseVerifier::verification(const Words& words) const {
  Verification out;
  out.boards = index_.boards();
  out.positions = index_.boards() * layers_;
  out.expanded = expanded_;
  out.wrong = wrong_;
  for (const Finding& f : first_) {
    out.first.push_back(
        {f.kind, variant_.rules().write(index_.position({f.layer, f.board})), words(f, f.found), words(f, f.expected)});
  }
  return out;
}

VerifyRun::VerifyRun(const VerifySpace& s, const VerifyOptions& options)
    : DenseVerifier(s.variant, s.index, s.states, options),
      space(s),
      replies_([this] { return std::make_unique<Replies>(space); }) {}

absl::Status VerifyRun::for_boards(const char* what, const VerifyTier& tier, const Body& body) {
  return DenseVerifier::for_boards(what, tier.begin, tier.end, tier.begin, index_.boards(),
                                   [&](BoardIndex from, BoardIndex to) {
                                     const auto replies = replies_.borrow();
                                     return body(*replies, from, to);
                                   });
}

Verification VerifyRun::verification() const {
  Verification out = DenseVerifier::verification([&](const Finding& f, std::uint8_t byte) {
    return f.kind == VerifyKind::value        ? code_words(variant_, byte)
           : f.kind == VerifyKind::remoteness ? ply_words(byte)
           : f.kind == VerifyKind::facts      ? fact_words(variant_, byte)
           : f.kind == VerifyKind::proven     ? claim_words(variant_, byte, f.code)
                                              : reached_words(byte);
  });
  out.after_pass = space.has_passes ? out.positions : 0;
  out.facts = facts;
  out.remoteness = plies;
  for (const std::uint8_t bits : reached) out.reached += static_cast<std::uint64_t>(std::popcount(bits));
  return out;
}

absl::StatusOr<Verification> verify_table(const Variant& variant, const TableReader& table,
                                          const VerifyOptions& options) {
  if (find_layer(table, DenseLayer::sets)) return verify_one_pass(variant, table, options);
  if (const auto why = VerifySpace::obstacle(variant)) return absl::UnimplementedError(*why);
  const DenseIndex index(variant);
  if (index.base() != 2) return absl::UnimplementedError("only one kind of stones can come to stand on the board");
  const VerifySpace space(variant, index);
  RETURN_IF_ERROR(allow_verifying(variant, "needs", verify_bytes(space), options.memory_bytes));
  VerifyRun run(space, options);
  RETURN_IF_ERROR(read_nodes(table, run));
  RETURN_IF_ERROR(find_reached(run));
  RETURN_IF_ERROR(compare_reached(table, run));
  ASSIGN_OR_RETURN(Census census, check_nodes(run));
  Verification out = run.verification();
  out.claims = census.claims;
  out.reachable = std::move(census.reachable);
  out.whole_board = std::move(census.whole_board);
  return out;
}

}  // namespace plenum
