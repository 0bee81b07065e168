// SPDX-License-Identifier: Apache-2.0
#include "solver/method/method.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <absl/strings/str_cat.h>

#include "solver/method/all_methods.h"
#include "tables/file/files.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// Games that a guess is made by: first so many, which is enough for few positions.
constexpr std::size_t kFirstGames = 512;
constexpr double kFewPositions = 20'000;
// Then up to so many: each pair of them can tell of one more position, at every ply, so fewer do where few positions fit. Games of
// less than kSomePositions are solved in the time that so many take: kPairs pairs for each position will do there, of which a hundred meet at
// a ply that has a fifth of the positions.
constexpr std::size_t kGames = 4096;
constexpr double kSomePositions = 100'000;
constexpr double kPairs = 20;

std::size_t games_for(double positions_that_fit, double positions) {
  double pairs = std::min(positions_that_fit, 1e9);
  if (positions < kSomePositions) pairs = std::min(pairs, 2 * kPairs * positions);
  return std::clamp(static_cast<std::size_t>(std::sqrt(pairs)), kFirstGames, kGames);
}

}  // namespace

const absl::StatusOr<std::shared_ptr<const RowGame>>& Game::made(Rows& rows, RowGame::By by) const {
  const auto make = [&]() -> absl::StatusOr<std::shared_ptr<const RowGame>> {
    ASSIGN_OR_RETURN(RowGame made, RowGame::make(*variant_, by));
    return std::make_shared<const RowGame>(std::move(made));
  };
  if (!rows) rows = make();
  return *rows;
}

const absl::StatusOr<std::shared_ptr<const RowGame>>& Game::rows() const { return made(rows_, RowGame::By::bytes); }

const absl::StatusOr<std::shared_ptr<const RowGame>>& Game::bit_rows() const {
  return rows().ok() ? rows() : made(bit_rows_, RowGame::By::bits);
}

const absl::StatusOr<Guess>& Game::guess(std::uint64_t memory_bytes) const {
  if (!first_guess_) first_guess_ = guess_by_random_games(*variant_, start_, {.games = kFirstGames});
  const auto may_use = static_cast<double>(memory_bytes);
  if (!first_guess_->ok() || (*first_guess_)->stored <= kFewPositions || (*first_guess_)->bytes > may_use)
    return *first_guess_;
  if (!guess_ || guess_->memory_bytes != memory_bytes) {
    const double positions = (*first_guess_)->stored;
    const std::size_t games = games_for(may_use / (*first_guess_)->bytes * positions, positions);
    guess_ = {memory_bytes, guess_by_random_games(*variant_, start_, {games, may_use})};
  }
  return guess_->guess;
}

// NOLINTBEGIN(performance-unnecessary-value-param): methods that keep tables keep what they are given
absl::StatusOr<SharedResult> Method::open(const Game& /*game*/, std::shared_ptr<TableReader> table, Summary /*summary*/,
                                          const Request& /*request*/) const {
  return damaged_table(table->path(), absl::StrCat("by ", std::string(name()), " no tables are kept"));
}
// NOLINTEND(performance-unnecessary-value-param)

absl::StatusOr<Verification> Method::verify(const Game& /*game*/, const TableReader& table, const Result& /*opened*/,
                                            const Request& /*request*/) const {
  return damaged_table(table.path(), absl::StrCat("by ", std::string(name()), " no tables are kept"));
}

VerifyOptions verify_options(const Request& request) {
  VerifyOptions out;
  out.memory_bytes = request.free_bytes();
  out.progress = [&request](const VerifyProgress& p) {
    const std::string things = p.stones == 0 ? "positions" : boards_at_hand(p.stones);
    return !request.progress || request.progress({absl::StrCat("verifying ", p.what), p.boards, p.of, things});
  };
  return out;
}

absl::Status read_start_again(const Result& opened, Summary& summary) {
  summary.openings.clear();
  absl::Status read = read_start([&](const Position& p) { return opened.value(p); }, summary);
  if (!read.ok() && !absl::IsNotFound(read)) return read;
  if (!read.ok()) summary.openings.clear();
  if (!summary.start_value) summary.start_value.emplace();
  return absl::OkStatus();
}

std::optional<std::string> start_obstacle(const Game& game) {
  if (game.variant().rules().has_start() || !(game.start() == game.variant().rules().start())) return std::nullopt;
  return kNoStart;
}

std::string boards_at_hand(int stones) {
  return absl::StrCat("boards, those with ", stones, stones == 1 ? " stone" : " stones", " at hand");
}

std::span<const Method* const> methods() {
  static const std::array<const Method*, 6> all = {&graph_method(), &row_method(),    &one_pass_method(),
                                                   &bit_method(),   &ending_method(), &search_method()};
  return all;
}

const Method& method_of(MethodId id) { return *methods()[static_cast<std::size_t>(id)]; }

const Method* find_method(std::string_view name) {
  for (const Method* method : methods()) {
    if (method->name() == name) return method;
  }
  return nullptr;
}

bool Choice::goes_on(const absl::Status& status) const {
  const bool memory = absl::IsResourceExhausted(status) && !is_full_disk(status);
  return otherwise && (memory || absl::IsOutOfRange(status) || absl::IsUnimplemented(status));
}

absl::StatusOr<SharedResult> solve(const Game& game, Choice& choice, Request request, const NoteFn& note,
                                   const SolveFn& by) {
  const auto solve_by = [&](MethodId id) {
    return by ? by(method_of(id), request) : method_of(id).solve(game, request);
  };
  request.most_positions = std::min(request.most_positions, choice.most_positions);
  absl::StatusOr<SharedResult> out = solve_by(choice.method);
  if (!choice.goes_on(out.status())) return out;
  if (request.comes_again && absl::IsResourceExhausted(out.status())) return out;
  choice = {.method = *choice.otherwise,
            .reason = absl::IsResourceExhausted(out.status()) ? "the reachable positions do not fit the memory"
                                                              : std::string(out.status().message())};
  if (note) note(absl::StrCat(choice.reason, ": solving by ", std::string(method_of(choice.method).name())));
  request.most_positions = ~std::uint64_t{0};
  return solve_by(choice.method);
}

}  // namespace plenum
