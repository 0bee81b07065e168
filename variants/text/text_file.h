// SPDX-License-Identifier: Apache-2.0
// Reads a whole file that a person has named: regular files of sensible size only, so that a pipe, a device or a disk image given by
// mistake is an error in words and not a program that waits or grows for ever.
// Thread-safety: no state.
#pragma once

#include <cstddef>
#include <string>

#include <absl/status/statusor.h>

namespace plenum {

inline constexpr std::size_t kMostTextBytes = std::size_t{4} << 20;  // of a description, a list

// Errors: kNotFound (no such file), kInvalidArgument (a folder, a device, too large, unreadable), each with the file's name.
absl::StatusOr<std::string> read_text_file(const std::string& path, std::size_t most_bytes = kMostTextBytes);

}  // namespace plenum
