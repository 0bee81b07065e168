// SPDX-License-Identifier: Apache-2.0
#include "tables/file/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = ".part-";
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // the system takes no more than 2 GiB a call

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

const char* kind_of(mode_t mode) { return S_ISDIR(mode) ? "folder" : S_ISFIFO(mode) ? "named pipe" : "device"; }

std::string reason(int error) { return std::generic_category().message(error); }

constexpr const char* kFullDisk = "plenum/full-disk";  // key of a payload

bool is_full(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

absl::Status full_disk(const std::string& text) {
  absl::Status out = absl::ResourceExhaustedError(text);
  out.SetPayload(kFullDisk, absl::Cord());
  return out;
}

int sync(int file) {
  while (fsync(file) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// Puts the names in a folder on the disk, where the file system can do that.
int sync_folder(const std::string& folder) {
  const Descriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.number() < 0) return errno == EACCES ? 0 : errno;  // a folder that may be written but not read
  const int error = sync(file.number());
  return error == EINVAL || error == ENOTSUP ? 0 : error;
}

// Whether `name` is "<of>.part-<digits>-<digits>".
bool is_unfinished(std::string_view name, std::string_view of) {
  const auto skip_digits = [&] {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    name.remove_prefix(digits);
    return digits > 0;
  };
  if (!name.starts_with(of)) return false;
  name.remove_prefix(of.size());
  if (!name.starts_with(kUnfinished)) return false;
  name.remove_prefix(kUnfinished.size());
  if (!skip_digits() || !name.starts_with('-')) return false;
  name.remove_prefix(1);
  return skip_digits() && name.empty();
}

}  // namespace

absl::Status file_error(int error, std::string_view what, const std::string& path) {
  const std::string text = absl::StrCat("cannot ", std::string(what), " ", path, ": ", reason(error));
  if (is_full(error)) return full_disk(text);
  absl::StatusCode code = absl::ErrnoToStatusCode(error);
  if (error == EACCES || error == EPERM || error == EROFS || error == ENOTDIR)
    code = absl::StatusCode::kPermissionDenied;
  if (error == EIO) code = absl::StatusCode::kDataLoss;
  return {code, text};
}

bool is_full_disk(const absl::Status& status) { return status.GetPayload(kFullDisk).has_value(); }

absl::Status as_full_disk(const absl::Status& status) { return full_disk(std::string(status.message())); }

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

absl::StatusOr<FileToRead> FileToRead::open(const std::string& path) {
  // Without O_NONBLOCK a named pipe would be waited for.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return file_error(errno, "read", path);
  struct stat facts = {};
  if (fstat(file.number(), &facts) != 0) return file_error(errno, "read", path);
  if (!S_ISREG(facts.st_mode))
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is a ", kind_of(facts.st_mode), ", where a file was expected"));
  return FileToRead(std::move(file), static_cast<std::uint64_t>(facts.st_size), path);
}

absl::Status FileToRead::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  while (!out.empty()) {
    const ssize_t got =
        pread(file_.number(), out.data(), std::min(out.size(), kMostAtOnce), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(errno, "read", path_);
    if (got == 0) return absl::DataLossError(absl::StrCat(path_, " was cut short while it was read"));
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::string& path) {
  static std::atomic<std::uint64_t> number{0};
  if (fs::path(path).filename().empty()) return absl::InvalidArgumentError(absl::StrCat(path, " does not name a file"));
  struct stat facts = {};
  if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode))
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is a ", kind_of(facts.st_mode), ", not a file. Name another one"));
  ASSIGN_OR_RETURN(std::string target, followed(path));
  remove_abandoned(target);
  while (true) {
    std::string unfinished = absl::StrCat(target, std::string(kUnfinished), getpid(), "-", number++);
    Descriptor file(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.number() < 0) {
      if (errno == EEXIST || errno == EINTR) continue;
      return file_error(errno, "write", path);
    }
    // Whoever locked it before us took it for abandoned and removes it. Where files cannot be locked nobody removes any.
    while (flock(file.number(), LOCK_EX) != 0 && errno == EINTR) continue;
    if (fstat(file.number(), &facts) == 0 && facts.st_nlink > 0)
      return std::unique_ptr<NewFile>(new NewFile(std::move(file), path, std::move(target), std::move(unfinished)));
  }
}

NewFile::~NewFile() {
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
}

absl::Status NewFile::write(std::span<const std::uint8_t> bytes) {
  if (!status_.ok()) return status_;
  while (!bytes.empty()) {
    const ssize_t put = ::write(file_.number(), bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return fail(put < 0 ? errno : EIO, bytes.size());
    bytes_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return absl::OkStatus();
}

absl::Status NewFile::placed(std::uint64_t bytes) {
  if (!status_.ok()) return status_;
  bytes_ += bytes;
  if (lseek(file_.number(), static_cast<off_t>(bytes_), SEEK_SET) < 0) return fail(errno, bytes);
  return absl::OkStatus();
}

namespace {

// After so many bytes of a file that is to be `path` and lies beside `neighbour`.
absl::Status write_error(int error, const std::string& path, const std::string& neighbour, std::uint64_t after,
                         std::uint64_t wanted) {
  absl::Status status = file_error(error, "write", path);
  struct statvfs space = {};
  if (!is_full(error) || statvfs(folder_of(neighbour).c_str(), &space) != 0) return status;
  return full_disk(absl::StrCat(std::string(status.message()), " (after ", after, " bytes ", wanted,
                                " more were wanted, ", std::uint64_t{space.f_bavail} * space.f_frsize,
                                " are free there). Make room, or write to another folder"));
}

}  // namespace

absl::StatusOr<FileToPlace> FileToPlace::open(const std::string& unfinished, const std::string& path) {
  Descriptor file(::open(unfinished.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) return file_error(errno, "write", path);
  return FileToPlace(std::move(file), unfinished, path);
}

absl::Status FileToPlace::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put =
        pwrite(file_.number(), bytes.data(), std::min(bytes.size(), kMostAtOnce), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return write_error(put < 0 ? errno : EIO, path_, unfinished_, offset, bytes.size());
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return absl::OkStatus();
}

absl::Status FileToPlace::sync() const {
  const int error = plenum::sync(file_.number());
  return error == 0 ? absl::OkStatus() : file_error(error, "write", path_);
}

absl::Status NewFile::commit() {
  if (!status_.ok()) return status_;
  if (const int error = sync(file_.number()); error != 0) return fail(error, 0);
  if (std::rename(unfinished_.c_str(), target_.c_str()) != 0) return fail(errno, 0);
  unfinished_.clear();
  file_.close();
  const int error = sync_folder(folder_of(target_));
  status_ = error == 0 ? absl::FailedPreconditionError(absl::StrCat(path_, " is already written"))
                       : file_error(error, "sync the folder of", path_);
  return error == 0 ? absl::OkStatus() : status_;
}

absl::Status NewFile::fail(int error, std::uint64_t wanted) {
  return abandon(write_error(error, path_, target_, bytes_, wanted));  // before the unfinished file makes room
}

absl::Status NewFile::abandon(absl::Status why) {
  status_ = std::move(why);
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
  unfinished_.clear();
  file_.close();
  return status_;
}

absl::StatusOr<std::string> followed(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  fs::path at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(at, error))) return at.string();
    const fs::path next = fs::read_symlink(at, error);
    if (error) return file_error(error.value(), "follow the link", at.string());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return absl::FailedPreconditionError(
      absl::StrCat(path, " is a link that leads back to itself, and to no file. Remove it, or name another file"));
}

void remove_abandoned(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  std::error_code error;
  for (fs::directory_iterator file(folder_of(path), error), end; !error && file != end; file.increment(error)) {
    if (!is_unfinished(file->path().filename().string(), name)) continue;
    const std::string unfinished = file->path().string();
    // For writing, as some file systems lock nothing else.
    const Descriptor abandoned(open(unfinished.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (abandoned.number() >= 0 && flock(abandoned.number(), LOCK_EX | LOCK_NB) == 0) unlink(unfinished.c_str());
  }
}

}  // namespace plenum
