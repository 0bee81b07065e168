// SPDX-License-Identifier: Apache-2.0
#include "tools/session/result_cache.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <unistd.h>
#include <xxhash.h>

#include "variants/text/text_file.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents(const fs::path& path) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // the program itself is read too
  absl::StatusOr<std::string> text = read_text_file(path.string(), kMostBytes);
  return text.ok() ? std::optional<std::string>(*std::move(text)) : std::nullopt;
}

std::string hash_of(const std::string& text) { return absl::StrFormat("%016x", XXH3_64bits(text.data(), text.size())); }

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first line of a file: what the rest is, and its checksum.
std::string heading(const std::string& program, const std::string& rest) {
  return absl::StrCat("plenum result ", program, " ", hash_of(rest), "\n");
}

}  // namespace

std::string cache_folder() {
  if (std::string own = environment("PLENUM_CACHE"); !own.empty()) return own;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return cache + "/plenum";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.cache/plenum";
  return "";
}

ResultCache ResultCache::open() {
  ResultCache out;
  const std::optional<std::string> program = contents("/proc/self/exe");
  const std::string folder = cache_folder();
  if (folder.empty() || !program) {
    out.problem_ = "there is no home folder for a cache; PLENUM_CACHE names a folder for it";
    return out;
  }
  out.folder_ = folder + "/results";
  std::error_code error;
  fs::create_directories(out.folder_ + "/unfinished", error);
  if (!error && access(out.folder_.c_str(), W_OK) != 0) error = {errno, std::generic_category()};
  out.problem_ = error ? absl::StrCat("cannot write to ", out.folder_, " (", error.message(),
                                      "); PLENUM_CACHE names another folder")
                       : "";
  out.program_ = hash_of(*program);
  if (!out.available()) return out;
  // What killed runs left half written; a day is longer than any takes to write a file.
  for (const fs::directory_entry& file : fs::directory_iterator(out.folder_ + "/unfinished", error)) {
    std::error_code ignored;
    if (fs::file_time_type::clock::now() - file.last_write_time(ignored) > std::chrono::hours(24))
      fs::remove(file.path(), ignored);
  }
  return out;
}

std::string ResultCache::file_of(const GameIdentity& game) const {
  return absl::StrCat(folder_, "/", game.hash, ".json");
}

std::optional<Json> ResultCache::load(const GameIdentity& game) const {
  if (!available()) return std::nullopt;
  const std::optional<std::string> text = contents(file_of(game));
  if (!text) return std::nullopt;
  const std::size_t line = text->find('\n');
  if (line == std::string::npos) return std::nullopt;
  const std::string rest = text->substr(line + 1);
  if (text->substr(0, line + 1) != heading(program_, rest)) return std::nullopt;
  if (!json_disproportion(rest).empty()) return std::nullopt;
  Json kept = Json::parse(rest, nullptr, false);
  if (!kept.is_object() || !kept.contains("result") || kept["game"] != game.text) return std::nullopt;
  return kept["result"];
}

bool ResultCache::save(const GameIdentity& game, const Json& result) const {
  if (!available()) return false;
  static std::atomic<std::uint64_t> number{0};
  const std::string rest = json_text(Json{{"game", game.text}, {"result", result}}, -1) + "\n";
  const std::string name = file_of(game);
  const std::string unfinished = absl::StrCat(folder_, "/unfinished/", game.hash, ".", getpid(), ".", number++);
  std::error_code error;
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << heading(program_, rest) << rest;
    if (!out.flush()) {
      out.close();
      fs::remove(unfinished, error);
      return false;
    }
  }
  fs::rename(unfinished, name, error);
  if (!error) return true;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  return false;
}

}  // namespace plenum
