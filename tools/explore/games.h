// SPDX-License-Identifier: Apache-2.0
// The games that the explorer was asked about: compiled once, solved once, and held while there is memory for them.
//
//     Games games(run_arguments);
//     std::shared_ptr<HeldGame> game = *games.find(arguments);
//     games.solve(*game, watcher);                                   // on one thread at a time
//
// Thread-safety: find(), drafts and what a HeldGame says it may be called for at any time; solve() belongs to one thread at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/session/answers.h"

namespace plenum {

// The right to read a Result, which belongs to one thread at a time. (std::timed_mutex would do, but GCC 12's thread sanitizer does not
// follow it.)
class ReadingRight {
 public:
  // As std::unique_lock takes it.
  void lock();
  bool try_lock_for(std::chrono::milliseconds time);
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable returned_;
  bool taken_ = false;
};

// A game, and once it was solved what that told.
class HeldGame {
 public:
  HeldGame(Variant variant, Store store, std::string table)
      : variant_(std::move(variant)),
        game_(variant_, variant_.rules().start()),
        store_(std::move(store)),
        table_(std::move(table)),
        key_(variant_.identity().text + "\n" + variant_.description().document) {}
  HeldGame(const HeldGame&) = delete;
  HeldGame& operator=(const HeldGame&) = delete;

  const Variant& variant() const { return variant_; }
  // Two games with the same key are the same in every word.
  const std::string& key() const { return key_; }

  // Null if it was not solved, or is not held any more.
  std::shared_ptr<const Result> result() const;
  // As `solve` prints it; null if it was not solved and measured.
  std::shared_ptr<const Json> statistics() const;
  // Nothing if it was not measured.
  std::optional<Measures> measures() const;
  // The answer for a position that was solved with the game: kNotFound where it was not; kUnavailable where it takes a search, the
  // game is not solved, or somebody else asks it at length.
  absl::StatusOr<Answer> read(const Position& position) const;
  // A Result belongs to one thread: whoever asks it at length holds this.
  std::unique_lock<ReadingRight> reading() const { return std::unique_lock(reading_); }

 private:
  friend class Games;
  Variant variant_;
  Game game_;
  Store store_;
  std::string table_;  // a file that has its result; empty: none
  std::string key_;
  mutable std::mutex mutex_;
  mutable ReadingRight reading_;
  std::shared_ptr<const Result> result_;
  std::shared_ptr<const Json> statistics_;
  bool measured_ = false;  // or it is known that it is not
  std::optional<Measures> measures_;
};

class Games {
 public:
  explicit Games(RunArguments run) : run_(std::move(run)) {}

  // A game by its name: in the data folder, or one that was added. kNotFound if there is none.
  absl::StatusOr<std::shared_ptr<HeldGame>> find(const GameArguments& arguments);

  // A description that the user named on the command line. The name it has from then on.
  std::string add_file(const std::string& path);
  // A table that the user named: its game, under the name of the file. The board and options that it is of are the game's defaults then.
  absl::StatusOr<std::string> add_table(const std::string& path);
  // A description that was typed; the same text has the same name. Only the last kMostDrafts are known.
  static constexpr std::size_t kMostDrafts = 64;
  std::string add_draft(const std::string& text);
  // What was added, but for drafts; then those in the data folder.
  std::vector<std::string> names() const;
  // kNotFound if there is none of that name.
  absl::StatusOr<Description> describe(const std::string& name) const;

  // As it was written.
  absl::StatusOr<std::string> text_of(const std::string& name) const;

  // Whether its values can be asked for without solving it: it was solved, or a table of it is there.
  bool is_at_hand(const HeldGame& game) const;
  // Solves it if it was not; kCancelled if the watcher says so.
  absl::Status solve(HeldGame& game, Watcher& watcher);
  // Solves and measures it as `solve` does unasked. Apart from solve(), so that who asks for a position need not wait for it.
  absl::Status measure(HeldGame& game, Watcher& watcher);
  // The answer for any position, solved from there if need be.
  absl::StatusOr<Answer> ask(HeldGame& game, const Position& position, Watcher& watcher);
  const RunArguments& run_arguments() const { return run_; }

 private:
  struct Added {
    enum class Kind { file, table, draft };
    Kind kind = Kind::file;
    std::string name;
    std::string path = {};  // of a file or a table
    std::string text = {};  // of a draft
    // Of the game that a table is of: reading it takes longer than an answer.
    std::optional<Description> description = {};
    std::string hash = {};
    // What a file extends, as it said when it was added.
    std::optional<std::string> base = {};
  };
  std::optional<Added> find_added(const std::string& name) const;
  absl::StatusOr<Description> describe_draft(const std::string& text) const;
  // The game that is held already, if there is one that is the same.
  std::shared_ptr<HeldGame> hold(const std::string& asked, std::shared_ptr<HeldGame> game);
  absl::StatusOr<Solved> solve_or_open(Run& run, const HeldGame& game, std::uint64_t held_bytes) const;
  // Lets go of results, those first that nobody asked for lately, until the others take half the memory. What is left takes so much.
  std::uint64_t make_room(const HeldGame& wanted, std::uint64_t memory);

  static constexpr std::size_t kMostGames = 64;
  RunArguments run_;
  mutable std::mutex mutex_;
  std::vector<Added> added_;
  std::list<std::pair<std::string, std::shared_ptr<HeldGame>>> games_;  // by what was asked, the last one first
};

}  // namespace plenum
