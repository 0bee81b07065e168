// SPDX-License-Identifier: Apache-2.0
// What the explorer's page asks, answered: requests with their parameters become JSON, the same objects as the commands print.
//
//     Explorer explorer(settings);
//     ApiReply reply = explorer.answer({"GET", "position", {{"variant", "my-game"}, {"board", "square:3x3"}}, ""});
//
// What takes longer than kPatience is a job: the reply has status 202 and says which. Asking again, or following the job, gives the result.
// Nothing here knows how requests come: server.h does.
//
// Thread-safety: answer() may be called from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tools/explore/games.h"
#include "tools/explore/jobs.h"

namespace plenum {

struct ApiRequest {
  std::string method;  // "GET", "POST", "DELETE"
  std::string path;    // behind "/api/v1/"
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string body;
};

struct ApiReply {
  int status = 200;
  Json json;
};

// What is wrong, as the command line would say it.
ApiReply error_reply(const absl::Status& status);
Json job_json(const JobState& state);

class Explorer {
 public:
  static constexpr std::chrono::milliseconds kPatience = std::chrono::milliseconds(1500);
  static constexpr std::size_t kMostBody = std::size_t{512} << 10;  // bytes
  static constexpr std::size_t kMostParameters = 300;

  explicit Explorer(RunArguments run) : games_(std::move(run)) {}

  Games& games() { return games_; }
  Jobs& jobs() { return jobs_; }
  // Where what is typed may be written to; without it nowhere.
  void save_to(std::string path) { saves_to_ = std::move(path); }
  // What the page shows first.
  void open(GameArguments arguments) { opened_ = std::move(arguments); }

  ApiReply answer(const ApiRequest& request);

 private:
  using Held = std::shared_ptr<HeldGame>;

  absl::StatusOr<ApiReply> route(const ApiRequest& request);
  absl::StatusOr<ApiReply> variants(const ApiRequest& asked);
  absl::StatusOr<ApiReply> variant(const ApiRequest& asked);
  absl::StatusOr<ApiReply> position(const ApiRequest& asked);
  absl::StatusOr<ApiReply> info(const ApiRequest& asked);
  absl::StatusOr<ApiReply> text(const ApiRequest& asked);
  absl::StatusOr<ApiReply> statistics(const ApiRequest& asked);
  absl::StatusOr<ApiReply> histograms_of(const ApiRequest& asked);
  absl::StatusOr<ApiReply> measures(const ApiRequest& asked);
  absl::StatusOr<ApiReply> men(const ApiRequest& asked);
  absl::StatusOr<ApiReply> figure(const ApiRequest& asked);
  absl::StatusOr<ApiReply> cycles(const ApiRequest& asked);
  absl::StatusOr<ApiReply> compare(const ApiRequest& asked);
  absl::StatusOr<ApiReply> solve(const ApiRequest& asked);
  absl::StatusOr<ApiReply> check(const ApiRequest& asked);
  absl::StatusOr<ApiReply> save(const ApiRequest& asked);
  absl::StatusOr<ApiReply> job(const std::string& id, const std::string& method);

  absl::StatusOr<Held> game(const ApiRequest& asked);
  // What somebody finds out who looks through a solved game; it is told how far they are, and says whether to go on.
  using GoOn = std::function<bool(std::uint64_t positions)>;
  using StudyFn = std::function<absl::StatusOr<Json>(const Result& game, Run& run, const GoOn& go_on)>;
  absl::StatusOr<ApiReply> study(const std::string& what, const ApiRequest& asked, StudyFn study);
  // Solving a game is a job of its own, so that all that is asked about the game waits for the same one.
  absl::StatusOr<std::uint64_t> begin_solving(const Held& held);
  // Status 200 once that is done.
  absl::StatusOr<ApiReply> solved(const Held& held);
  // Work on a game that is solved by then.
  absl::StatusOr<ApiReply> work_on(const Held& held, const std::string& what, Jobs::Work work);
  // The result of a job, if it is there within kPatience of its beginning.
  absl::StatusOr<ApiReply> wait(std::uint64_t id);
  absl::StatusOr<ApiReply> work(const std::string& key, Jobs::Work work);

  Games games_;
  GameArguments opened_;
  std::string saves_to_;
  Jobs jobs_;  // last: its thread uses the games
};

}  // namespace plenum
