// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/explorer.h"

#include <algorithm>
#include <mutex>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/study/histograms.h"
#include "tables/file/files.h"
#include "tools/explore/figures.h"
#include "tools/html/picture.h"
#include "tools/html/report_sections.h"
#include "tools/html/trap_svg.h"
#include "tools/report/compare_report.h"
#include "tools/report/cycles_report.h"
#include "tools/report/info_report.h"
#include "tools/session/checking.h"
#include "tools/session/common.h"
#include "variants/text/printable.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

int http_status(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kFailedPrecondition:
      return 409;
    case absl::StatusCode::kResourceExhausted:
      return 413;
    case absl::StatusCode::kUnimplemented:
      return 422;
    case absl::StatusCode::kUnavailable:
      return 429;
    default:
      return 400;
  }
}

// What is asked, and of which games.
template <typename... Parts>
std::string work_key(const std::string& what, const Parts&... parts) {
  return absl::StrJoin(std::vector<std::string>{what, parts...}, "\n");
}

std::vector<std::string> list_asked(const ApiRequest& asked, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [key, value] : asked.parameters) {
    if (key == name) out.push_back(value);
  }
  return out;
}

// Empty if it was not given.
std::string text_asked(const ApiRequest& asked, const std::string& name) {
  const std::vector<std::string> values = list_asked(asked, name);
  return values.empty() ? "" : values[0];
}

// That every parameter is one of those, and that what is no list is given once.
absl::Status check_parameters(const ApiRequest& asked, const std::vector<std::string>& known) {
  for (const auto& [key, value] : asked.parameters) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      return absl::InvalidArgumentError(
          absl::StrCat("there is no parameter '", printable(key), "'",
                       known.empty() ? "" : absl::StrCat("\n  ", suggestion(key, known, "one of"))));
    if (key != "set" && key != "with" && list_asked(asked, key).size() > 1)
      return absl::InvalidArgumentError(absl::StrCat("'", key, "' is given twice"));
  }
  return absl::OkStatus();
}

absl::Status check_on_or_off(const ApiRequest& asked, const std::string& name) {
  const std::string text = text_asked(asked, name);
  if (text.empty() || text == "on" || text == "off") return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", name, "' is on or off"));
}

}  // namespace

ApiReply error_reply(const absl::Status& status) {
  return {http_status(status), {{"error", printable_lines(std::string(status.message()))}}};
}

Json job_json(const JobState& state) {
  Json out = headed_json();
  out["job"] = state.id;
  out["state"] = stage_word(state.stage);
  out["progress"] = state.progress ? progress_json(*state.progress) : Json(nullptr);
  out["error"] = state.stage == JobState::Stage::failed ? Json(printable_lines(std::string(state.status.message())))
                                                        : Json(nullptr);
  return out;
}

ApiReply Explorer::answer(const ApiRequest& request) {
  if (request.body.size() > kMostBody)
    return error_reply(absl::ResourceExhaustedError(
        absl::StrCat("this request has ", request.body.size(), " bytes; the most is ", kMostBody)));
  if (request.parameters.size() > kMostParameters)
    return error_reply(absl::InvalidArgumentError(
        absl::StrCat("this request has ", request.parameters.size(), " parameters; the most is ", kMostParameters)));
  absl::StatusOr<ApiReply> out = route(request);
  return out.ok() ? *std::move(out) : error_reply(out.status());
}

absl::StatusOr<ApiReply> Explorer::route(const ApiRequest& request) {
  struct Route {
    const char* method;
    const char* path;
    std::vector<std::string> parameters;
    absl::StatusOr<ApiReply> (Explorer::*handler)(const ApiRequest&);
    const char* body = nullptr;  // what is sent, if that is what is asked about
  };
  static const std::vector<std::string> kGame = {"board", "set", "variant"};
  constexpr const char* kDescription = "a description";
  static const std::vector<Route> kRoutes = {
      {"POST", "check", {"tests"}, &Explorer::check, kDescription},
      {"POST", "save", {}, &Explorer::save, kDescription},
      {"GET", "info", kGame, &Explorer::info},
      {"GET", "text", {"variant"}, &Explorer::text},
      {"GET", "histograms", kGame, &Explorer::histograms_of},
      {"GET", "measures", kGame, &Explorer::measures},
      {"GET", "men", {"board", "letters", "set", "variant"}, &Explorer::men},
      {"POST", "figure", {}, &Explorer::figure, "numbers as JSON"},
      {"GET", "variants", {}, &Explorer::variants},
      {"GET", "variant", kGame, &Explorer::variant},
      {"GET", "position", {"board", "moves", "position", "set", "values", "variant"}, &Explorer::position},
      {"GET", "statistics", kGame, &Explorer::statistics},
      {"GET", "cycles", kGame, &Explorer::cycles},
      {"GET", "compare", {"board", "other", "set", "show", "variant", "with"}, &Explorer::compare},
      {"POST", "solve", kGame, &Explorer::solve},
  };
  if (request.path.rfind("jobs/", 0) == 0) {
    RETURN_IF_ERROR(check_parameters(request, {}));
    return job(request.path.substr(5), request.method);
  }
  std::vector<std::string> paths;
  for (const Route& route : kRoutes) {
    paths.emplace_back(route.path);
    if (request.path != route.path) continue;
    if (request.method != route.method) {
      const std::string how = route.body == nullptr
                                  ? absl::StrCat("' is asked with ", route.method)
                                  : absl::StrCat("' takes ", route.body, ": send it with ", route.method);
      return ApiReply{405, {{"error", absl::StrCat("'", route.path, how)}}};
    }
    RETURN_IF_ERROR(check_parameters(request, route.parameters));
    return (this->*route.handler)(request);
  }
  paths.insert(paths.begin() + 1, "jobs");
  return absl::NotFoundError(
      absl::StrCat("there is no '", printable(request.path), "'\n  ", suggestion(request.path, paths, "one of")));
}

absl::StatusOr<Explorer::Held> Explorer::game(const ApiRequest& asked) {
  const GameArguments arguments{text_asked(asked, "variant"), text_asked(asked, "board"), list_asked(asked, "set")};
  if (arguments.variant.empty()) return absl::InvalidArgumentError("which game? give variant=");
  return games_.find(arguments);
}

absl::StatusOr<ApiReply> Explorer::wait(std::uint64_t id) {
  absl::StatusOr<JobState> state = jobs_.state(id);
  while (state.ok() && !state->over()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(state->begun + kPatience -
                                                                            std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    state = jobs_.wait(id, state->revision, left);
  }
  if (!state.ok()) return state.status();
  switch (state->stage) {
    case JobState::Stage::done:
      return ApiReply{200, *state->result};
    case JobState::Stage::failed:
      return state->status;
    case JobState::Stage::cancelled:  // by another who asked the same: to ask again begins it anew
    case JobState::Stage::waiting:
    case JobState::Stage::working:
      break;
  }
  return ApiReply{202, job_json(*state)};
}

absl::StatusOr<ApiReply> Explorer::work(const std::string& key, Jobs::Work work) {
  const absl::StatusOr<std::uint64_t> id = jobs_.begin(key, std::move(work));
  return id.ok() ? wait(*id) : id.status();
}

absl::StatusOr<std::uint64_t> Explorer::begin_solving(const Held& held) {
  return jobs_.begin(work_key("solve", held->key()), [this, held](Watcher& watcher) -> absl::StatusOr<Json> {
    RETURN_IF_ERROR(games_.solve(*held, watcher));
    return Json();
  });
}

absl::StatusOr<ApiReply> Explorer::solved(const Held& held) {
  if (held->result() != nullptr) return ApiReply{};
  ASSIGN_OR_RETURN(const std::uint64_t id, begin_solving(held));
  return wait(id);
}

absl::StatusOr<ApiReply> Explorer::work_on(const Held& held, const std::string& what, Jobs::Work work) {
  ASSIGN_OR_RETURN(ApiReply first, solved(held));
  return first.status == 200 ? this->work(work_key(what, held->key()), std::move(work)) : first;
}

absl::StatusOr<ApiReply> Explorer::variants(const ApiRequest& /*asked*/) {
  Json out = headed_json();
  out["variants"] = Json::array();
  for (const std::string& name : games_.names()) {
    const absl::StatusOr<Description> description = games_.describe(name);
    Json one;
    one["name"] = name;
    one["title"] = description.ok() ? description->name : name;
    one["author"] = description.ok() ? description->author : "";
    one["about"] = description.ok() ? description->about : "";
    one["problem"] = description.ok() ? Json(nullptr) : Json(std::string(description.status().message()));
    out["variants"].push_back(std::move(one));
  }
  out["opened"]["variant"] = opened_.variant;
  out["opened"]["board"] = opened_.board;
  out["opened"]["settings"] = opened_.settings;
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::variant(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  Json out = variant_json(held->variant());
  out["at_hand"] = games_.is_at_hand(*held);
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::info(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held found, game(asked));
  ASSIGN_OR_RETURN(const std::uint64_t memory, memory_limit(games_.run_arguments()));
  return ApiReply{200, info_json(found->variant(), memory)};
}

absl::StatusOr<ApiReply> Explorer::text(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const std::string text, games_.text_of(text_asked(asked, "variant")));
  Json out = headed_json();
  out["text"] = text;
  out["saves"] = saves_to_.empty() ? Json(nullptr) : Json(saves_to_);
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::study(const std::string& what, const ApiRequest& asked, StudyFn study) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  return work_on(held, what, [this, held, study = std::move(study)](Watcher& watcher) -> absl::StatusOr<Json> {
    RETURN_IF_ERROR(games_.solve(*held, watcher));
    Run run(games_.run_arguments(), watcher);
    const std::shared_ptr<const Result> result = held->result();
    const auto reading = held->reading();
    return study(*result, run, [&](std::uint64_t positions) { return run.show("counting", positions, "positions"); });
  });
}

absl::StatusOr<ApiReply> Explorer::histograms_of(const ApiRequest& asked) {
  return study("histograms", asked, [](const Result& game, Run&, const GoOn& go_on) -> absl::StatusOr<Json> {
    ASSIGN_OR_RETURN(const Histograms found, histograms(game, Ranks::alone(), go_on));
    Json out = histograms_json(game.variant(), found);
    out["html"] = sections::spread_of(game.variant(), found);
    return out;
  });
}

absl::StatusOr<ApiReply> Explorer::measures(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  return work_on(held, "measures", [this, held](Watcher& watcher) -> absl::StatusOr<Json> {
    RETURN_IF_ERROR(games_.measure(*held, watcher));
    const std::shared_ptr<const Result> result = held->result();
    const Summary& summary = result->summary();
    Json out = headed_json(held->variant());
    out["html"] = sections::balance(summary) + sections::skill_of(summary, held->measures());
    return out;
  });
}

absl::StatusOr<ApiReply> Explorer::men(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  Json out = headed_json(held->variant());
  ASSIGN_OR_RETURN(out["on_cell"], men_picture(held->variant(), text_asked(asked, "letters")));
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::figure(const ApiRequest& asked) {
  Json out = headed_json();
  ASSIGN_OR_RETURN(out["html"], asked_figure(asked.body));
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::position(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  const Variant& variant = held->variant();
  RETURN_IF_ERROR(check_on_or_off(asked, "values"));
  ASSIGN_OR_RETURN(const Position position,
                   find_position(variant, text_asked(asked, "position"), text_asked(asked, "moves")));
  if (text_asked(asked, "values") == "off") {
    ASSIGN_OR_RETURN(Json out, legal_moves_json(variant, position, Headed::yes));
    std::vector<Successor> legal;
    if (!out["ended"].get<bool>()) {
      ASSIGN_OR_RETURN(legal, successors(variant.rules(), position));
    }
    out["drawn"] = drawn_moves_json(variant, position, legal);
    return ApiReply{200, std::move(out)};
  }
  const auto json = [](const Variant& of, const Answer& answer) {
    Json out = answer_json(of, answer, Headed::yes);
    out["drawn"] = drawn_answer_json(of, answer);
    return out;
  };
  ASSIGN_OR_RETURN(ApiReply first, solved(held));
  if (first.status != 200) return first;
  const absl::StatusOr<Answer> answer = held->read(position);
  if (answer.ok()) return ApiReply{200, json(variant, *answer)};
  const std::shared_ptr<const Result> result = held->result();
  const bool further = result == nullptr || lies_elsewhere(*result, answer.status());
  if (!further && !absl::IsUnavailable(answer.status())) return answer.status();
  return work(work_key("position", held->key(), variant.rules().write(position)),
              [this, held, json, at = position](Watcher& watcher) -> absl::StatusOr<Json> {
                ASSIGN_OR_RETURN(const Answer solved, games_.ask(*held, at, watcher));
                return json(held->variant(), solved);
              });
}

absl::StatusOr<ApiReply> Explorer::statistics(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  if (const std::shared_ptr<const Json> there = held->statistics()) return ApiReply{200, *there};
  return work_on(held, "statistics", [this, held](Watcher& watcher) -> absl::StatusOr<Json> {
    RETURN_IF_ERROR(games_.measure(*held, watcher));
    return *held->statistics();
  });
}

absl::StatusOr<ApiReply> Explorer::solve(const ApiRequest& asked) {
  ASSIGN_OR_RETURN(const Held held, game(asked));
  ASSIGN_OR_RETURN(const std::uint64_t id, begin_solving(held));
  ASSIGN_OR_RETURN(const JobState state, jobs_.state(id));
  return ApiReply{state.over() ? 200 : 202, job_json(state)};
}

absl::StatusOr<ApiReply> Explorer::cycles(const ApiRequest& asked) {
  return study("cycles", asked, [](const Result& game, Run& run, const GoOn& go_on) -> absl::StatusOr<Json> {
    ASSIGN_OR_RETURN(const CycleStudy found, study_cycles(game, go_on));
    Json out = cycle_study_json(game.summary(), found, run.cost());
    const std::string graph = found.trap ? trap_graph(*found.trap) : "";
    out["graph"] = graph.empty() ? Json() : Json(graph);
    return out;
  });
}

absl::StatusOr<ApiReply> Explorer::compare(const ApiRequest& asked) {
  const std::string show = text_asked(asked, "show");
  const std::string other = text_asked(asked, "other");
  int most = 12;
  if (!show.empty() && (!absl::SimpleAtoi(show, &most) || most < 0 || most > 1000))
    return absl::InvalidArgumentError("'show' is a number of positions, from 0 to 1000");
  ASSIGN_OR_RETURN(const Held a, game(asked));
  ASSIGN_OR_RETURN(const Held b, games_.find({other.empty() ? text_asked(asked, "variant") : other,
                                              text_asked(asked, "board"), list_asked(asked, "with")}));
  return work(
      work_key("compare", a->key(), b->key(), std::to_string(most)),
      [this, a, b, most](Watcher& watcher) -> absl::StatusOr<Json> {
        for (HeldGame* game : {a.get(), b.get()}) {
          RETURN_IF_ERROR(games_.solve(*game, watcher));
        }
        // The second may have taken the first's memory.
        RETURN_IF_ERROR(games_.solve(*a, watcher));
        const std::shared_ptr<const Result> in_a = a->result();
        const std::shared_ptr<const Result> in_b = b->result();
        if (in_a == nullptr || in_b == nullptr)
          return absl::ResourceExhaustedError("there is no memory for both games at once\n  give a smaller board");
        Run run(games_.run_arguments(), watcher);
        const auto reading_a = a->reading();
        const auto reading_b = a == b ? std::unique_lock<ReadingRight>() : b->reading();
        ASSIGN_OR_RETURN(const ComparisonReport found,
                         compare_games(*in_a, *in_b, static_cast<std::size_t>(most), [&](std::uint64_t positions) {
                           return run.show("comparing", positions, "positions");
                         }));
        return comparison_json(found, run.cost());
      });
}

absl::StatusOr<ApiReply> Explorer::check(const ApiRequest& asked) {
  RETURN_IF_ERROR(check_on_or_off(asked, "tests"));
  const std::string draft = games_.add_draft(asked.body);
  const auto json = [draft](const absl::StatusOr<Description>& description, const Checked& found) {
    Json out = headed_json();
    out["draft"] = draft;
    out["checked"] = Json::array({checked_json(description.ok() ? description->name : "", found)});
    return out;
  };
  const absl::StatusOr<Description> description = games_.describe(draft);
  if (text_asked(asked, "tests") != "on") return ApiReply{200, json(description, compile_description(description))};
  const std::string key = work_key("check", draft, description.ok() ? description->document : "");
  return work(key, [this, description, json](Watcher& watcher) -> absl::StatusOr<Json> {
    ASSIGN_OR_RETURN(const Checked found,
                     check_description(
                         description, [&](const Variant& variant, const Position& at) -> absl::StatusOr<PositionValue> {
                           return Run(games_.run_arguments(), watcher).value(variant, at);
                         }));
    return json(description, found);
  });
}

absl::StatusOr<ApiReply> Explorer::save(const ApiRequest& asked) {
  if (saves_to_.empty())
    return absl::FailedPreconditionError(
        "nothing is written to disk\n  plenum explore --save FILE says where it may be");
  ASSIGN_OR_RETURN(const std::unique_ptr<NewFile> file, NewFile::create(saves_to_));
  RETURN_IF_ERROR(file->write({reinterpret_cast<const std::uint8_t*>(asked.body.data()), asked.body.size()}));
  RETURN_IF_ERROR(file->commit());
  Json out = headed_json();
  out["saved"] = saves_to_;
  return ApiReply{200, std::move(out)};
}

absl::StatusOr<ApiReply> Explorer::job(const std::string& id, const std::string& method) {
  std::uint64_t number = 0;
  if (!absl::SimpleAtoi(id, &number)) return absl::NotFoundError(absl::StrCat("there is no job '", printable(id), "'"));
  if (method == "DELETE") {
    RETURN_IF_ERROR(jobs_.cancel(number));
  } else if (method != "GET") {
    return ApiReply{405, {{"error", "a job is looked at with GET and cancelled with DELETE"}}};
  }
  ASSIGN_OR_RETURN(const JobState state, jobs_.state(number));
  return ApiReply{200, job_json(state)};
}

}  // namespace plenum
