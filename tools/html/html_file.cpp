// SPDX-License-Identifier: Apache-2.0
#include "tools/html/html_file.h"

#include "tools/report/file_output.h"

namespace plenum {

absl::StatusOr<HtmlFile> HtmlFile::begin(const std::string& path) {
  absl::StatusOr<std::unique_ptr<NewFile>> file = NewFile::create(path);
  if (!file.ok()) return with_folder_advice(file.status());
  return HtmlFile(*std::move(file));
}

absl::Status HtmlFile::write(const std::string& html) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(html.data());
  absl::Status status = file_->write({bytes, html.size()});
  if (status.ok()) status = file_->commit();
  return with_folder_advice(status);
}

}  // namespace plenum
