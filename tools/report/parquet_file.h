// SPDX-License-Identifier: Apache-2.0
// Rows (position_rows.h) as a Parquet file, written by DuckDB.
//
// Debian has no library that writes Parquet. DuckDB's is one file without dependencies, and is looked for when it is needed: in PLENUM_DUCKDB;
// where tools/duckdb puts it, .build/duckdb of the folder that the program was built from; as libduckdb.so where the system looks for
// libraries. The program is built without it, so that nothing else depends on it or waits for it to be loaded.
//
// Rows go to a database in a folder of its own beside the file, "<path>.part-<process>-rows<number>"; when all are there they are copied to a Parquet file
// in that folder, which then appears under its name. So little is held in memory, and the disk holds them twice for a while. A
// killed program leaves the folder behind.
//
// Thread-safety: belongs to one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <absl/status/statusor.h>

#include "tools/report/position_rows.h"

namespace plenum {

class ParquetFile {
 public:
  // Whether there is a library to write with: kFailedPrecondition, with where to get it, if not.
  static absl::Status available();
  // Errors, here and below: kResourceExhausted if the file cannot be written; as available().
  static absl::StatusOr<std::unique_ptr<ParquetFile>> create(const std::string& path,
                                                             const std::vector<RowColumn>& columns);
  ~ParquetFile();
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  absl::Status add(const Row& row);
  // The file appears under its name. kCancelled once `go_on` is false.
  absl::Status commit(const std::function<bool()>& go_on);

 private:
  struct Writer;
  explicit ParquetFile(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

}  // namespace plenum
