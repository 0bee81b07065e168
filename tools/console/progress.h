// SPDX-License-Identifier: Apache-2.0
// Progress on stderr: what is being done, how far, how fast, how much memory, how long still. And the interrupt key.
//
// auto: one line that rewrites itself, and nothing where stderr is no terminal; plain: a line now and then; json: the same as JSON
// lines; none. The first interrupt stops the run in good order (exit code 130), the second at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace plenum {

// For what nothing asks whether to go on: an interrupt says so and ends the program with exit code 130. Until a ProgressDisplay is made
// or watches.
void exit_on_interrupt();
// Whether one came while a ProgressDisplay was there to take note.
bool interrupt_seen();

class ProgressDisplay {
 public:
  explicit ProgressDisplay(const std::string& mode);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() { finish(); }

  // Takes note of interrupts, after exit_on_interrupt(): from now on somebody asks.
  static void watch();
  // Shows how far some work is, and tells whether to go on: `what` is being done, to so many of `total` (0: unknown) `things`.
  bool show(const std::string& what, std::uint64_t done, std::uint64_t total, const std::string& things);
  // A line of its own, for people who watch.
  void note(const std::string& text);
  void finish();  // leaves a clean line

 private:
  enum class Mode { silent, line, plain, json };
  Mode mode_ = Mode::silent;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  std::chrono::steady_clock::time_point stage_start_;
  std::string stage_;
};

}  // namespace plenum
