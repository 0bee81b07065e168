// SPDX-License-Identifier: Apache-2.0
#include "tools/console/progress.h"

#include <atomic>
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
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

void exit_on_interrupt() { handle_interrupt(leave); }

bool interrupt_seen() { return interrupted.load(std::memory_order_relaxed); }

ProgressDisplay::ProgressDisplay(const std::string& mode)
    : start_(std::chrono::steady_clock::now()), last_(start_), stage_start_(start_) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  mode_ = mode == "plain"              ? Mode::plain
          : mode == "json"             ? Mode::json
          : mode == "auto" && terminal ? Mode::line
                                       : Mode::silent;
  watch();
}

void ProgressDisplay::watch() { handle_interrupt(on_interrupt); }

bool ProgressDisplay::show(const std::string& what, std::uint64_t done, std::uint64_t total,
                           const std::string& things) {
  if (interrupt_seen()) return false;
  const auto now = std::chrono::steady_clock::now();
  const bool changed = !stage_.empty() && what != stage_;
  if (changed) stage_start_ = now;
  stage_ = what;
  const double pause = mode_ == Mode::line ? 0.1 : 1.0;
  if (mode_ == Mode::silent || (!changed && std::chrono::duration<double>(now - last_).count() < pause)) return true;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double stage_seconds = std::chrono::duration<double>(now - stage_start_).count();
  const double rate = stage_seconds > 0 ? static_cast<double>(done) / stage_seconds : 0;
  const double left = rate > 0 && total > done ? static_cast<double>(total - done) / rate : -1;
  if (mode_ == Mode::json) {
    absl::FPrintF(
        stderr,
        "{\"stage\": \"%s\", \"done\": %u, \"things\": \"%s\", \"total\": %s, \"per_second\": %.0f, \"seconds\": %.3f, "
        "\"seconds_left\": %s, \"bytes\": %u}\n",
        what, done, things, total > 0 ? std::to_string(total) : "null", rate, seconds,
        left >= 0 ? absl::StrFormat("%.1f", left) : "null", peak_memory());
    return true;
  }
  std::string line = absl::StrFormat("%s: %u", what, done);
  if (total > 0) line += absl::StrFormat(" of %u", total);
  line += absl::StrFormat(" %s, %s, %s, %.1f s", things,
                          rate < 1e4 ? absl::StrFormat("%.1f/s", rate) : absl::StrFormat("%.2f M/s", rate / 1e6),
                          memory_text(peak_memory()), seconds);
  if (left >= 0) line += absl::StrFormat(", %.0f s left", left);
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
