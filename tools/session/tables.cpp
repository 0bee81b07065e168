// SPDX-License-Identifier: Apache-2.0
#include "tools/session/tables.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/method/dense_methods.h"
#include "tables/file/files.h"
#include "tools/console/game_arguments.h"
#include "tools/session/result_cache.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

TableIndex index_of(DenseMethod method) {
  return method == DenseMethod::rows ? TableIndex::dense : TableIndex::one_pass;
}

// Of the options that are not as the description has them, on a board of this name.
std::map<std::string, std::string> settings_of(const Description& description, const std::string& board) {
  std::map<std::string, std::string> out;
  for (const Option& option : description.options) {
    std::string initial = to_text(option.initial);
    std::string value = to_text(option.value);
    if (option.name == "board") {
      const absl::StatusOr<Board> named = Board::parse(Span::whole("board", initial));
      if (named.ok()) initial = named->name();
      value = board;
    }
    if (value != initial) out[option.name] = value;
  }
  return out;
}

TableHeader header_of(const Description& description, const std::string& board, const GameIdentity& identity,
                      TableIndex index) {
  TableHeader out;
  out.program = PLENUM_VERSION;
  out.variant = description.name;
  out.board = board;
  out.hash = identity.hash;
  out.game = identity.text;
  out.description = description.document;
  out.settings = settings_of(description, board);
  out.index = index;
  return out;
}

TableHeader header_of(const GameResult& game, TableIndex index, std::uint64_t boards, std::uint64_t states) {
  const Variant& variant = game.variant();
  TableHeader out = header_of(variant.description(), variant.board().name(), variant.identity(), index);
  out.boards = boards;
  out.states = states;
  return out;
}

// What a header or a result says, held against what it should say.
class Claims {
 public:
  explicit Claims(const OpenTable& table) : table_(table) {}
  void compare(const std::string& key, const std::string& is, const std::string& should) {
    if (is != should)
      wrong_.push_back(absl::StrCat("'", key, "' is '", is, "' where its game comes to '", should, "'"));
  }
  void note(std::string what) { wrong_.push_back(std::move(what)); }
  absl::Status status() const {
    if (wrong_.empty()) return absl::OkStatus();
    return damaged_table(table_.path(),
                         absl::StrCat("its header does not say what it should: ", absl::StrJoin(wrong_, "; ")));
  }

 private:
  const OpenTable& table_;
  std::vector<std::string> wrong_;
};

// Options of equal games may stand in another order.
std::map<std::string, Json> by_name(const Json& options) {
  std::map<std::string, Json> out;
  if (!options.is_object()) return out;
  for (const auto& [name, value] : options.items()) out[name] = value;
  return out;
}

absl::Status unfit(const OpenTable& table, const absl::Status& why) {
  if (absl::IsResourceExhausted(why) || absl::IsCancelled(why)) return why;
  return damaged_table(table.path(), absl::StrCat("the description in it does not hold together: ", first_line(why)));
}

// The description that a table carries, with its settings made.
absl::StatusOr<Description> description_of(const OpenTable& table) {
  absl::StatusOr<Description> description =
      parse_description({absl::StrCat("the description in ", table.path()), table.header.description}, data_folder());
  if (!description.ok()) return unfit(table, description.status());
  if (description->document != table.header.description)  // nor does it extend anything
    return damaged_table(table.path(), "the description in it is not written as a table has it");
  for (const auto& [name, value] : table.header.settings) {
    const absl::Status set = name == "board"
                                 ? set_board(*description, value)
                                 : description->set_option(Span::whole(table.path(), absl::StrCat(name, "=", value)));
    if (!set.ok()) return unfit(table, set);
  }
  return description;
}

absl::Status check_identity(const OpenTable& table, const Description& own) {
  const TableHeader& header = table.header;
  const absl::StatusOr<GameIdentity> identity = identify(own);
  if (!identity.ok()) return unfit(table, identity.status());
  Claims claims(table);
  if (header.hash != identity->hash && header.game != identity->text) {
    claims.note(absl::StrCat("'description' and 'settings' are those of another game, ", identity->hash,
                             ", than 'hash', ", header.hash, ", and 'game'"));
  } else {
    claims.compare("hash", header.hash, identity->hash);
    if (header.game != identity->text) claims.note("'game' is not the text that its description comes to");
  }
  claims.compare("variant", header.variant, own.name);
  return claims.status();
}

// The rest of the header, and what the result says of the game.
absl::Status check_game(const OpenTable& table, const Description& own, const Variant& variant) {
  const TableHeader& header = table.header;
  Claims claims(table);
  claims.compare("board", header.board, variant.board().name());
  if (header.settings != settings_of(own, variant.board().name()))
    claims.note("'settings' are not the options that differ from its description's");
  if (is_of_ending(table) != is_ending(variant))
    claims.note(absl::StrCat("'index' is '", table_index_name(header.index), "', and its game ",
                             is_ending(variant) ? "is an ending" : "is no ending"));
  const Json& result = table.footer.result;  // of the types that it should have
  if (!is_of_ending(table)) {
    claims.compare("variant of its result", result["variant"].get_ref<const std::string&>(), header.variant);
    claims.compare("hash of its result", result["hash"].get_ref<const std::string&>(), header.hash);
    if (by_name(result["options"]) != by_name(options_json(variant.description())))
      claims.note("the options of its result are not those of its game");
  }
  if (header.index == TableIndex::bits) {
    if (!table.reader->layers().empty() || bits_obstacle(variant, variant.rules().start()))
      claims.note("'index' is 'bits', and its game was not solved so");
    claims.compare("boards", absl::StrCat(header.boards), json_text(result["cost"]["stored_positions"], -1));
    claims.compare("states", absl::StrCat(header.states), "1");
  }
  return claims.status();
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
  constexpr std::string_view kMagic = "PLENUMTB";
  const absl::StatusOr<FileToRead> file = FileToRead::open(path);
  // The size first: a read of /proc/kmsg, of no bytes, would wait for the kernel to say something.
  if (!file.ok() || file->bytes() < kMagic.size()) return false;
  std::array<std::uint8_t, kMagic.size()> first = {};
  return file->read(0, first).ok() && std::equal(first.begin(), first.end(), kMagic.begin());
}

std::string first_line(const absl::Status& status) {
  constexpr std::string_view kAdvice = ". Remove this file and solve again";  // damaged_table
  std::string message(status.message());
  message.resize(std::min(message.size(), message.find('\n')));
  if (message.ends_with(kAdvice)) message.resize(message.size() - kAdvice.size());
  return message;
}

absl::StatusOr<OpenTable> open_table(const std::string& path) {
  absl::StatusOr<std::shared_ptr<TableReader>> reader = TableReader::open(path);
  if (absl::IsUnimplemented(reader.status()))  // nothing in it can be read
    return absl::ResourceExhaustedError(absl::StrCat(std::string(reader.status().message()),
                                                     "\n  to go on, use the version of Plenum that wrote it, or ",
                                                     way_to_go_on(path, {})));
  if (!reader.ok()) return reader.status();
  absl::StatusOr<TableHeader> header = read_table_header(path, (*reader)->header());
  if (!header.ok()) return header.status();
  absl::StatusOr<TableFooter> footer = read_table_footer(path, (*reader)->footer(), header->index);
  if (!footer.ok()) return footer.status();
  return OpenTable{*std::move(reader), *std::move(header), *std::move(footer)};
}

absl::Status check_description(const OpenTable& table) {
  const absl::StatusOr<Description> own = description_of(table);
  return own.ok() ? check_identity(table, *own) : own.status();
}

absl::StatusOr<std::optional<OpenTable>> open_table_of(const std::string& path, const Variant& variant) {
  const absl::StatusOr<std::string> file = followed(path);
  if (!file.ok()) return file.status();
  std::error_code error;
  if (!fs::exists(*file, error)) return std::optional<OpenTable>();
  absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  const TableHeader& header = table->header;
  const absl::StatusOr<Description> own = description_of(*table);
  if (!own.ok()) return own.status();
  if (absl::Status status = check_identity(*table, *own); !status.ok()) return status;
  if (header.game != variant.identity().text) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is a table of ", header.variant, " on ",
                                                      header.board, " (", header.hash, "), not of ",
                                                      variant.description().name, " on ", variant.board().name(), " (",
                                                      variant.identity().hash, ")\n  name another file with --table"));
  }
  if (absl::Status status = check_game(*table, *own, variant); !status.ok()) return status;
  if (header.index == TableIndex::dense || header.index == TableIndex::one_pass) {
    if (absl::Status status = game_of(*table, variant).status(); !status.ok()) return status;
  }
  return std::optional<OpenTable>(*std::move(table));
}

absl::StatusOr<Variant> variant_of(const OpenTable& table) {
  const absl::StatusOr<Description> own = description_of(table);
  if (!own.ok()) return own.status();
  if (absl::Status status = check_identity(table, *own); !status.ok()) return status;
  absl::StatusOr<Variant> variant = Variant::make(*own);
  if (!variant.ok()) return unfit(table, variant.status());
  if (absl::Status status = check_game(table, *own, *variant); !status.ok()) return status;
  return variant;
}

absl::StatusOr<std::shared_ptr<const DenseGame>> game_of(const OpenTable& table, const Variant& variant) {
  const TableHeader& header = table.header;
  if (header.index == TableIndex::ending)
    return absl::FailedPreconditionError(absl::StrCat(
        table.path(), ": this is one material of an ending; 'query' and 'verify' read it, nothing else does"));
  if (header.index == TableIndex::bits)
    return absl::FailedPreconditionError(
        absl::StrCat(table.path(), ": this game was solved by bits, and the values of its positions were not kept"));
  const DenseMethod method = header.index == TableIndex::dense ? DenseMethod::rows : DenseMethod::one_pass;
  absl::StatusOr<std::shared_ptr<const DenseGame>> game = open_dense(variant, method, table.reader);
  if (absl::IsUnimplemented(game.status()))
    return damaged_table(table.path(),
                         absl::StrCat("its header does not say what it should: 'index' is '",
                                      table_index_name(header.index), "', and its game cannot be solved so"));
  if (!game.ok()) return game.status();
  Claims claims(table);
  claims.compare("boards", absl::StrCat(header.boards), absl::StrCat((*game)->index().boards()));
  claims.compare("states", absl::StrCat(header.states), absl::StrCat((*game)->index().layers()));
  if (absl::Status status = claims.status(); !status.ok()) return status;
  return game;
}

absl::Status write_table(const std::string& path, const DenseGame& game, const std::string& page, const Json& result) {
  const TableHeader header = header_of(game, index_of(game.method()), game.index().boards(), game.index().layers());
  absl::StatusOr<std::unique_ptr<TableWriter>> writer = TableWriter::create(path, to_text(header));
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
  return (*writer)->finish(to_text(TableFooter{result, page}));
}

absl::StatusOr<std::optional<EndingLayers>> read_ending(const std::string& path, const std::string& board,
                                                        const GameIdentity& identity, std::uint64_t positions) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<EndingLayers>();
  const absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  if (absl::Status status = check_description(*table); !status.ok()) return status;
  const TableHeader& header = table->header;
  if (header.game != identity.text || header.hash != identity.hash || !is_of_ending(*table))
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is a table of something else"));
  Claims claims(*table);
  claims.compare("board", header.board, board);
  if (absl::Status status = claims.status(); !status.ok()) return status;
  const TableReader& reader = *table->reader;
  const auto codes = reader.find_layer(kDenseLayerNames[0]);
  const auto plies = reader.find_layer(kDenseLayerNames[2]);
  if (reader.layers().size() != 2 || !codes || !plies || reader.layers()[*codes].bytes != positions ||
      reader.layers()[*plies].bytes != positions)
    return damaged_table(path, absl::StrCat("its layers are not those of an ending of ", positions, " positions"));
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
      TableWriter::create(path, to_text(header_of(description, board, identity, TableIndex::ending)));
  if (!writer.ok()) return writer.status();
  absl::Status done = (*writer)->begin_layer(kDenseLayerNames[0]);
  if (done.ok()) done = (*writer)->append(layers.codes);
  if (done.ok()) done = (*writer)->begin_layer(kDenseLayerNames[2]);
  if (done.ok()) done = (*writer)->append(layers.plies);
  if (!done.ok()) return done;
  return (*writer)->finish(to_text(TableFooter{Json(), ""}));
}

absl::Status write_table(const std::string& path, const BitGame& game, const std::string& page, const Json& result) {
  absl::StatusOr<std::unique_ptr<TableWriter>> writer =
      TableWriter::create(path, to_text(header_of(game, TableIndex::bits, game.stored(), 1)));
  if (!writer.ok()) return writer.status();
  return (*writer)->finish(to_text(TableFooter{result, page}));
}

}  // namespace plenum
