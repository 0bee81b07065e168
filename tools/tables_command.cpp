// SPDX-License-Identifier: Apache-2.0
// plenum tables: the tables in the cache folder, and removing them.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/memory.h"
#include "tools/commands.h"
#include "tools/exit_codes.h"
#include "tools/tables.h"
#include "variants/printable.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

struct Kept {
  fs::path path;
  std::uint64_t bytes = 0;
  absl::StatusOr<OpenTable> table = absl::UnknownError("");
  std::string unfinished;  // of a solve that was stopped

  std::string text(const char* key) const { return table.ok() ? table->header.value(key, "") : ""; }
};

std::uint64_t folder_bytes(const fs::path& folder) {
  std::uint64_t out = 0;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) out += file.file_size(error);
  return out;
}

std::vector<Kept> all_tables() {
  std::vector<Kept> out;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(table_folder(), error)) {
    Kept kept;
    kept.path = file.path();
    if (kept.path.extension() == ".plenum") {
      kept.bytes = file.file_size(error);
      kept.table = open_table(kept.path.string());
    } else if (kept.path.extension() == ".partial") {
      kept.bytes = folder_bytes(kept.path);
      kept.unfinished = "unfinished: solve again to go on";
    } else {
      continue;
    }
    out.push_back(std::move(kept));
  }
  std::sort(out.begin(), out.end(), [](const Kept& a, const Kept& b) { return a.path < b.path; });
  return out;
}

// Whether a name on the command line means this table: its file, its hash or the beginning of it, or the variant.
bool is_meant(const Kept& kept, const std::string& name) {
  const std::string stem = kept.path.filename().string();
  return kept.path.string() == name || stem == name || kept.text("variant") == name ||
         (name.size() >= 4 && absl::StartsWith(stem, name));
}

int remove(const std::vector<Kept>& tables, const TablesArguments& arguments) {
  std::uint64_t freed = 0;
  std::size_t removed = 0;
  std::vector<bool> found(arguments.remove.size(), false);
  for (const Kept& kept : tables) {
    bool meant = arguments.remove_all;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!is_meant(kept, arguments.remove[i])) continue;
      meant = true;
      found[i] = true;
    }
    if (!meant) continue;
    std::error_code error;
    fs::remove_all(kept.path, error);
    if (error) return report(absl::PermissionDeniedError(absl::StrCat(kept.path.string(), ": ", error.message())));
    freed += kept.bytes;
    ++removed;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      return report(absl::NotFoundError(absl::StrCat("there is no table '", arguments.remove[i], "' in ",
                                                     table_folder(), "\n  plenum tables lists those there are")));
  }
  std::cout << absl::StrFormat("removed %d %s, %s\n", removed, removed == 1 ? "table" : "tables", memory_text(freed));
  return kDone;
}

}  // namespace

int tables_command(const TablesArguments& arguments) {
  const std::string folder = table_folder();
  if (folder.empty())
    return report(absl::NotFoundError("there is no home folder for tables; PLENUM_CACHE names a folder for them"));
  const std::vector<Kept> tables = all_tables();
  if (arguments.remove_all || !arguments.remove.empty()) return remove(tables, arguments);
  if (arguments.json) {
    Json out;
    out["folder"] = folder;
    out["tables"] = Json::array();
    for (const Kept& kept : tables) {
      Json one;
      one["file"] = kept.path.string();
      one["bytes"] = kept.bytes;
      for (const char* key : {"variant", "board", "hash"}) one[key] = kept.text(key);
      if (kept.table.ok()) one["settings"] = kept.table->header.value("settings", Json::object());
      one["problem"] = kept.table.ok() ? Json(nullptr)
                                       : Json(kept.unfinished.empty() ? std::string(kept.table.status().message())
                                                                      : kept.unfinished);
      out["tables"].push_back(std::move(one));
    }
    std::cout << json_text(out, 2) << "\n";
    return kDone;
  }
  std::uint64_t bytes = 0;
  for (const Kept& kept : tables) {
    bytes += kept.bytes;
    std::cout << absl::StrFormat("%-24s %9s  ", printable(kept.path.filename().string()), memory_text(kept.bytes));
    if (!kept.table.ok()) {
      std::cout << (kept.unfinished.empty() ? std::string(kept.table.status().message()) : kept.unfinished) << "\n";
      continue;
    }
    std::cout << printable(kept.text("variant")) << " on " << printable(kept.text("board"));
    const Json settings = kept.table->header.value("settings", Json::object());
    for (const auto& [name, value] : settings.items()) {
      if (name != "board" && value.is_string())
        std::cout << ", " << printable(name) << "=" << printable(value.get<std::string>());
    }
    std::cout << "\n";
  }
  std::cout << absl::StrFormat("%d %s in %s, %s\n", tables.size(), tables.size() == 1 ? "table" : "tables", folder,
                               memory_text(bytes));
  return kDone;
}

}  // namespace plenum
