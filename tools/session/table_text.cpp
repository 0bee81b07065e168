// SPDX-License-Identifier: Apache-2.0
#include "tools/session/table_text.h"

#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>

#include "tables/file/table_file.h"
#include "tools/console/game_arguments.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// A JSON object whose members are taken one by one; the first that is not there or of another type is remembered.
class Members {
 public:
  Members(std::string path, const char* where, std::string_view text) : path_(std::move(path)), where_(where) {
    if (const std::string_view wrong = json_disproportion(text); !wrong.empty()) {
      problem_ = absl::StrCat("its ", where_, " is ", std::string(wrong));
      return;
    }
    json_ = Json::parse(text, nullptr, false);
    if (json_.is_discarded()) {
      problem_ = absl::StrCat("its ", where_, " is no JSON");
    } else if (!json_.is_object()) {
      problem_ = absl::StrCat("its ", where_, " is no JSON object");
    }
  }

  const Json& json() const { return json_; }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }
  bool failed() const { return !problem_.empty(); }

  std::string text(const char* key) {
    const Json* found = take(key);
    if (found != nullptr && found->is_string()) return found->get<std::string>();
    if (found != nullptr) wrong_type(key, "a text");
    return "";
  }
  std::uint64_t count(const char* key) {
    const Json* found = take(key);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    if (found != nullptr) wrong_type(key, "a whole number");
    return 0;
  }
  std::map<std::string, std::string> texts(const char* key) {
    std::map<std::string, std::string> out;
    const Json* found = take(key);
    if (found == nullptr) return out;
    bool right = found->is_object();
    if (right) {
      for (const auto& [name, value] : found->items()) {
        right = right && value.is_string();
        if (right) out[name] = value.get<std::string>();
      }
    }
    if (!right) wrong_type(key, "an object of texts");
    return out;
  }
  Json any(const char* key) {
    const Json* found = take(key);
    return found == nullptr ? Json() : *found;
  }

  // When all that there may be was taken.
  absl::Status finish() {
    if (problem_.empty() && json_.is_object()) {
      for (const auto& [key, value] : json_.items()) {
        if (taken_.count(key) == 0) fail(absl::StrCat("its ", where_, " has a key '", key, "' that is not known"));
      }
    }
    return problem_.empty() ? absl::OkStatus() : damaged_table(path_, problem_);
  }

 private:
  const Json* take(const char* key) {
    if (failed()) return nullptr;
    taken_.insert(key);
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    fail(absl::StrCat("its ", where_, " has no '", key, "'"));
    return nullptr;
  }
  void wrong_type(const char* key, const char* type) {
    fail(absl::StrCat("in its ", where_, " '", key, "' is not ", type));
  }

  std::string path_;
  const char* where_;
  Json json_;
  std::set<std::string, std::less<>> taken_;
  std::string problem_;
};

const Json& member(const Json& object, const char* key) {
  static const Json kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

// Of those of which tables are kept; null if there is none of that name.
const Method* keeping_method(std::string_view name) {
  const Method* found = find_method(name);
  return found != nullptr && (found->offers().table || found->offers().parts) ? found : nullptr;
}

// The name by which the command line knows a game, from what it is called; empty if there is none.
std::string variant_called(const std::string& called) {
  for (const std::string& name : variant_names(data_folder())) {
    const absl::StatusOr<Description> description = load_description(name, data_folder());
    if (description.ok() && description->name == called) return name;
  }
  return "";
}

// A header of another version may be anything; what of it is as it is here helps.
absl::Status other_version(const std::string& path, const Json& header) {
  const auto text = [&](const char* key) {
    const Json& found = member(header, key);
    return found.is_string() ? found.get<std::string>() : std::string();
  };
  SolveAgain again;
  again.variant = variant_called(text("variant"));
  again.board = text("board");
  const Json& settings = member(header, "settings");
  if (settings.is_object()) {
    for (const auto& [name, value] : settings.items()) {
      if (value.is_string() && name != "board") again.settings[name] = value.get<std::string>();
    }
  }
  again.method = keeping_method(text("method"));
  const std::string program = text("program");
  return absl::ResourceExhaustedError(absl::StrCat(
      path, " was written by ", program.empty() ? "another version" : absl::StrCat("version ", program),
      " of Plenum, whose tables have version ", json_text(member(header, "version"), -1), "; this is ", PLENUM_VERSION,
      ", which reads version ", kTableVersion, " alone\n  to go on, ", way_to_go_on(path, again)));
}

}  // namespace

std::string to_text(const TableHeader& header) {
  Json out;
  out["version"] = kTableVersion;
  out["program"] = header.program;
  out["variant"] = header.variant;
  out["board"] = header.board;
  out["hash"] = header.hash;
  out["game"] = header.game;
  out["description"] = header.description;
  out["settings"] = Json::object();
  for (const auto& [name, value] : header.settings) out["settings"][name] = value;
  out["method"] = header.method->name();
  if (!header.method->offers().parts) {
    out["boards"] = header.shape.boards;
    out["states"] = header.shape.states;
  }
  return json_text(out, -1);
}

std::string footer_text(const TableHeader& header, const Json& summary) {
  Json out;
  out["hash"] = header.hash;
  out["summary"] = summary;
  return json_text(out, -1);
}

absl::StatusOr<TableHeader> read_table_header(const std::string& path, std::string_view text) {
  Members members(path, "header", text);
  const std::uint64_t version = members.count("version");
  if (!members.failed() && version != kTableVersion) return other_version(path, members.json());
  TableHeader out;
  out.program = members.text("program");
  out.variant = members.text("variant");
  out.board = members.text("board");
  out.hash = members.text("hash");
  out.game = members.text("game");
  out.description = members.text("description");
  out.settings = members.texts("settings");
  const std::string name = members.text("method");
  out.method = keeping_method(name);
  if (out.method == nullptr) {
    members.fail(absl::StrCat("in its header 'method' is '", name, "', of which no tables are kept"));
    return members.finish();
  }
  if (!out.method->offers().parts) {
    out.shape.boards = members.count("boards");
    out.shape.states = members.count("states");
  }
  RETURN_IF_ERROR(members.finish());
  if (to_text(out) != text) return damaged_table(path, "its header is not in the form in which it is written");
  return out;
}

absl::StatusOr<Json> read_table_footer(const std::string& path, std::string_view text, const TableHeader& header) {
  Members members(path, "footer", text);
  const std::string hash = members.text("hash");
  if (!members.failed() && hash != header.hash)
    members.fail(
        absl::StrCat("its footer is of another game: 'hash' is ", hash, " there, and ", header.hash, " in its header"));
  Json out = members.any("summary");
  if (!members.failed() && header.method->offers().parts != out.is_null())
    members.fail(out.is_null() ? "its footer has no summary" : "its footer has a summary, which a part has not");
  if (!members.failed() && !out.is_null() && !out.is_object()) members.fail("in its footer 'summary' is not an object");
  RETURN_IF_ERROR(members.finish());
  if (footer_text(header, out) != text)
    return damaged_table(path, "its footer is not in the form in which it is written");
  return out;
}

std::string way_to_go_on(const std::string& path, const SolveAgain& again) {
  std::string out = absl::StrCat("remove it and solve again: rm ", quoted(path), " && ", command_name(), " solve ",
                                 again.variant.empty() ? "DESCRIPTION" : quoted(again.variant), " --board ",
                                 again.board.empty() ? "BOARD" : quoted(again.board));
  for (const auto& [name, value] : again.settings) {
    if (name != "board") absl::StrAppend(&out, " --set ", quoted(absl::StrCat(name, "=", value)));
  }
  if (again.method != nullptr && again.method->offers().parts) return out;  // kept in the cache folder alone
  if (again.method != nullptr) absl::StrAppend(&out, " --method ", std::string(again.method->name()));
  return absl::StrCat(out, " --table ", quoted(path));
}

}  // namespace plenum
