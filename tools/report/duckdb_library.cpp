// SPDX-License-Identifier: Apache-2.0
#include "tools/report/duckdb_library.h"

#include <cstdlib>
#include <string>

#include <absl/strings/str_cat.h>
#include <dlfcn.h>

#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr const char* kWhereToGetIt =
    "\n  tools/duckdb fetches it from npm; PLENUM_DUCKDB names one that is elsewhere; .csv and .jsonl need none";

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, DuckDb& out) {
  return find(library, "duckdb_open", out.open) && find(library, "duckdb_close", out.close) &&
         find(library, "duckdb_connect", out.connect) && find(library, "duckdb_disconnect", out.disconnect) &&
         find(library, "duckdb_interrupt", out.interrupt) && find(library, "duckdb_query", out.query) &&
         find(library, "duckdb_result_error", out.answer_error) &&
         find(library, "duckdb_destroy_result", out.destroy_answer) &&
         find(library, "duckdb_appender_create", out.appender_create) &&
         find(library, "duckdb_appender_end_row", out.appender_end_row) &&
         find(library, "duckdb_appender_close", out.appender_close) &&
         find(library, "duckdb_appender_destroy", out.appender_destroy) &&
         find(library, "duckdb_appender_error", out.appender_error) &&
         find(library, "duckdb_append_null", out.append_null) && find(library, "duckdb_append_bool", out.append_bool) &&
         find(library, "duckdb_append_int64", out.append_int64) &&
         find(library, "duckdb_append_double", out.append_double) &&
         find(library, "duckdb_append_varchar_length", out.append_text);
}

absl::StatusOr<DuckDb> load() {
  const char* const named = std::getenv("PLENUM_DUCKDB");
  const bool is_named = named != nullptr && *named != '\0';
  void* library = nullptr;
  if (is_named) {
    library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      return absl::FailedPreconditionError(
          absl::StrCat("PLENUM_DUCKDB names ", named, ", which cannot be loaded: ", dlerror()));
  }
  for (const char* path : {PLENUM_DATA_FOLDER "/../.build/duckdb/libduckdb.so", "libduckdb.so"}) {
    if (library == nullptr) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr)
    return absl::FailedPreconditionError(
        absl::StrCat("Parquet is written by DuckDB's library, libduckdb.so, which is not here", kWhereToGetIt));
  DuckDb out;
  if (find_all(library, out)) return out;
  return absl::FailedPreconditionError(
      absl::StrCat("the libduckdb.so that is here is none, or older than 1.0", kWhereToGetIt));
}

}  // namespace

absl::StatusOr<const DuckDb*> duckdb_library() {
  static const absl::StatusOr<DuckDb> library = load();
  RETURN_IF_ERROR(library.status());
  return &*library;
}

}  // namespace plenum
