// SPDX-License-Identifier: Apache-2.0
#include "tools/report/parquet_file.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <system_error>
#include <utility>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/file/files.h"
#include "tools/report/duckdb_library.h"
#include "tools/report/file_output.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings =
    "SET threads = 1; SET memory_limit = '512MB'; SET autoinstall_known_extensions = false; "
    "SET autoload_known_extensions = false";

std::string type_name(ColumnType type) {
  switch (type) {
    case ColumnType::text:
      return "VARCHAR";
    case ColumnType::truth:
      return "BOOLEAN";
    case ColumnType::whole:
      return "BIGINT";
    case ColumnType::number:
      return "DOUBLE";
  }
  return "";
}

absl::Status failed(const std::string& path, const char* message) {
  return cannot_write_file(absl::UnknownError(
      absl::StrCat("cannot write ", path, ": DuckDB says: ", message == nullptr ? "no reason" : message)));
}

// A new folder beside the file `target`, to which links from `path` lead.
absl::StatusOr<std::string> folder_beside(const std::string& path, const std::string& target) {
  std::error_code error;
  if (fs::path(path).filename().empty() || fs::is_directory(target, error))
    return cannot_write_file(absl::UnknownError(absl::StrCat("cannot write ", path, ": it is a folder")));
  for (int number = 0;; ++number) {
    std::string folder = absl::StrCat(target, ".part-", ::getpid(), "-rows", number);
    if (::mkdir(folder.c_str(), S_IRWXU) == 0) return folder;
    if (errno != EEXIST) return cannot_write_file(file_error(errno, "write", path));
  }
}

// The bytes of a file, and of the names in a folder, on the disk.
absl::Status sync_to_disk(const std::string& path, int flags) {
  const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (file.number() < 0 || (::fsync(file.number()) != 0 && errno != EINVAL && errno != ENOTSUP))
    return file_error(errno, "write", path);
  return absl::OkStatus();
}

}  // namespace

struct ParquetFile::Writer {
  const DuckDb& duckdb;
  std::string path;
  std::string target;  // where links lead
  std::string folder;
  std::vector<RowColumn> columns;
  DuckDb::Handle database = nullptr;
  DuckDb::Handle connection = nullptr;
  DuckDb::Handle appender = nullptr;

  Writer(const DuckDb& library, std::string file) : duckdb(library), path(std::move(file)) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (appender != nullptr) static_cast<void>(duckdb.appender_destroy(&appender));
    if (connection != nullptr) duckdb.disconnect(&connection);
    if (database != nullptr) duckdb.close(&database);
    std::error_code error;
    if (!folder.empty()) fs::remove_all(folder, error);
  }

  absl::Status run(const std::string& query) const {
    DuckDb::Answer answer;
    const bool ok = duckdb.query(connection, query.c_str(), &answer) == 0;
    absl::Status out = ok ? absl::OkStatus() : failed(path, duckdb.answer_error(&answer));
    duckdb.destroy_answer(&answer);
    return out;
  }

  absl::Status begin() {
    const std::string file = folder + "/rows.duckdb";
    if (duckdb.open(file.c_str(), &database) != 0 || duckdb.connect(database, &connection) != 0)
      return failed(path, "the database for its rows cannot be opened");
    RETURN_IF_ERROR(run(kSettings));
    std::string list;
    for (const RowColumn& column : columns)
      absl::StrAppend(&list, list.empty() ? "" : ", ", "\"", std::string(column.name), "\" ", type_name(column.type));
    RETURN_IF_ERROR(run(absl::StrCat("CREATE TABLE exported (", list, ")")));
    if (duckdb.appender_create(connection, nullptr, "exported", &appender) == 0) return absl::OkStatus();
    return failed(path, duckdb.appender_error(appender));
  }

  bool append(const Json& value, ColumnType type) const {
    if (value.is_null()) return duckdb.append_null(appender) == 0;
    switch (type) {
      case ColumnType::truth:
        return duckdb.append_bool(appender, value.get<bool>()) == 0;
      case ColumnType::whole:
        return duckdb.append_int64(appender, value.get<std::int64_t>()) == 0;
      case ColumnType::number:
        return duckdb.append_double(appender, value.get<double>()) == 0;
      case ColumnType::text:
        break;
    }
    const std::string text = value.is_string() ? value.get<std::string>() : json_text(value, -1);
    return duckdb.append_text(appender, text.data(), text.size()) == 0;
  }
};

ParquetFile::ParquetFile(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
ParquetFile::~ParquetFile() = default;

absl::Status ParquetFile::available() { return duckdb_library().status(); }

absl::StatusOr<std::unique_ptr<ParquetFile>> ParquetFile::create(const std::string& path,
                                                                 const std::vector<RowColumn>& columns) {
  ASSIGN_OR_RETURN(const DuckDb* const library, duckdb_library());
  auto writer = std::make_unique<Writer>(*library, path);
  ASSIGN_OR_RETURN(writer->target, followed(path));
  ASSIGN_OR_RETURN(writer->folder, folder_beside(path, writer->target));
  writer->columns = columns;
  RETURN_IF_ERROR(writer->begin());
  return std::unique_ptr<ParquetFile>(new ParquetFile(std::move(writer)));
}

absl::Status ParquetFile::add(const Row& row) {
  bool ok = row.size() == writer_->columns.size();
  for (std::size_t k = 0; ok && k < row.size(); ++k) ok = writer_->append(row[k], writer_->columns[k].type);
  ok = ok && writer_->duckdb.appender_end_row(writer_->appender) == 0;
  return ok ? absl::OkStatus() : failed(writer_->path, writer_->duckdb.appender_error(writer_->appender));
}

absl::Status ParquetFile::commit(const std::function<bool()>& go_on) {
  Writer& writer = *writer_;
  if (writer.duckdb.appender_close(writer.appender) != 0)
    return failed(writer.path, writer.duckdb.appender_error(writer.appender));
  const std::string made = writer.folder + "/rows.parquet";
  const std::string query =
      absl::StrCat("COPY exported TO '", absl::StrReplaceAll(made, {{"'", "''"}}), "' (FORMAT parquet)");
  std::future<absl::Status> copied = std::async(std::launch::async, [&] { return writer.run(query); });
  bool stopped = false;
  while (copied.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    stopped = stopped || !go_on();
    if (stopped) writer.duckdb.interrupt(writer.connection);
  }
  const absl::Status done = copied.get();
  if (stopped) return absl::CancelledError("interrupted");
  RETURN_IF_ERROR(done);
  if (const absl::Status synced = sync_to_disk(made, O_RDWR); !synced.ok()) return cannot_write_file(synced);
  if (std::rename(made.c_str(), writer.target.c_str()) != 0)
    return cannot_write_file(file_error(errno, "write", writer.path));
  const std::string folder = fs::path(writer.target).parent_path().string();
  static_cast<void>(sync_to_disk(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY));
  return absl::OkStatus();
}

}  // namespace plenum
