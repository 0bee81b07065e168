// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include <absl/cleanup/cleanup.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fcntl.h>

#include "tools/explore/page_files.h"
#include "variants/text/printable.h"

namespace plenum {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using HttpRequest = http::request<http::string_body>;
using HttpResponse = http::response<http::string_body>;

namespace {

constexpr std::string_view kApi = "/api/v1/";
constexpr auto kRead = std::chrono::seconds(30);  // for a request, from its first byte or from the end of the last one
constexpr auto kWrite = std::chrono::seconds(30);
constexpr auto kUseTuple = asio::as_tuple(asio::use_awaitable);

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

// Percent signs and plus signs of a query taken back; nothing if a percent sign has no number behind it.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const auto digit = [&](std::size_t at) {
        const char c = at < text.size() ? absl::ascii_tolower(static_cast<unsigned char>(text[at])) : '\0';
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      };
      if (digit(i + 1) < 0 || digit(i + 2) < 0) return std::nullopt;
      out += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
      i += 2;
    }
  }
  return out;
}

absl::StatusOr<ApiRequest> read_request(const HttpRequest& request) {
  const std::string_view target = view(request.target());
  const std::size_t question = target.find('?');
  ApiRequest out;
  out.method = std::string(view(request.method_string()));
  out.body = request.body();
  const auto wrong = [&](std::string_view part) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", printable(part), "' is not written as in an address\n  a percent sign is written %25"));
  };
  const std::string_view path = target.substr(0, question).substr(kApi.size());
  const std::optional<std::string> plain = unescaped(path);
  if (!plain) return wrong(path);
  out.path = *plain;
  if (question == std::string_view::npos) return out;
  for (std::string_view rest = target.substr(question + 1); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::optional<std::string> name = unescaped(part.substr(0, equals));
    const std::optional<std::string> value =
        unescaped(equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1));
    if (!name || !value) return wrong(part);
    out.parameters.emplace_back(*name, *value);
  }
  return out;
}

void set_headers(HttpResponse& response, bool keep_alive) {
  response.set(http::field::server, "plenum");
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.keep_alive(keep_alive);
}

HttpResponse text_response(const HttpRequest& request, unsigned status, std::string_view type, std::string_view text) {
  HttpResponse out{http::status(status), request.version()};
  set_headers(out, request.keep_alive());
  out.set(http::field::content_type, boost::beast::string_view(type.data(), type.size()));
  if (request.method() == http::verb::head) {
    out.content_length(text.size());
  } else {
    out.body() = text;
    out.prepare_payload();
  }
  return out;
}

HttpResponse json_response(const HttpRequest& request, const ApiReply& reply) {
  HttpResponse out =
      text_response(request, static_cast<unsigned>(reply.status), "application/json", json_text(reply.json, -1));
  if (reply.status == 429) out.set(http::field::retry_after, "1");
  return out;
}

// So many a second, over some seconds.
class Rate {
 public:
  explicit Rate(double most) : most_(most), left_(kSeconds * most) {}
  bool take() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    left_ = std::min(kSeconds * most_, left_ + most_ * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  static constexpr double kSeconds = 3;
  double most_;
  double left_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

// One of so many at a time.
class Seat {
 public:
  Seat(std::atomic<int>& taken, int most) : taken_(taken), has_(taken.fetch_add(1) < most) {}
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() { taken_.fetch_sub(1); }
  bool has() const { return has_; }

 private:
  std::atomic<int>& taken_;
  bool has_;
};

}  // namespace

struct Server::Sockets {
  explicit Sockets(Explorer& asked) : explorer(asked), acceptor(context) {}

  Explorer& explorer;
  asio::io_context context;
  Tcp::acceptor acceptor;
  std::uint16_t port = 0;
  std::atomic<int> connections = 0;
  std::atomic<int> followers = 0;
  Rate rate{kMostRate};

  asio::awaitable<void> accept_all();
  asio::awaitable<void> serve(Tcp::socket socket, std::unique_ptr<const Seat> seat);
  asio::awaitable<bool> follow(boost::beast::tcp_stream& stream, const HttpRequest& request, std::uint64_t job);
  std::optional<ApiReply> refused(const HttpRequest& request);
  HttpResponse respond(const HttpRequest& request);
  HttpResponse respond_or_say_why(const HttpRequest& request);
  // "jobs/12/events": the number.
  static std::optional<std::uint64_t> followed_job(const HttpRequest& request);
};

// A foreign page must not be able to ask for anything, nor a foreign name lead here.
std::optional<ApiReply> Server::Sockets::refused(const HttpRequest& request) {
  const std::vector<std::string> hosts = {absl::StrCat("127.0.0.1:", port), absl::StrCat("localhost:", port)};
  const auto known = [&](std::string_view host) { return std::find(hosts.begin(), hosts.end(), host) != hosts.end(); };
  const std::string_view host = view(request[http::field::host]);
  if (request.count(http::field::host) != 1 || !known(host))
    return ApiReply{421, {{"error", absl::StrCat("this is ", hosts[0], ", not '", printable(host), "'")}}};
  const std::string_view origin = view(request[http::field::origin]);
  const std::string_view site = view(request["Sec-Fetch-Site"]);
  const bool own = origin.empty() || (origin.rfind("http://", 0) == 0 && known(origin.substr(7)));
  // A link on another page may lead to the page, and nothing else may come from there.
  const bool navigates = request.method() == http::verb::get && view(request["Sec-Fetch-Mode"]) == "navigate" &&
                         view(request.target()).rfind(kApi, 0) != 0;
  const bool from_here = site.empty() || site == "same-origin" || site == "none" || navigates;
  if (!own || !from_here)
    return ApiReply{403, {{"error", "this page may be asked by itself alone, not by other pages"}}};
  if (!rate.take()) return ApiReply{429, {{"error", "too many requests at a time\n  try again in a second"}}};
  return std::nullopt;
}

HttpResponse Server::Sockets::respond(const HttpRequest& request) {
  const std::string_view target = view(request.target());
  if (target.rfind(kApi, 0) == 0) {
    const absl::StatusOr<ApiRequest> asked = read_request(request);
    return json_response(request, asked.ok() ? explorer.answer(*asked) : error_reply(asked.status()));
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return json_response(request, {405, {{"error", "the page is read with GET"}}});
  const std::string_view path = target.substr(0, target.find_first_of("?#"));
  for (const PageFile& file : page_files()) {
    if (file.path == path) return text_response(request, 200, file.type, file.content);
  }
  return json_response(request, {404, {{"error", absl::StrCat("there is no page '", printable(path), "'")}}});
}

HttpResponse Server::Sockets::respond_or_say_why(const HttpRequest& request) {
  try {
    return respond(request);
  } catch (const std::bad_alloc&) {
    return json_response(request, {413, {{"error", "there is not enough memory for this"}}});
  } catch (const std::exception& error) {
    return json_response(request, {500, {{"error", printable(error.what())}}});
  }
}

std::optional<std::uint64_t> Server::Sockets::followed_job(const HttpRequest& request) {
  constexpr std::string_view kJobs = "/api/v1/jobs/";
  constexpr std::string_view kEvents = "/events";
  const std::string_view target = view(request.target());
  if (request.method() != http::verb::get || target.size() <= kJobs.size() + kEvents.size() ||
      target.rfind(kJobs, 0) != 0 || target.substr(target.size() - kEvents.size()) != kEvents)
    return std::nullopt;
  const std::string_view digits = target.substr(kJobs.size(), target.size() - kJobs.size() - kEvents.size());
  std::uint64_t out = 0;
  for (const char c : digits) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) || out > 1'000'000'000'000) return std::nullopt;
    out = 10 * out + static_cast<std::uint64_t>(c - '0');
  }
  return out;
}

// Server-sent events: a "job" each time it gets further, until it is over.
asio::awaitable<bool> Server::Sockets::follow(boost::beast::tcp_stream& stream, const HttpRequest& request,
                                              std::uint64_t job) {
  const Seat seat(followers, kMostFollowers);
  absl::StatusOr<JobState> state = explorer.jobs().state(job);
  if (!state.ok() || !seat.has()) {
    const ApiReply reply =
        state.ok() ? ApiReply{429, {{"error", "too many jobs are followed at a time"}}} : error_reply(state.status());
    HttpResponse response = json_response(request, reply);
    stream.expires_after(kWrite);
    const auto [error, bytes] = co_await http::async_write(stream, response, kUseTuple);
    co_return !error && response.keep_alive();
  }
  http::response<http::empty_body> head{http::status::ok, request.version()};
  HttpResponse pattern;
  set_headers(pattern, false);
  for (const auto& field : pattern) head.set(field.name_string(), field.value());
  head.set(http::field::content_type, "text/event-stream");
  http::response_serializer<http::empty_body> serializer{head};
  stream.expires_after(kWrite);
  const auto [failed, written] = co_await http::async_write_header(stream, serializer, kUseTuple);
  if (failed) co_return false;
  for (bool told = false;;) {
    const std::uint64_t revision = state->revision;
    // Where there is nothing to tell, a remark tells whether anybody listens.
    const std::string event =
        told ? ":\n\n" : absl::StrCat("event: job\ndata: ", json_text(job_json(*state), -1), "\n\n");
    stream.expires_after(kWrite);
    const auto [error, bytes] = co_await asio::async_write(stream, asio::buffer(event), kUseTuple);
    if (error || state->over()) co_return false;
    state = explorer.jobs().wait(job, revision, std::chrono::milliseconds(500));
    if (!state.ok()) co_return false;
    told = state->revision == revision;
  }
}

// `seat` is kept as long as the connection.
asio::awaitable<void> Server::Sockets::serve(Tcp::socket socket, std::unique_ptr<const Seat> /*seat*/) {
  boost::beast::tcp_stream stream(std::move(socket));
  boost::beast::flat_buffer buffer;
  for (bool keep = true; keep;) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kMostHeaders);
    parser.body_limit(Explorer::kMostBody);
    stream.expires_after(kRead);
    const auto [error, bytes] = co_await http::async_read(stream, buffer, parser, kUseTuple);
    if (error == http::error::end_of_stream || error == boost::beast::error::timeout) break;
    HttpResponse response;
    if (error) {
      // What cannot be read as HTTP gets an answer too, if anybody is there to hear it.
      if (error.category() != http::make_error_code(http::error::bad_method).category()) break;
      HttpRequest nothing{http::verb::get, "/", 11};
      nothing.keep_alive(false);
      const bool large = error == http::error::body_limit || error == http::error::header_limit;
      response = json_response(
          nothing, {large ? 413 : 400, {{"error", large ? "this request is too large" : "this is no HTTP request"}}});
    } else {
      const HttpRequest request = parser.release();
      if (const std::optional<ApiReply> refusal = refused(request)) {
        response = json_response(request, *refusal);
      } else if (const std::optional<std::uint64_t> job = followed_job(request)) {
        keep = co_await follow(stream, request, *job);
        continue;
      } else {
        response = respond_or_say_why(request);
      }
    }
    keep = response.keep_alive();
    stream.expires_after(kWrite);
    const auto [failed, written] = co_await http::async_write(stream, response, kUseTuple);
    if (failed) break;
  }
  boost::system::error_code ignored;
  stream.socket().shutdown(Tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> Server::Sockets::accept_all() {
  for (;;) {
    // Who comes while so many are served waits in the system's queue: connections that are closed may still be counted on a busy machine.
    while (connections >= kMostConnections) {
      asio::steady_timer timer(context, std::chrono::milliseconds(5));
      co_await timer.async_wait(kUseTuple);
    }
    // A strand of its own: a timeout and a read may not come at once.
    auto [error, socket] = co_await acceptor.async_accept(asio::make_strand(context), kUseTuple);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // too many files are open, or the like: others may be closed meanwhile
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    boost::system::error_code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    const auto strand = socket.get_executor();
    asio::co_spawn(strand,
                   serve(Tcp::socket(std::move(socket)), std::make_unique<const Seat>(connections, kMostConnections)),
                   asio::detached);
  }
}

Server::Server(Explorer& explorer) : sockets_(std::make_unique<Sockets>(explorer)) {}

Server::~Server() = default;

absl::StatusOr<std::uint16_t> Server::listen(std::uint16_t port) {
  Tcp::acceptor& acceptor = sockets_->acceptor;
  const auto take = [&](std::uint16_t wanted) {
    const Tcp::endpoint here(asio::ip::address_v4::loopback(), wanted);
    boost::system::error_code error;
    boost::system::error_code ignored;
    if (acceptor.is_open()) acceptor.close(ignored);
    if (acceptor.open(here.protocol(), error).failed()) return error;
    acceptor.set_option(Tcp::acceptor::reuse_address(true), ignored);
    if (!acceptor.bind(here, error).failed()) acceptor.listen(asio::socket_base::max_listen_connections, error);
    return error;
  };
  boost::system::error_code error = take(port == 0 ? kUsualPort : port);
  if (error && port == 0) error = take(0);
  if (error)
    return absl::FailedPreconditionError(absl::StrCat("port ", port, " cannot be used: ", error.message(),
                                                      "\n  without --port one that is free is taken"));
  fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);  // it is not the browser's
  sockets_->port = acceptor.local_endpoint().port();
  return sockets_->port;
}

void Server::run(const std::function<bool()>& go_on) {
  asio::co_spawn(sockets_->context, sockets_->accept_all(), asio::detached);
  std::vector<std::jthread> threads;  // joined last, also where one more cannot be made
  threads.reserve(kThreads);
  const absl::Cleanup stop = [this] {
    sockets_->explorer.jobs().stop();
    sockets_->context.stop();
  };
  for (int k = 0; k < kThreads; ++k) threads.emplace_back([this] { sockets_->context.run(); });
  while (go_on()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace plenum
