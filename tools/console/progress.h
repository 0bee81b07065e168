// SPDX-License-Identifier: Apache-2.0
// How far some work is: what is being done, how far, how fast, how much memory, how long still. On stderr, with the interrupt key; or to
// whoever else watches.
//
// On stderr, auto: one line that rewrites itself, and nothing where stderr is no terminal; plain: a line now and then; json: the same as
// JSON lines; none. The first interrupt stops the run in good order (exit code 130), the second at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tables/file/json_text.h"

namespace plenum {

// For what nothing asks whether to go on: an interrupt says so and ends the program with exit code 130. Until somebody asks again.
void exit_on_interrupt();
// From now on an interrupt is only taken note of: somebody asks whether one was seen.
void note_interrupts();
bool interrupt_seen();

struct PacedProgress {
  std::string stage;       // what is being done
  std::uint64_t done = 0;  // of `total` (0: unknown) `things`
  std::uint64_t total = 0;
  std::string things;
  double per_second = 0;    // in this stage
  double seconds = 0;       // since the beginning
  double seconds_left = 0;  // of this stage; below 0: not known
};
Json progress_json(const PacedProgress& progress);

// Works out how fast some work goes.
class Pace {
 public:
  PacedProgress at(const std::string& stage, std::uint64_t done, std::uint64_t total, const std::string& things);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Clock::time_point stage_start_ = start_;
  std::string stage_;
};

// Who is told how far some work is.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Tells whether to go on: `stage` is being done, to so many of `total` (0: unknown) `things`.
  virtual bool show(const std::string& stage, std::uint64_t done, std::uint64_t total, const std::string& things) = 0;
  // A line of its own, for people who watch.
  virtual void note(const std::string& text) = 0;
  // The work is done.
  virtual void finish() {}
  // Until show() is called again nobody asks whether to go on.
  virtual void look_away() {}
};

// Thread-safety: belongs to one thread.
class ProgressDisplay : public Watcher {
 public:
  explicit ProgressDisplay(const std::string& mode);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() override { finish(); }

  bool show(const std::string& stage, std::uint64_t done, std::uint64_t total, const std::string& things) override;
  void note(const std::string& text) override;
  void finish() override;  // leaves a clean line
  void look_away() override;

 private:
  enum class Mode { silent, line, plain, json };
  Mode mode_ = Mode::silent;
  bool shown_ = false;
  bool looks_ = true;
  Pace pace_;
  double last_ = 0;  // seconds
  std::string stage_;
};

}  // namespace plenum
