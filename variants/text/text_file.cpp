// SPDX-License-Identifier: Apache-2.0
#include "variants/text/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <absl/cleanup/cleanup.h>
#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "variants/text/printable.h"

namespace plenum {
absl::StatusOr<std::string> read_text_file(const std::string& path, std::size_t most_bytes) {
  const auto cannot = [&](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat("cannot read the file ", printable(path), ": ", why));
  };
  // Without waiting for somebody to write, if it is a pipe.
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return absl::NotFoundError(absl::StrCat("there is no file ", printable(path)));
    return cannot(std::strerror(errno));
  }
  const absl::Cleanup at_the_end = [file] { close(file); };
  struct stat found = {};
  if (fstat(file, &found) != 0) return cannot(std::strerror(errno));
  if (S_ISDIR(found.st_mode)) return cannot("it is a folder");
  if (!S_ISREG(found.st_mode)) return cannot("it is no regular file");
  if (static_cast<std::uint64_t>(found.st_size) > most_bytes)
    return cannot(absl::StrCat("it has ", found.st_size, " bytes, and ", most_bytes, " are the most there can be"));
  // No more than it said to have: some files of the system say nothing and never end.
  std::string out(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = read(file, out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot(std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  out.resize(done);
  return out;
}

}  // namespace plenum
