// SPDX-License-Identifier: Apache-2.0
// The file that a page is written to: whole or not at all, and known to be writable before the work begins.
//
//     ASSIGN_OR_RETURN(HtmlFile file, HtmlFile::begin(path));
//     ... solve ...
//     RETURN_IF_ERROR(file.write(html));
#pragma once

#include <memory>
#include <string>

#include "tables/file/files.h"

namespace plenum {

class HtmlFile {
 public:
  static absl::StatusOr<HtmlFile> begin(const std::string& path);
  // At most once.
  absl::Status write(const std::string& html);

 private:
  explicit HtmlFile(std::unique_ptr<NewFile> file) : file_(std::move(file)) {}
  std::unique_ptr<NewFile> file_;
};

}  // namespace plenum
