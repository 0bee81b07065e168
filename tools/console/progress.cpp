// SPDX-License-Identifier: Apache-2.0
#include "tools/console/progress.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include <absl/strings/str_format.h>
#include <unistd.h>

#include "solver/support/memory.h"
#include "tools/console/exit_codes.h"
#include "variants/text/printable.h"

namespace plenum {
namespace {

// Asked by whatever thread reports progress.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // so that a signal handler may write it

void on_interrupt(int /*signal*/) { interrupted.store(true, std::memory_order_relaxed); }

void leave(int /*signal*/) {
  constexpr std::string_view kMessage = "plenum: interrupted\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kInterrupted);
}

// The second interrupt ends the program at once.
void handle_interrupt(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // a write that waits goes on: its line is whole
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

void exit_on_interrupt() { handle_interrupt(leave); }

bool interrupt_seen() { return interrupted.load(std::memory_order_relaxed); }

void note_interrupts() { handle_interrupt(on_interrupt); }

PacedProgress Pace::at(const std::string& stage, std::uint64_t done, std::uint64_t total, const std::string& things) {
  const Clock::time_point now = Clock::now();
  if (stage != stage_) stage_start_ = stage_.empty() ? start_ : now;
  stage_ = stage;
  PacedProgress out{stage, done, total, things};
  const double in_stage = std::chrono::duration<double>(now - stage_start_).count();
  out.seconds = std::chrono::duration<double>(now - start_).count();
  out.per_second = in_stage > 0 ? static_cast<double>(done) / in_stage : 0;
  out.seconds_left = out.per_second > 0 && total > done ? static_cast<double>(total - done) / out.per_second : -1;
  return out;
}

Json progress_json(const PacedProgress& progress) {
  const auto rounded = [](double value, double unit) { return std::round(value * unit) / unit; };
  Json out;
  out["stage"] = progress.stage;
  out["done"] = progress.done;
  out["things"] = progress.things;
  out["total"] = progress.total > 0 ? Json(progress.total) : Json(nullptr);
  out["per_second"] = static_cast<std::uint64_t>(std::min(1e18, progress.per_second));
  out["seconds"] = rounded(progress.seconds, 1000);
  out["seconds_left"] = progress.seconds_left >= 0 ? Json(rounded(progress.seconds_left, 10)) : Json(nullptr);
  out["bytes"] = peak_memory();
  return out;
}

ProgressDisplay::ProgressDisplay(const std::string& mode) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  mode_ = mode == "plain"              ? Mode::plain
          : mode == "json"             ? Mode::json
          : mode == "auto" && terminal ? Mode::line
                                       : Mode::silent;
  note_interrupts();
}

// An interrupt that was seen stops the run: it is not for what follows to end the program by itself.
void ProgressDisplay::look_away() {
  if (interrupt_seen()) return;
  looks_ = false;
  exit_on_interrupt();
}

bool ProgressDisplay::show(const std::string& stage, std::uint64_t done, std::uint64_t total,
                           const std::string& things) {
  if (!looks_) note_interrupts();
  looks_ = true;
  if (interrupt_seen()) return false;
  const bool changed = !stage_.empty() && stage != stage_;
  stage_ = stage;
  const PacedProgress now = pace_.at(stage, done, total, things);
  const double pause = mode_ == Mode::line ? 0.1 : 1.0;
  if (mode_ == Mode::silent || (!changed && now.seconds - last_ < pause)) return true;
  last_ = now.seconds;
  if (mode_ == Mode::json) {
    std::cerr << json_text(progress_json(now), -1) << "\n";
    return true;
  }
  std::string line = absl::StrFormat("%s: %u", stage, done);
  if (total > 0) line += absl::StrFormat(" of %u", total);
  line += absl::StrFormat(" %s, %s, %s, %.1f s", things,
                          now.per_second < 1e4 ? absl::StrFormat("%.1f/s", now.per_second)
                                               : absl::StrFormat("%.2f M/s", now.per_second / 1e6),
                          memory_text(peak_memory()), now.seconds);
  if (now.seconds_left >= 0) line += absl::StrFormat(", %.0f s left", now.seconds_left);
  if (mode_ == Mode::line) {
    absl::FPrintF(stderr, "\r\033[K%s", printable(line));
    std::fflush(stderr);
    shown_ = true;
  } else {
    std::cerr << line << "\n";
  }
  return true;
}

void ProgressDisplay::note(const std::string& text) {
  if (mode_ == Mode::line || mode_ == Mode::plain) std::cerr << text << "\n";
}

void ProgressDisplay::finish() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace plenum
