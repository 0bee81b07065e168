// SPDX-License-Identifier: Apache-2.0
// Files that are there whole or not at all, and errors that say what a person can do.
//
// A NewFile is written under a temporary name beside its own, "<path>.part-<process>-<number>", synced and renamed, so a killed or
// failed program leaves the old file or none under the name itself. A temporary file is locked (flock) while its writer lives:
// one that can be locked was abandoned, whatever process has that number by now, and goes when the same path is next written.
//
// Where the name is a symbolic link, the file that it leads to is written, in its own folder, and the link stays as it is.
//
// Reading is by pread and not by mapping: a mapped file that another process cuts short kills its reader with SIGBUS, and a
// call for each block costs 1 to 2 microseconds where unpacking the block costs 3 to 10.
//
// Where the size of files is limited (RLIMIT_FSIZE) the system's default is to kill the writer with SIGXFSZ; only in a program
// that ignores this signal is it an error like a full disk.
//
// Thread-safety: FileToRead may be read from any thread; a NewFile belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace plenum {

// "cannot <what> <path>: <reason of errno>": kPermissionDenied for what may not be written, kResourceExhausted for a full disk.
absl::Status file_error(int error, std::string_view what, const std::string& path);
// Whether it is one of those where the disk is full, and not of memory that is short; or as_full_disk().
bool is_full_disk(const absl::Status& status);
// A file that cannot be written, whatever the reason: the disk is the limit.
absl::Status as_full_disk(const absl::Status& status);

// An open file descriptor, or none (-1).
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  void close();

 private:
  int number_;
};

class FileToRead {
 public:
  // kNotFound if there is none, kFailedPrecondition for a folder or anything else that is not a file.
  static absl::StatusOr<FileToRead> open(const std::string& path);

  // As it was when opened.
  std::uint64_t bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  // Fills `out`; kDataLoss if the file ends before.
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  FileToRead(Descriptor file, std::uint64_t bytes, std::string path)
      : file_(std::move(file)), bytes_(bytes), path_(std::move(path)) {}
  Descriptor file_;
  std::uint64_t bytes_;
  std::string path_;
};

// After an error the temporary file is gone, and every further call gives the same error.
class NewFile {
 public:
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }  // written so far
  const absl::Status& status() const { return status_; }
  absl::Status write(std::span<const std::uint8_t> bytes);
  // Under its temporary name others may write to it too (FileToPlace). `bytes` that follow were written so.
  const std::string& unfinished() const { return unfinished_; }
  absl::Status placed(std::uint64_t bytes);
  // The file appears under its name, on the disk and not only in memory. At most once.
  absl::Status commit();
  // Removes the temporary file for a reason of the caller's; returns it.
  absl::Status abandon(absl::Status why);

 private:
  NewFile(Descriptor file, std::string path, std::string target, std::string unfinished)
      : file_(std::move(file)),
        path_(std::move(path)),
        target_(std::move(target)),
        unfinished_(std::move(unfinished)) {}
  absl::Status fail(int error, std::uint64_t wanted);

  Descriptor file_;
  std::string path_;
  std::string target_;      // where links lead
  std::string unfinished_;  // the temporary name; empty when there is no such file any more
  std::uint64_t bytes_ = 0;
  absl::Status status_;
};

// A file that another process has begun, written at places that it tells.
class FileToPlace {
 public:
  // `path`: what the file will be called, for messages.
  static absl::StatusOr<FileToPlace> open(const std::string& unfinished, const std::string& path);
  absl::Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
  absl::Status sync() const;

 private:
  FileToPlace(Descriptor file, std::string unfinished, std::string path)
      : file_(std::move(file)), unfinished_(std::move(unfinished)), path_(std::move(path)) {}
  Descriptor file_;
  std::string unfinished_;
  std::string path_;
};

// The path itself, or where it is a symbolic link what that leads to in the end, which need not be there. kFailedPrecondition for links
// that lead round in a circle.
absl::StatusOr<std::string> followed(const std::string& path);

// Removes temporary files of `path` whose writers are dead.
void remove_abandoned(const std::string& path);

}  // namespace plenum
