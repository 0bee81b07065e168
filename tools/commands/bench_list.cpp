// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/bench_list.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

#include "variants/text/status_macros.h"
#include "variants/text/text_file.h"

namespace plenum {
namespace {

constexpr const char* kMemory = "4G";  // of a case that says nothing else

}  // namespace

absl::StatusOr<Json> read_bench_list(const std::string& path, const std::string& section) {
  const std::string file = path.empty() ? data_folder() + "/bench.json" : path;
  ASSIGN_OR_RETURN(const std::string text, read_text_file(file));
  const Json all = json_disproportion(text).empty() ? Json::parse(text, nullptr, false) : Json();
  if (!all.is_object() || !all.contains(section) || !all[section].is_array())
    return absl::InvalidArgumentError(absl::StrCat("cannot read the list '", section, "' in ", file));
  return all[section];
}

absl::StatusOr<std::vector<ChoiceCase>> read_choice_cases(const std::string& path) {
  ASSIGN_OR_RETURN(const Json list, read_bench_list(path, "choice"));
  std::vector<ChoiceCase> out;
  for (const Json& item : list) {
    ChoiceCase one;
    one.game = {item.value("variant", ""), item.value("board", ""), item.value("set", std::vector<std::string>())};
    one.memory = item.value("memory", kMemory);
    one.method = item.value("method", "");
    one.name = one.game.variant;
    if (!one.game.board.empty()) absl::StrAppend(&one.name, " ", one.game.board);
    for (const std::string& setting : one.game.settings) absl::StrAppend(&one.name, " ", setting);
    if (item.contains("memory")) absl::StrAppend(&one.name, " in ", one.memory);
    out.push_back(std::move(one));
  }
  return out;
}

absl::Status check_names(const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return error_at(Span::whole("bench", name), "there is no such workload", suggestion(name, names, "workloads"));
  }
  return absl::OkStatus();
}

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

}  // namespace plenum
