// SPDX-License-Identifier: Apache-2.0
#include "tools/report/file_output.h"

#include <cstdint>
#include <span>
#include <utility>

#include <absl/strings/str_cat.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

}  // namespace

absl::Status cannot_write_file(const absl::Status& why) {
  if (is_full_disk(why)) return why;
  return absl::ResourceExhaustedError(
      absl::StrCat(std::string(why.message()), "\n  give a file in a folder that can be written to"));
}

absl::StatusOr<std::unique_ptr<FileOutput>> FileOutput::create(const std::string& path) {
  absl::StatusOr<std::unique_ptr<NewFile>> file = NewFile::create(path);
  if (!file.ok()) return cannot_write_file(file.status());
  return std::unique_ptr<FileOutput>(new FileOutput(*std::move(file)));
}

FileOutput::FileOutput(std::unique_ptr<NewFile> file)
    : file_(std::move(file)), buffer_(kBufferBytes), stream_(static_cast<std::streambuf*>(this)) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool FileOutput::pass() {
  const std::span<const char> text(pbase(), pptr());
  const bool ok = file_->write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}).ok();
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return ok;
}

std::streambuf::int_type FileOutput::overflow(int_type c) {
  if (!pass()) return traits_type::eof();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

absl::Status FileOutput::status() const {
  return file_->status().ok() ? absl::OkStatus() : cannot_write_file(file_->status());
}

absl::Status FileOutput::commit() {
  stream_.flush();
  RETURN_IF_ERROR(status());
  const absl::Status done = file_->commit();
  return done.ok() ? done : cannot_write_file(done);
}

}  // namespace plenum
