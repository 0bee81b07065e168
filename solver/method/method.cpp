// SPDX-License-Identifier: Apache-2.0
#include "solver/method/method.h"

#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/bits/bit_pass.h"
#include "solver/endings/ending_prediction.h"
#include "solver/one_pass/one_pass.h"
#include "solver/rows/dense_rows.h"

namespace plenum {
namespace {

using Estimated = absl::StatusOr<std::optional<Estimate>>;

constexpr std::size_t kGames = 4096;  // a tenth of a second at the most

Estimate of_dense(const DensePrediction& p) {
  return {static_cast<double>(p.boards), static_cast<double>(p.bytes), static_cast<double>(p.table_bytes),
          p.cpu_seconds, false};
}

std::string status_text(const absl::Status& status) { return std::string(status.message()); }

const char* const kEnding = "an ending has no position to begin with";

class GraphMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::graph; }
  std::string_view name() const override { return "graph"; }
  std::string_view about() const override { return "every reachable position, with the moves between them"; }
  Offers offers() const override { return {true, true, true, true, false, true}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (is_ending(game.variant()) && game.start() == game.variant().rules().start()) return kEnding;
    return std::nullopt;
  }
  Estimated estimate(const Game& game, const Wanted&) const override {
    const Prediction bounds = predict(game.variant(), game.start());
    const double symmetries = static_cast<double>(game.variant().symmetries().size());
    Estimate most{bounds.most_positions / symmetries, bounds.most_bytes, 0, bounds.most_cpu_seconds, true};
    if (most.positions < kFewPositions || most.bytes > kBeyond) return most;
    const absl::StatusOr<Guess>& guess = game.guess();
    if (!guess.ok()) return guess.status();
    if (guess->stored > most.positions) return most;
    return Estimate{guess->stored, std::max(guess->bytes, bounds.least_bytes), 0, guess->cpu_seconds, false};
  }

 private:
  static constexpr double kFewPositions = 10'000;  // are solved while one would guess
  static constexpr double kBeyond = 1e15;          // bytes that no machine has, nor a hundredth of them
};

class RowMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::rows; }
  std::string_view name() const override { return "rows"; }
  std::string_view about() const override { return "every way to fill the board, a byte each, whole rows at a time"; }
  Offers offers() const override { return {true, true, true, false, true, true}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (game.rows().ok()) return std::nullopt;
    return status_text(game.rows().status());
  }
  Estimated estimate(const Game& game, const Wanted& wanted) const override {
    if (!game.rows().ok()) return game.rows().status();
    const absl::StatusOr<DensePrediction> p = predict_rows(*game.rows(), {wanted.remoteness, wanted.remoteness});
    if (!p.ok()) return p.status();
    return of_dense(*p);
  }
};

class OnePassMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::one_pass; }
  std::string_view name() const override { return "one-pass"; }
  std::string_view about() const override { return "all boards on reachable sets of cells, a byte each, from the end"; }
  Offers offers() const override { return {true, true, true, false, true, true}; }
  std::optional<std::string> obstacle(const Game& game) const override { return one_pass_obstacle(game.variant()); }
  Estimated estimate(const Game& game, const Wanted& wanted) const override {
    const absl::StatusOr<DensePredictions> p = predict_one_pass(game.variant(), game.start());
    if (!p.ok()) return p.status();
    return of_dense(wanted.remoteness ? p->whole : p->values);
  }
};

class BitMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::bits; }
  std::string_view name() const override { return "bits"; }
  std::string_view about() const override { return "who wins every position, a bit or two each, two tiers in memory"; }
  Offers offers() const override { return {false, false, false, false, true, false}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    return bits_obstacle(game.variant(), game.start());
  }
  Estimated estimate(const Game& game, const Wanted&) const override {
    return of_dense(predict_bits(game.variant(), game.start()));
  }
};

class EndingMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::ending; }
  std::string_view name() const override { return "ending"; }
  std::string_view about() const override { return "every legal position of a material, and of all it leads to"; }
  Offers offers() const override { return {true, true, true, false, true, true}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (!is_ending(game.variant())) return "it takes the material of an ending";
    const absl::StatusOr<EndingPrediction> p = predict_ending(game.variant());
    if (!p.ok()) return status_text(p.status());
    return std::nullopt;
  }
  Estimated estimate(const Game& game, const Wanted&) const override {
    const absl::StatusOr<EndingPrediction> p = predict_ending(game.variant());
    if (!p.ok()) return p.status();
    return Estimate{static_cast<double>(p->positions), static_cast<double>(p->bytes),
                    static_cast<double>(p->table_bytes), p->cpu_seconds, false};
  }
};

class SearchMethod final : public Method {
 public:
  MethodId id() const override { return MethodId::search; }
  std::string_view name() const override { return "search"; }
  std::string_view about() const override { return "the value of the start alone, by alpha-beta search"; }
  Offers offers() const override { return {false, false, false, false, false, true}; }
  std::optional<std::string> obstacle(const Game& game) const override {
    if (is_ending(game.variant()) && game.start() == game.variant().rules().start()) return kEnding;
    if (!game.variant().tiers().acyclic())
      return absl::StrCat("play may go round by ", absl::StrJoin(game.variant().tiers().cycling(), ", "),
                          ", and what a position is worth may then depend on how it was reached (graph-history "
                          "interaction)");
    return std::nullopt;
  }
  Estimated estimate(const Game&, const Wanted&) const override { return std::optional<Estimate>(); }
};

}  // namespace

const absl::StatusOr<RowGame>& Game::rows() const {
  if (!rows_) rows_ = RowGame::make(*variant_);
  return *rows_;
}

const absl::StatusOr<Guess>& Game::guess() const {
  if (!guess_) guess_ = guess_by_random_games(*variant_, start_, kGames);
  return *guess_;
}

std::span<const Method* const> methods() {
  static const GraphMethod graph;
  static const RowMethod rows;
  static const OnePassMethod one_pass;
  static const BitMethod bits;
  static const EndingMethod ending;
  static const SearchMethod search;
  static const std::array<const Method*, 6> all = {&graph, &rows, &one_pass, &bits, &ending, &search};
  return all;
}

const Method& method_of(MethodId id) { return *methods()[static_cast<std::size_t>(id)]; }

const Method* find_method(std::string_view name) {
  for (const Method* method : methods()) {
    if (method->name() == name) return method;
  }
  return nullptr;
}

}  // namespace plenum
