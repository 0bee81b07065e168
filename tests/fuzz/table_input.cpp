// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/table_input.h"

#include <algorithm>
#include <cstring>

#include <absl/strings/str_cat.h>

#include "tables/file/table_file.h"
#include "tables/file/table_layout.h"
#include "tests/fuzz/fuzz.h"
#include "tools/console/game_arguments.h"
#include "tools/report/json_report.h"

namespace plenum::fuzz {
namespace {

constexpr std::uint32_t kBlockBytes = 256;

std::string_view piece(const std::string& file, std::uint64_t begin, std::uint64_t length) {
  if (begin > file.size() || length > file.size() - begin) return {};
  return std::string_view(file).substr(begin, length);
}

template <typename T>
T get(const std::string& file, std::size_t at) {
  T out = 0;
  if (at <= file.size() && sizeof(T) <= file.size() - at) std::memcpy(&out, file.data() + at, sizeof(T));
  return out;
}

template <typename T>
void put(std::string& file, std::size_t at, T value) {
  if (at <= file.size() && sizeof(T) <= file.size() - at) std::memcpy(file.data() + at, &value, sizeof(T));
}

void mend_blocks(std::string& file, std::uint64_t begin, std::uint64_t index, std::uint64_t footer) {
  footer = std::min<std::uint64_t>(footer, file.size());
  std::uint64_t at = index;
  const auto layers = get<std::uint32_t>(file, at);
  at += 4;
  for (std::uint32_t i = 0; i < layers && at < footer; ++i) at += 12 + std::uint64_t{get<std::uint32_t>(file, at + 8)};
  for (std::uint64_t block = 0; at < footer && begin < std::min(index, footer); ++block, at += 4) {
    const auto length = get<std::uint32_t>(file, at);
    put(file, begin, checksum_of(bytes_of(piece(file, begin + kChecksumBytes, length)), block));
    begin += kChecksumBytes + length;
  }
}

TableParts read_parts(const std::string& input) {
  Input in(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  TableParts out;
  out.header = in.line();
  out.footer = in.line();
  while (!in.empty()) {
    std::string name = in.line();
    const std::size_t low = in.byte();
    out.layers.emplace_back(std::move(name), in.take(low + 256 * std::size_t{in.byte()}));
  }
  return out;
}

// The header as its description has it, where that can be read.
void name_game(std::string& text) {
  Json header = Json::parse(text, nullptr, false);
  if (!header.is_object() || !header.contains("description") || !header["description"].is_string()) return;
  absl::StatusOr<Description> game = described(header["description"].get<std::string>());
  if (!game.ok()) return;
  if (header.contains("settings") && header["settings"].is_object()) {
    for (const auto& [name, value] : header["settings"].items()) {
      if (!value.is_string()) return;
      const std::string set = value.get<std::string>();
      if (name == "board") set_board(*game, set).IgnoreError();
      game->set_option(Span::whole("--set", absl::StrCat(name, "=", set))).IgnoreError();
    }
  }
  const absl::StatusOr<GameIdentity> identity = identify(*game);
  if (!identity.ok()) return;
  header["game"] = identity->text;
  header["hash"] = identity->hash;
  text = json_text(header, -1);
}

}  // namespace

std::string text_of(const TableParts& parts) {
  std::string out = absl::StrCat(parts.header, "\n", parts.footer, "\n");
  for (const auto& [name, bytes] : parts.layers) {
    absl::StrAppend(&out, name, "\n");
    out += static_cast<char>(bytes.size() % 256);
    out += static_cast<char>(bytes.size() / 256);
    out += bytes;
  }
  return out;
}

TableParts parts_of(const std::string& path) {
  const auto reader = sure(TableReader::open(path), path);
  TableParts out{reader->header(), reader->footer(), {}};
  for (std::size_t i = 0; i < reader->layers().size(); ++i) {
    std::vector<std::uint8_t> bytes(reader->layers()[i].bytes);
    require(reader->read(i, 0, bytes).ok(), path);
    out.layers.emplace_back(reader->layers()[i].name, std::string(bytes.begin(), bytes.end()));
  }
  return out;
}

std::string file_of(const TableParts& parts) {
  const std::string path = own_folder() + "/parts";
  absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, parts.header, kBlockBytes);
  if (!writer.ok()) return "";
  for (const auto& [name, bytes] : parts.layers) {
    // Two layers of a name, or one without, cannot be written.
    if ((*writer)->begin_layer(name).ok()) (*writer)->append(bytes_of(bytes)).IgnoreError();
  }
  return (*writer)->finish(parts.footer).ok() ? read_file(path) : std::string();
}

void mend(std::string& file) {
  if (file.size() < sizeof(TablePrologue) + sizeof(TableTrailer)) return;
  TablePrologue prologue;
  std::memcpy(&prologue, file.data(), sizeof(prologue));
  TableTrailer trailer;
  const std::size_t trailer_begin = file.size() - sizeof(trailer);
  std::memcpy(&trailer, file.data() + trailer_begin, sizeof(trailer));
  mend_blocks(file, sizeof(prologue) + prologue.header_bytes, trailer.index_begin, trailer.footer_begin);
  prologue.magic = kTableMagic;
  prologue.version = kTableFormatVersion;
  prologue.header_checksum = checksum_of(bytes_of(piece(file, sizeof(prologue), prologue.header_bytes)));
  prologue.checksum = own_checksum(prologue);
  std::memcpy(file.data(), &prologue, sizeof(prologue));
  trailer.magic = kTableEndMagic;
  trailer.file_bytes = file.size();
  trailer.index_checksum =
      checksum_of(bytes_of(piece(file, trailer.index_begin, trailer.footer_begin - trailer.index_begin)));
  trailer.footer_checksum =
      checksum_of(bytes_of(piece(file, trailer.footer_begin, trailer_begin - trailer.footer_begin)));
  trailer.checksum = own_checksum(trailer);
  std::memcpy(file.data() + trailer_begin, &trailer, sizeof(trailer));
}

std::string table_of(const std::string& input) {
  if (input.empty()) return "";
  const std::string rest = input.substr(1);
  if (input[0] == 'P' || input[0] == 'G') {
    TableParts parts = read_parts(rest);
    if (input[0] == 'G') name_game(parts.header);
    return file_of(parts);
  }
  std::string file = rest;
  if (input[0] == 'M') mend(file);
  return file;
}

}  // namespace plenum::fuzz
