// SPDX-License-Identifier: Apache-2.0
// Large arrays in files: where a game takes more memory than it may, its arrays lie in a folder, and only what is worked on is in memory.
//
//     RETURN_IF_ERROR(Scratch::begin("/disk/scratch", memory_bytes));   // once, for the rest of the program
//
// From then on an array of 4 KiB or more lies in a mapped file without a name, for which room on the disk is taken at once: one of its own from
// 1 MiB on, smaller ones together in files of 4 MiB.
// The system reads and writes its pages as they are used. When the process nears what it may hold, some of these pages leave it, array
// after array and round by round; all of them if they come faster than they go. Pieces of work wait for that before they
// begin. Those used next come back from the system's cache or the disk. So a tier larger than memory streams through it, and what lies in the files is the same whether it is in memory or not.
//
// The program sends its `operator new` here (tools/scratch_new.cpp); BigBytes comes by itself.
//
// Thread-safety: begin() before threads work; the rest from any thread.
// Cost: 0.1 to 0.25 us for each page of 4 KiB that comes back from the system's cache; a look at the process every millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <absl/status/status.h>

namespace plenum {

class Scratch {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 12;  // bytes of an array
  static constexpr std::size_t kLeastMapped = std::size_t{1} << 20;

  // kNotFound, kPermissionDenied and others if no file can be made there. At most once. `processes`: how many share the folder.
  static absl::Status begin(const std::string& folder, std::uint64_t memory_bytes, int processes = 1);
  static bool active();
  // Gives up what the process holds too much. A thread of its own does so every millisecond, but gets no turn where all cores are
  // busy: whoever works piece by piece calls it before each. Nothing unless active; some 2 us where there is nothing to do.
  static void keep_pace();
  // What of the room in the folder this process may use, as it was at the beginning; 0 unless active.
  static std::uint64_t room();

  // Why the folder took no array (an errno, ENOSPC where it had no room); 0: it took all.
  static int error();
  // Its name; empty unless active.
  static std::string folder();

  // Null if the folder takes no more. Zeroed from kLeastMapped on.
  static void* take(std::size_t bytes);
  // False if it was not taken here.
  static bool give_back(void* bytes);
};

}  // namespace plenum
