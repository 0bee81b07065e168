// SPDX-License-Identifier: Apache-2.0
// Results that were worked out before, in the user's cache folder: a file for each game, under its hash.
//
// The folder is PLENUM_CACHE, else XDG_CACHE_HOME/plenum, else ~/.cache/plenum. A file holds the game's identity (variants/language/identity.h), compared in full, the
// program that wrote it (by the hash of its own file, so a changed program works everything out anew) and a checksum; whatever
// does not match to the last byte is taken as absent and written again. Files appear under their names only when they are complete,
// so a run may be killed at any moment, and several may run at the same time.
//
// Thread-safety: load() and save() may be called from any thread.
#pragma once

#include <optional>
#include <string>

#include "tools/report/json_report.h"

namespace plenum {

// PLENUM_CACHE, else XDG_CACHE_HOME/plenum, else ~/.cache/plenum; empty if there is none of these.
std::string cache_folder();

class ResultCache {
 public:
  // Nothing is kept in a cache without a folder: where there is none, or none was wanted.
  static ResultCache open();
  static ResultCache none() { return {}; }
  ResultCache() : problem_("none was wanted") {}

  bool available() const { return problem_.empty(); }
  // Why nothing is kept, and what to do; empty if it is.
  const std::string& problem() const { return problem_; }
  const std::string& folder() const { return folder_; }
  std::optional<Json> load(const GameIdentity& game) const;
  // False if it could not be written.
  bool save(const GameIdentity& game, const Json& result) const;

 private:
  std::string file_of(const GameIdentity& game) const;
  std::string problem_;
  std::string folder_;
  std::string program_;
};

}  // namespace plenum
