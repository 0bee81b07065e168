// SPDX-License-Identifier: Apache-2.0
#include "tables/file/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include <sys/stat.h>
#include <unistd.h>

#include "tables/file/files.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".piece";

bool valid_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return absl::ascii_isalnum(c) || c == '-' || c == '_'; });
}

}  // namespace

absl::StatusOr<Checkpoint> Checkpoint::open(const std::string& path, const std::string& game) {
  ASSIGN_OR_RETURN(const std::string table, followed(path));
  Checkpoint out(table + ".partial", absl::StrCat("layout ", kPieceLayout, "\n", game));
  RETURN_IF_ERROR(out.make_folder());
  std::set<std::string> unfinished;  // what half-written files were to become
  std::error_code error;
  for (fs::directory_iterator file(out.folder_, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    const std::size_t ending = name.find(absl::StrCat(std::string(kEnding), ".part-"));
    if (ending != std::string::npos && valid_name(std::string_view(name).substr(0, ending)))
      unfinished.insert(name.substr(0, ending));
  }
  for (const std::string& name : unfinished) remove_abandoned(out.file_of(name));
  for (const std::string& name : out.finished()) out.open_piece(name);
  return out;
}

absl::Status Checkpoint::save(const std::string& name, const std::string& header, std::span<const Layer> layers) const {
  ASSIGN_OR_RETURN(const std::string path, new_piece(name));
  ASSIGN_OR_RETURN(std::unique_ptr<TableWriter> writer, TableWriter::create(path, header));
  for (const Layer& layer : layers) {
    RETURN_IF_ERROR(writer->begin_layer(layer.name));
    for (const Layer::Bytes part : layer.parts) {
      RETURN_IF_ERROR(writer->append(part));
    }
  }
  return writer->finish(game_);
}

absl::StatusOr<std::string> Checkpoint::new_piece(const std::string& name) const {
  if (!valid_name(name)) return absl::InvalidArgumentError(absl::StrCat("\"", name, "\" cannot name a piece"));
  RETURN_IF_ERROR(make_folder());
  return file_of(name);
}

std::optional<std::shared_ptr<TableReader>> Checkpoint::open_checked(const std::string& name) const {
  std::shared_ptr<TableReader> piece = valid_name(name) ? open_piece(name) : nullptr;
  return piece == nullptr ? std::nullopt : std::optional(std::move(piece));
}

std::optional<std::shared_ptr<TableReader>> Checkpoint::load(const std::string& name) const {
  std::shared_ptr<TableReader> piece = valid_name(name) ? open_piece(name) : nullptr;
  if (piece == nullptr) return std::nullopt;
  const absl::Status status = piece->check();
  if (status.ok()) return piece;
  if (status.code() == absl::StatusCode::kDataLoss) unlink(file_of(name).c_str());
  return std::nullopt;
}

bool Checkpoint::read(const TableReader& piece, std::string_view layer, std::span<std::uint8_t> to) {
  const auto found = piece.find_layer(layer);
  return found && piece.layers()[*found].bytes == to.size() && piece.read(*found, 0, to).ok();
}

std::vector<std::string> Checkpoint::finished() const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator file(folder_, error), end; !error && file != end; file.increment(error)) {
    std::string name = file->path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    name.resize(name.size() - kEnding.size());
    if (valid_name(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Checkpoint::remove(const std::string& name) const {
  if (valid_name(name)) unlink(file_of(name).c_str());
}

absl::Status Checkpoint::remove_all() const {
  for (const std::string& name : finished()) {
    if (unlink(file_of(name).c_str()) != 0 && errno != ENOENT) return file_error(errno, "remove", file_of(name));
  }
  if (rmdir(folder_.c_str()) != 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
    return file_error(errno, "remove", folder_);
  return absl::OkStatus();
}

absl::Status Checkpoint::make_folder() const {
  if (mkdir(folder_.c_str(), 0777) == 0) return absl::OkStatus();
  const int why = errno;
  std::error_code error;
  if (why == EEXIST && fs::is_directory(folder_, error)) return absl::OkStatus();
  return file_error(why, "make the folder", folder_);
}

std::string Checkpoint::file_of(const std::string& name) const {
  return absl::StrCat(folder_, "/", name, std::string(kEnding));
}

std::shared_ptr<TableReader> Checkpoint::open_piece(const std::string& name) const {
  absl::StatusOr<std::shared_ptr<TableReader>> piece = TableReader::open(file_of(name));
  if (piece.ok() && (*piece)->footer() == game_) return *std::move(piece);
  // A piece that cannot be read now (no memory, too many open files) is still one.
  const absl::StatusCode code = piece.status().code();
  if (piece.ok() || code == absl::StatusCode::kDataLoss || code == absl::StatusCode::kFailedPrecondition ||
      code == absl::StatusCode::kUnimplemented)
    unlink(file_of(name).c_str());
  return nullptr;
}

}  // namespace plenum
