// SPDX-License-Identifier: Apache-2.0
// plenum tables: the tables in the cache folder, and removing them.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "solver/support/memory.h"
#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/json_report.h"
#include "tools/session/common.h"
#include "tools/session/tables.h"
#include "variants/text/printable.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

struct StoredTable {
  fs::path path;
  std::uint64_t bytes = 0;
  absl::StatusOr<OpenTable> table = absl::UnknownError("");
  std::string unfinished;  // of a solve that was stopped
};

std::uint64_t bytes_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error ? 0 : bytes;  // a folder, or a link that leads nowhere
}

// What lies in a folder; of one that cannot be read, what could be.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
    out.push_back(file->path());
  return out;
}

// With a header that its own description bears out. Whether the bytes do is for verify to find out.
absl::StatusOr<OpenTable> checked_table(const std::string& path) {
  ASSIGN_OR_RETURN(OpenTable table, open_table(path));
  RETURN_IF_ERROR(check_description(table));
  return table;
}

std::vector<StoredTable> all_tables() {
  std::vector<StoredTable> out;
  for (const fs::path& path : files_in(table_folder())) {
    StoredTable kept;
    kept.path = path;
    if (path.extension() == ".plenum") {
      kept.bytes = bytes_of(path);
      kept.table = checked_table(path.string());
    } else if (path.extension() == ".partial") {
      for (const fs::path& piece : files_in(path)) kept.bytes += bytes_of(piece);
      kept.unfinished = "unfinished: solve again to go on";
    } else {
      continue;
    }
    out.push_back(std::move(kept));
  }
  std::sort(out.begin(), out.end(), [](const StoredTable& a, const StoredTable& b) { return a.path < b.path; });
  return out;
}

// Whether a name on the command line means this table: its file, its hash or the beginning of it, or the variant.
bool is_meant(const StoredTable& kept, const std::string& name) {
  const std::string stem = kept.path.filename().string();
  return kept.path.string() == name || stem == name || (kept.table.ok() && kept.table->header.variant == name) ||
         (name.size() >= 4 && absl::StartsWith(stem, name));
}

Json table_json(const StoredTable& kept) {
  const TableHeader header = kept.table.ok() ? kept.table->header : TableHeader();
  Json out = {{"file", kept.path.string()},
              {"bytes", kept.bytes},
              {"variant", header.variant},
              {"board", header.board},
              {"hash", header.hash}};
  if (kept.table.ok()) out["settings"] = Json(header.settings);
  out["problem"] = kept.table.ok()           ? Json()
                   : kept.unfinished.empty() ? Json(std::string(kept.table.status().message()))
                                             : Json(kept.unfinished);
  return out;
}

absl::StatusOr<int> remove(const std::vector<StoredTable>& tables, const TablesArguments& arguments) {
  for (const std::string& name : arguments.remove) {
    if (std::none_of(tables.begin(), tables.end(), [&](const StoredTable& kept) { return is_meant(kept, name); }))
      return absl::NotFoundError(absl::StrCat("there is no table '", name, "' in ", table_folder(),
                                              "\n  plenum tables lists those there are"));
  }
  std::uint64_t freed = 0;
  std::vector<std::string> removed;
  for (const StoredTable& kept : tables) {
    const bool meant = arguments.remove_all || std::any_of(arguments.remove.begin(), arguments.remove.end(),
                                                           [&](const auto& name) { return is_meant(kept, name); });
    if (!meant) continue;
    std::error_code error;
    (void)(kept.unfinished.empty() ? fs::remove(kept.path, error) : fs::remove_all(kept.path, error));
    if (error) return absl::PermissionDeniedError(absl::StrCat(kept.path.string(), ": ", error.message()));
    freed += kept.bytes;
    removed.push_back(kept.path.string());
  }
  Json out = headed_json();
  out.update({{"folder", table_folder()}, {"removed", removed}, {"bytes", freed}});
  std::cout << (arguments.json ? json_page(out)
                               : absl::StrFormat("removed %d %s, %s\n", removed.size(),
                                                 removed.size() == 1 ? "table" : "tables", memory_text(freed)));
  return kDone;
}

}  // namespace

absl::StatusOr<int> tables_command(const TablesArguments& arguments) {
  const std::string folder = table_folder();
  if (folder.empty())
    return absl::NotFoundError("there is no home folder for tables; PLENUM_CACHE names a folder for them");
  const std::vector<StoredTable> tables = all_tables();
  if (arguments.remove_all || !arguments.remove.empty()) return remove(tables, arguments);
  if (arguments.json) {
    Json out = headed_json();
    out["folder"] = folder;
    out["tables"] = json_list(tables, table_json);
    std::cout << json_page(out);
    return kDone;
  }
  std::uint64_t bytes = 0;
  for (const StoredTable& kept : tables) {
    bytes += kept.bytes;
    std::cout << absl::StrFormat("%-24s %9s  ", printable(kept.path.filename().string()), memory_text(kept.bytes));
    if (!kept.table.ok()) {
      std::cout << (kept.unfinished.empty() ? first_line(kept.table.status()) : kept.unfinished) << "\n";
      continue;
    }
    const TableHeader& header = kept.table->header;
    std::cout << printable(header.variant) << " on " << printable(header.board);
    for (const auto& [name, value] : header.settings) {
      if (name != "board") std::cout << ", " << printable(name) << "=" << printable(value);
    }
    std::cout << "\n";
  }
  std::cout << absl::StrFormat("%d %s in %s, %s\n", tables.size(), tables.size() == 1 ? "table" : "tables", folder,
                               memory_text(bytes));
  return kDone;
}

}  // namespace plenum
