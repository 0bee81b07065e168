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
#include <unistd.h>

#include "solver/cluster/ranked_table.h"
#include "tables/file/files.h"
#include "tools/console/game_arguments.h"
#include "tools/session/result_cache.h"
#include "tools/session/summary_text.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

namespace fs = std::filesystem;

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
                      const Method& method) {
  TableHeader out;
  out.program = PLENUM_VERSION;
  out.variant = description.name;
  out.board = board;
  out.hash = identity.hash;
  out.game = identity.text;
  out.description = description.document;
  out.settings = settings_of(description, board);
  out.method = &method;
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

// The rest of the header.
absl::Status check_game(const OpenTable& table, const Description& own, const Variant& variant) {
  const TableHeader& header = table.header;
  Claims claims(table);
  claims.compare("board", header.board, variant.board().name());
  if (header.settings != settings_of(own, variant.board().name()))
    claims.note("'settings' are not the options that differ from its description's");
  if (const auto why = header.method->obstacle(Game(variant, variant.rules().start())))
    claims.note(absl::StrCat("'method' is '", std::string(header.method->name()), "', and that cannot be, as ", *why));
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

std::string stored_table(const std::string& hash, const Method& method) {
  return stored_table(method.offers().values ? hash : absl::StrCat(hash, "-", std::string(method.name())));
}

std::string passing_table(Ranks& ranks) {
  std::string path;
  if (ranks.root()) {
    std::error_code error;
    make_table_folder();
    const std::string kept = table_folder();
    const fs::path folder = !kept.empty() && fs::is_directory(kept, error) ? fs::path(kept) : fs::temp_directory_path();
    std::array<char, 256> host{};  // several machines may share the folder
    static_cast<void>(gethostname(host.data(), host.size() - 1));
    path = (folder / absl::StrCat("ranks-", host.data(), "-", getpid(), ".passing")).string();
  }
  return ranks.text_of_root(path);
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
  ASSIGN_OR_RETURN(TableHeader header, read_table_header(path, (*reader)->header()));
  ASSIGN_OR_RETURN(Json summary, read_table_footer(path, (*reader)->footer(), header));
  return OpenTable{*std::move(reader), std::move(header), std::move(summary)};
}

absl::Status check_description(const OpenTable& table) {
  const absl::StatusOr<Description> own = description_of(table);
  return own.ok() ? check_identity(table, *own) : own.status();
}

absl::StatusOr<std::optional<OpenTable>> named_table(const GameArguments& arguments) {
  if (!is_table(arguments.variant)) return std::optional<OpenTable>();
  ASSIGN_OR_RETURN(OpenTable table, open_table(arguments.variant));
  if (!arguments.board.empty() || !arguments.settings.empty())
    return absl::InvalidArgumentError("a table has its board and options already\n  leave out --board and --set");
  return std::optional<OpenTable>(std::move(table));
}

absl::StatusOr<std::optional<OpenTable>> open_table_of(const std::string& path, const Variant& variant) {
  const absl::StatusOr<std::string> file = followed(path);
  if (!file.ok()) return file.status();
  std::error_code error;
  if (!fs::exists(*file, error)) return std::optional<OpenTable>();
  absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  const TableHeader& header = table->header;
  ASSIGN_OR_RETURN(const Description own, description_of(*table));
  RETURN_IF_ERROR(check_identity(*table, own));
  if (header.game != variant.identity().text) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is a table of ", header.variant, " on ",
                                                      header.board, " (", header.hash, "), not of ",
                                                      variant.description().name, " on ", variant.board().name(), " (",
                                                      variant.identity().hash, ")\n  name another file with --table"));
  }
  RETURN_IF_ERROR(check_game(*table, own, variant));
  return std::optional<OpenTable>(*std::move(table));
}

absl::StatusOr<Variant> variant_of(const OpenTable& table) {
  ASSIGN_OR_RETURN(const Description own, description_of(table));
  RETURN_IF_ERROR(check_identity(table, own));
  absl::StatusOr<Variant> variant = Variant::make(own);
  if (!variant.ok()) return unfit(table, variant.status());
  RETURN_IF_ERROR(check_game(table, own, *variant));
  return variant;
}

absl::StatusOr<std::shared_ptr<const Result>> result_of(const OpenTable& table, const Game& game,
                                                        const Request& request) {
  const Method& method = *table.header.method;
  Summary summary;
  if (!is_part(table)) {
    absl::StatusOr<Summary> read = summary_of_json(table.summary, game, method);
    if (!read.ok()) return damaged_table(table.path(), std::string(read.status().message()));
    summary = *std::move(read);
  }
  absl::StatusOr<std::shared_ptr<const Result>> out = method.open(game, table.reader, std::move(summary), request);
  if (absl::IsUnimplemented(out.status()))
    return damaged_table(table.path(), absl::StrCat("its header does not say what it should: 'method' is '",
                                                    std::string(method.name()), "', and its game cannot be solved so"));
  if (!out.ok() || is_part(table)) return out;
  const TableShape shape = (*out)->shape();
  Claims claims(table);
  claims.compare("boards", absl::StrCat(table.header.shape.boards), absl::StrCat(shape.boards));
  claims.compare("states", absl::StrCat(table.header.shape.states), absl::StrCat(shape.states));
  RETURN_IF_ERROR(claims.status());
  return out;
}

namespace {

TableHeader header_of(const Result& result) {
  const Variant& variant = result.variant();
  TableHeader out = header_of(variant.description(), variant.board().name(), variant.identity(),
                              *find_method(result.summary().method));
  out.shape = result.shape();
  return out;
}

}  // namespace

absl::Status write_table(const std::string& path, const Result& result) {
  const TableHeader header = header_of(result);
  ASSIGN_OR_RETURN(std::unique_ptr<TableWriter> writer, TableWriter::create(path, to_text(header)));
  std::string begun;
  RETURN_IF_ERROR(result.write_layers([&](std::string_view layer, std::span<const std::uint8_t> bytes) {
    if (begun != layer) {
      begun = std::string(layer);
      RETURN_IF_ERROR(writer->begin_layer(begun));
    }
    return writer->append(bytes);
  }));
  return writer->finish(footer_text(header, summary_to_json(result.summary())));
}

absl::Status write_table(Ranks& ranks, const std::string& path, const Result& result) {
  const TableHeader header = header_of(result);
  RankedTable table(ranks);
  RETURN_IF_ERROR(table.create(path, to_text(header)));
  RETURN_IF_ERROR(result.write_layers(table));
  return table.finish(footer_text(header, summary_to_json(result.summary())));
}

absl::StatusOr<std::optional<EndingLayers>> read_part(const std::string& path, const std::string& board,
                                                      const GameIdentity& identity, std::uint64_t positions) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<EndingLayers>();
  const absl::StatusOr<OpenTable> table = open_table(path);
  if (!table.ok()) return table.status();
  RETURN_IF_ERROR(check_description(*table));
  const TableHeader& header = table->header;
  if (header.game != identity.text || header.hash != identity.hash || !is_part(*table))
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is a table of something else"));
  Claims claims(*table);
  claims.compare("board", header.board, board);
  RETURN_IF_ERROR(claims.status());
  ASSIGN_OR_RETURN(EndingLayers layers, read_layers(*table->reader, positions));
  return std::optional<EndingLayers>(std::move(layers));
}

absl::Status write_part(const std::string& path, const Description& description, const std::string& board,
                        const GameIdentity& identity, const Method& method, const EndingLayers& layers) {
  const TableHeader header = header_of(description, board, identity, method);
  ASSIGN_OR_RETURN(std::unique_ptr<TableWriter> writer, TableWriter::create(path, to_text(header)));
  absl::Status done = writer->begin_layer("codes");
  if (done.ok()) done = writer->append(layers.codes);
  if (done.ok()) done = writer->begin_layer("plies");
  if (done.ok()) done = writer->append(layers.plies);
  if (!done.ok()) return done;
  return writer->finish(footer_text(header, Json()));
}

}  // namespace plenum
