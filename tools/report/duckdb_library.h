// SPDX-License-Identifier: Apache-2.0
// The few functions of DuckDB's C interface (duckdb.h of DuckDB 1.0 and later, where they are marked as stable) that are used, found in the
// library when the program runs.
//
// Thread-safety: immutable once made.
#pragma once

#include <cstdint>

#include <absl/status/statusor.h>

namespace plenum {

struct DuckDb {
  using Handle = void*;
  using State = int;  // 0: success
  struct Answer {
    std::uint64_t no_longer_used[3] = {};
    void* columns = nullptr;
    char* message = nullptr;
    void* data = nullptr;
  };

  State (*open)(const char* path, Handle* database) = nullptr;
  void (*close)(Handle* database) = nullptr;
  State (*connect)(Handle database, Handle* connection) = nullptr;
  void (*disconnect)(Handle* connection) = nullptr;
  void (*interrupt)(Handle connection) = nullptr;
  State (*query)(Handle connection, const char* text, Answer* answer) = nullptr;
  const char* (*answer_error)(Answer* answer) = nullptr;
  void (*destroy_answer)(Answer* answer) = nullptr;
  State (*appender_create)(Handle connection, const char* schema, const char* table, Handle* appender) = nullptr;
  State (*appender_end_row)(Handle appender) = nullptr;
  State (*appender_close)(Handle appender) = nullptr;
  State (*appender_destroy)(Handle* appender) = nullptr;
  const char* (*appender_error)(Handle appender) = nullptr;
  State (*append_null)(Handle appender) = nullptr;
  State (*append_bool)(Handle appender, bool value) = nullptr;
  State (*append_int64)(Handle appender, std::int64_t value) = nullptr;
  State (*append_double)(Handle appender, double value) = nullptr;
  State (*append_text)(Handle appender, const char* text, std::uint64_t bytes) = nullptr;
};

// Loaded once. kFailedPrecondition, with where to get it, if there is none.
absl::StatusOr<const DuckDb*> duckdb_library();

}  // namespace plenum
