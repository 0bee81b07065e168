// SPDX-License-Identifier: Apache-2.0
#include "tools/html/html_file.h"

#include <absl/strings/str_cat.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

absl::Status with_advice(const absl::Status& status) {
  if (status.ok() || is_full_disk(status)) return status;
  return {status.code(),
          absl::StrCat(std::string(status.message()), "\n  give a file in a folder that can be written to")};
}

}  // namespace

absl::StatusOr<HtmlFile> HtmlFile::begin(const std::string& path) {
  absl::StatusOr<std::unique_ptr<NewFile>> file = NewFile::create(path);
  if (!file.ok()) return with_advice(file.status());
  return HtmlFile(*std::move(file));
}

absl::Status HtmlFile::write(const std::string& html) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(html.data());
  absl::Status status = file_->write({bytes, html.size()});
  if (status.ok()) status = file_->commit();
  return with_advice(status);
}

}  // namespace plenum
