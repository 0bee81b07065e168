// SPDX-License-Identifier: Apache-2.0
#include "tools/tables.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <absl/strings/str_cat.h>

#include "tools/game_arguments.h"
#include "tools/result_cache.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

absl::Status not_ours(const std::string& path) {
  return absl::DataLossError(
      absl::StrCat(path, ": the header of this table cannot be read; remove the file and solve again"));
}

const char* index_name(DenseMethod method) { return method == DenseMethod::rows ? "dense" : "one-pass"; }

constexpr const char* kBits = "bits";
constexpr const char* kEnding = "ending";

Json header_of(const Description& description, const std::string& board, const GameIdentity& identity,
               const char* index) {
  Json out;
  out["version"] = kTableVersion;
  out["program"] = PLENUM_VERSION;
  out["variant"] = description.name;
  out["board"] = board;
  out["hash"] = identity.hash;
  out["game"] = identity.text;
  out["description"] = description.document;
  out["settings"] = Json::object();
  for (const Option& option : description.options) {
    if (to_text(option.value) != to_text(option.initial)) out["settings"][option.name] = to_text(option.value);
  }
  out["index"] = index;
  return out;
}

Json header_of(const GameResult& game, const char* index, std::uint64_t boards) {
  const Variant& variant = game.variant();
  Json out = header_of(variant.description(), variant.board().name(), variant.identity(), index);
  out["boards"] = boards;
  out["states"] = game.stored() / boards;
  return out;
}

std::string footer_text(const std::string& page, const Json& result) {
  Json footer;
  footer["result"] = result;
  footer["page"] = page;
  return json_text(footer, -1);
}

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string table_folder() {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : folder + "/tables";
}

void make_table_folder() {
  std::error_code error;  // whoever writes there says what is wrong
  fs::create_directories(table_folder(), error);
}

std::string stored_table(const std::string& hash) {
  const std::string folder = table_folder();
  return folder.empty() ? "" : absl::StrCat(folder, "/", hash, ".plenum");
}

std::string stored_bits(const std::string& hash) { return stored_table(hash.empty() ? hash : hash + "-bits"); }

bool is_table(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string magic(8, '\0');
  in.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return in && magic == "PLENUMTB";
}

absl::StatusOr<OpenTable> open_table(const std::string& path) {
  absl::StatusOr<std::shared_ptr<TableReader>> reader = TableReader::open(path);
  if (!reader.ok()) return reader.status();
  OpenTable out;
  out.reader = *std::move(reader);
  out.header = Json::parse(out.reader->header(), nullptr, false);
  out.footer = Json::parse(out.reader->footer(), nullptr, false);
  if (!out.header.is_object() || !out.footer.is_object()) return not_ours(path);
  const auto version = out.header.find("version");
  if (version == out.header.end() || !version->is_number_integer()) return not_ours(path);
  if (*version != kTableVersion)
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": this table was written by version ", text_at(out.header, "program"), " of Plenum, and this is ",
        PLENUM_VERSION, ", which does not read it; remove the file and solve again"));
  return out;
}

absl::StatusOr<std::optional<OpenTable>> open_table_of(const std::string& path, const Variant& variant) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<OpenTable>();
  absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  if (text_at(table->header, "game") != variant.identity().text) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": this is a table of ", text_at(table->header, "variant"), " on ", text_at(table->header, "board"), " (",
        text_at(table->header, "hash"), "), not of ", variant.description().name, " on ", variant.board().name(), " (",
        variant.identity().hash, ")\n  name another file with --table"));
  }
  return std::optional<OpenTable>(*std::move(table));
}

absl::StatusOr<Variant> variant_of(const OpenTable& table) {
  const std::string& path = table.reader->path();
  absl::StatusOr<Description> description = parse_description(
      {absl::StrCat("the description in ", path), text_at(table.header, "description")}, data_folder());
  if (!description.ok()) return description.status();
  const auto settings = table.header.find("settings");
  if (settings == table.header.end() || !settings->is_object()) return not_ours(path);
  for (const auto& [name, value] : settings->items()) {
    if (!value.is_string()) return not_ours(path);
    const absl::Status set =
        name == "board" ? set_board(*description, value.get<std::string>())
                        : description->set_option(Span::whole(path, absl::StrCat(name, "=", value.get<std::string>())));
    if (!set.ok()) return set;
  }
  absl::StatusOr<Variant> variant = Variant::make(*description);
  if (variant.ok() && variant->identity().text != text_at(table.header, "game"))
    return absl::DataLossError(absl::StrCat(path, ": the description in this table is not that of its game"));
  return variant;
}

absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const OpenTable& table, const Variant& variant) {
  for (const DenseMethod method : {DenseMethod::rows, DenseMethod::one_pass}) {
    if (text_at(table.header, "index") == index_name(method)) return open_dense(variant, method, table.reader);
  }
  if (is_of_ending(table))
    return absl::FailedPreconditionError(absl::StrCat(
        table.reader->path(), ": this is one material of an ending; 'query' and 'verify' read it, nothing else does"));
  if (text_at(table.header, "index") == kBits)
    return absl::FailedPreconditionError(absl::StrCat(
        table.reader->path(), ": this game was solved by bits, and the values of its positions were not kept"));
  return absl::FailedPreconditionError(
      absl::StrCat(table.reader->path(), ": the index of this table is '", text_at(table.header, "index"),
                   "', which this version of Plenum does not know; remove the file and solve again"));
}

absl::Status write_table(const std::string& path, const DenseGame& game, const std::string& page, const Json& result) {
  const Json header = header_of(game, index_name(game.method()), game.index().boards());
  absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, json_text(header, -1));
  if (!writer.ok()) return writer.status();
  std::optional<DenseLayer> begun;
  absl::Status written = write_layers(game.bytes(), [&](DenseLayer layer, std::span<const std::uint8_t> bytes) {
    if (begun != layer) {
      absl::Status begins = (*writer)->begin_layer(kDenseLayerNames[static_cast<std::size_t>(layer)]);
      if (!begins.ok()) return begins;
    }
    begun = layer;
    return (*writer)->append(bytes);
  });
  if (!written.ok()) return written;
  return (*writer)->finish(footer_text(page, result));
}

absl::StatusOr<std::optional<EndingLayers>> read_ending(const std::string& path, const GameIdentity& identity,
                                                        std::uint64_t positions) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<EndingLayers>();
  const absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  const TableReader& reader = *table->reader;
  const auto codes = reader.find_layer(kDenseLayerNames[0]);
  const auto plies = reader.find_layer(kDenseLayerNames[2]);
  if (text_at(table->header, "game") != identity.text || text_at(table->header, "index") != kEnding || !codes ||
      !plies || reader.layers()[*codes].bytes != positions || reader.layers()[*plies].bytes != positions)
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is a table of something else"));
  EndingLayers out;
  out.codes.resize(positions);
  out.plies.resize(positions);
  absl::Status read = reader.read(*codes, 0, out.codes);
  if (read.ok()) read = reader.read(*plies, 0, out.plies);
  if (!read.ok()) return read;
  return std::optional<EndingLayers>(std::move(out));
}

absl::Status write_ending(const std::string& path, const Description& description, const std::string& board,
                          const GameIdentity& identity, const EndingLayers& layers) {
  absl::StatusOr<std::unique_ptr<TableWriter>> writer =
      TableWriter::create(path, json_text(header_of(description, board, identity, kEnding), -1));
  if (!writer.ok()) return writer.status();
  absl::Status done = (*writer)->begin_layer(kDenseLayerNames[0]);
  if (done.ok()) done = (*writer)->append(layers.codes);
  if (done.ok()) done = (*writer)->begin_layer(kDenseLayerNames[2]);
  if (done.ok()) done = (*writer)->append(layers.plies);
  if (!done.ok()) return done;
  return (*writer)->finish(footer_text("", Json()));
}

bool is_of_ending(const OpenTable& table) { return text_at(table.header, "index") == kEnding; }

absl::Status write_table(const std::string& path, const BitGame& game, const std::string& page, const Json& result) {
  absl::StatusOr<std::unique_ptr<TableWriter>> writer =
      TableWriter::create(path, json_text(header_of(game, kBits, game.stored()), -1));
  if (!writer.ok()) return writer.status();
  return (*writer)->finish(footer_text(page, result));
}

}  // namespace plenum
