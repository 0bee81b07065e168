// SPDX-License-Identifier: Apache-2.0
// plenum export: the positions of a solved game, or their moves, as rows or as a graph in a file.
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "tools/commands/commands.h"
#include "tools/console/exit_codes.h"
#include "tools/report/file_output.h"
#include "tools/report/graph_file.h"
#include "tools/report/page_text.h"
#include "tools/report/parquet_file.h"
#include "tools/report/position_rows.h"
#include "tools/session/answers.h"
#include "tools/session/run.h"
#include "tools/session/store.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

enum class FileFormat { jsonl, csv, parquet, graphml, dot };
constexpr std::pair<std::string_view, FileFormat> kFormats[] = {{"jsonl", FileFormat::jsonl},
                                                                {"csv", FileFormat::csv},
                                                                {"parquet", FileFormat::parquet},
                                                                {"graphml", FileFormat::graphml},
                                                                {"dot", FileFormat::dot}};
constexpr std::string_view kToStdout = "-";

bool is_graph(FileFormat format) { return format == FileFormat::graphml || format == FileFormat::dot; }

absl::StatusOr<FileFormat> format_of(const ExportArguments& arguments) {
  const bool to_stdout = arguments.output == kToStdout;
  std::string name = arguments.format;
  if (name.empty()) {
    const std::string ending = std::filesystem::path(arguments.output).extension().string();
    name = to_stdout ? "jsonl" : ending.empty() ? "" : absl::AsciiStrToLower(ending.substr(1));
  }
  for (const auto& [known, format] : kFormats) {
    if (name != known) continue;
    if (to_stdout && format != FileFormat::jsonl && format != FileFormat::csv)
      return absl::InvalidArgumentError(
          absl::StrCat("only jsonl and csv can go to stdout\n  name a file: -o FILE.", name));
    if (is_graph(format) && arguments.rows == "moves")
      return absl::InvalidArgumentError("a graph has the positions and the moves\n  leave out --rows");
    return format;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(arguments.output, ": the ending of the file tells what to write, and ",
                   name.empty() ? "there is none" : absl::StrCat("'.", name, "' is not known"),
                   "\n  let it end in .jsonl, .csv, .parquet, .graphml or .dot, or give --format"));
}

// That it can be written, before anything takes long.
absl::Status can_write(const std::string& path, FileFormat format) {
  if (format == FileFormat::parquet) {
    RETURN_IF_ERROR(ParquetFile::available());
  }
  return path == kToStdout ? absl::OkStatus() : FileOutput::create(path).status();
}

// Takes rows of a format, and at its end the file is there.
class RowOutput {
 public:
  static absl::StatusOr<RowOutput> create(const std::string& path, FileFormat format, std::vector<RowColumn> columns) {
    RowOutput out;
    out.format_ = format;
    out.columns_ = std::move(columns);
    if (format == FileFormat::parquet) {
      ASSIGN_OR_RETURN(out.parquet_, ParquetFile::create(path, out.columns_));
      return out;
    }
    if (path != kToStdout) {
      ASSIGN_OR_RETURN(out.file_, FileOutput::create(path));
    }
    if (format == FileFormat::csv) out.stream() << head_as_csv(out.columns_);
    return out;
  }
  bool nests() const { return format_ == FileFormat::jsonl; }
  // `moves`: an entry more, where it nests; null: none.
  absl::Status add(Row row, Json moves = {}) {
    ++rows_;
    if (parquet_ != nullptr) return parquet_->add(row);
    if (nests()) {
      Json whole = row_as_json(columns_, std::move(row));
      if (!moves.is_null()) whole["moves"] = std::move(moves);
      stream() << json_text(whole, -1) << "\n";
    } else {
      stream() << row_as_csv(row);
    }
    if (stream()) return absl::OkStatus();
    return file_ != nullptr ? file_->status() : absl::ResourceExhaustedError("the rows cannot be written to stdout");
  }
  absl::Status commit(const std::function<bool()>& go_on) {
    if (parquet_ != nullptr) return parquet_->commit(go_on);
    return file_ != nullptr ? file_->commit() : absl::OkStatus();
  }
  std::uint64_t rows() const { return rows_; }

 private:
  std::ostream& stream() { return file_ != nullptr ? file_->stream() : std::cout; }

  FileFormat format_ = FileFormat::csv;
  std::vector<RowColumn> columns_;
  std::unique_ptr<FileOutput> file_;  // null: stdout
  std::unique_ptr<ParquetFile> parquet_;
  std::uint64_t rows_ = 0;
};

absl::Status add_rows(const Result& game, const Result::Visit& seen, RowsOf of, RowOutput& out) {
  if (of == RowsOf::moves) {
    ASSIGN_OR_RETURN(std::vector<Row> rows, move_rows(game, seen));
    for (Row& row : rows) RETURN_IF_ERROR(out.add(std::move(row)));
    return absl::OkStatus();
  }
  Json moves;
  if (out.nests()) {
    ASSIGN_OR_RETURN(moves, moves_in_row(game, seen));
  }
  return out.add(position_row(game, seen), std::move(moves));
}

// What was written, in words.
absl::StatusOr<std::string> write_rows(Run& run, const Result& game, const ExportArguments& arguments,
                                       FileFormat format, Result::Fold fold) {
  const RowsOf of = arguments.rows == "moves" ? RowsOf::moves : RowsOf::positions;
  ASSIGN_OR_RETURN(RowOutput out, RowOutput::create(arguments.output, format, columns_of(game.variant(), of)));
  std::uint64_t done = 0;  // positions that the rows stand for
  const auto visit = [&](std::span<const Result::Visit> visits) -> absl::Status {
    if (!run.show("exporting", done, "positions")) return absl::CancelledError("interrupted");
    for (const Result::Visit& seen : visits) {
      RETURN_IF_ERROR(add_rows(game, seen, of, out));
      done += seen.images;
    }
    return absl::OkStatus();
  };
  for (std::size_t part = 0; part < std::max<std::size_t>(1, game.parts()); ++part)
    RETURN_IF_ERROR(game.each(part, fold, visit));
  RETURN_IF_ERROR(out.commit([&] { return run.show("writing", done, "positions"); }));
  return absl::StrCat(pages::count(out.rows(), "row", "rows"), " of ", pages::count(done, "position", "positions"));
}

absl::StatusOr<std::string> write_positions_graph(Run& run, const Result& game, const std::string& path,
                                                  GraphFormat format, Result::Fold fold) {
  const auto go_on = [&](std::uint64_t positions) { return run.show("exporting", positions, "positions"); };
  ASSIGN_OR_RETURN(const StoredGraph graph, stored_graph(game, fold, go_on));
  RETURN_IF_ERROR(write_graph(game.variant(), graph, format, path));
  return absl::StrCat(pages::count(graph.positions.size(), "position", "positions"), " and ",
                      pages::count(graph.moves.size(), "move", "moves"),
                      graph.outside == 0 ? ""
                                         : absl::StrCat("; ", pages::count(graph.outside, "move", "moves"),
                                                        " lead to positions that are not among them"));
}

// A game by a method that does not hand out its positions.
absl::Status as_sentence(const absl::Status& status, const Result& game) {
  if (!absl::IsUnimplemented(status)) return status;
  return absl::FailedPreconditionError(absl::StrCat(game.variant().description().name, " on ",
                                                    game.variant().board().name(), ", by ", game.summary().method, ": ",
                                                    std::string(status.message()), ", so there is nothing to export"));
}

}  // namespace

absl::StatusOr<int> export_command(const ExportArguments& arguments) {
  ASSIGN_OR_RETURN(const FileFormat format, format_of(arguments));
  ASSIGN_OR_RETURN(const std::optional<OpenTable> table, named_table(arguments.game));
  ASSIGN_OR_RETURN(const Variant variant, table ? variant_of(*table) : make_game(arguments.game));
  RETURN_IF_ERROR(can_write(arguments.output, format));
  Run run(arguments.run);
  const Game game(variant, variant.rules().start());
  Wanted wanted = wanted_for_answers();
  wanted.scan = true;
  std::shared_ptr<const Result> result;
  if (table) {
    ASSIGN_OR_RETURN(result, values_in(run, game, *table, wanted));
  } else {
    ASSIGN_OR_RETURN(const Solved solved, solve_chosen(run, game, wanted));
    result = solved.result;
  }
  const Result::Fold fold = arguments.unfold ? Result::Fold::none : Result::Fold::images;
  const absl::StatusOr<std::string> written =
      is_graph(format)
          ? write_positions_graph(run, *result, arguments.output,
                                  format == FileFormat::dot ? GraphFormat::dot : GraphFormat::graphml, fold)
          : write_rows(run, *result, arguments, format, fold);
  run.finish();
  if (arguments.output == kToStdout && !std::cout) return kLimit;  // run_cli says why
  if (!written.ok()) return as_sentence(written.status(), *result);
  if (arguments.output != kToStdout) std::cout << "wrote " << arguments.output << ": " << *written << "\n";
  return kDone;
}

}  // namespace plenum
