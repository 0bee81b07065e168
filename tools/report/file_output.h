// SPDX-License-Identifier: Apache-2.0
// A stream into a file that is there whole or not at all (tables/file/files.h).
//
//     ASSIGN_OR_RETURN(const std::unique_ptr<FileOutput> file, FileOutput::create(path));
//     file->stream() << "...";
//     RETURN_IF_ERROR(file->commit());
//
// Thread-safety: belongs to one thread.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "tables/file/files.h"

namespace plenum {

// With advice, and kResourceExhausted: where a file cannot be written, whatever the reason, the disk is the limit.
absl::Status cannot_write_file(const absl::Status& why);

class FileOutput : private std::streambuf {
 public:
  // Errors, here and below: kResourceExhausted if the file cannot be written.
  static absl::StatusOr<std::unique_ptr<FileOutput>> create(const std::string& path);

  std::ostream& stream() { return stream_; }
  absl::Status status() const;
  absl::Status commit();

 private:
  explicit FileOutput(std::unique_ptr<NewFile> file);
  bool pass();  // what is in the buffer
  int_type overflow(int_type c) override;
  int sync() override { return pass() ? 0 : -1; }

  std::unique_ptr<NewFile> file_;
  std::vector<char> buffer_;
  std::ostream stream_;
};

}  // namespace plenum
