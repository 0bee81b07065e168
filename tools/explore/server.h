// SPDX-License-Identifier: Apache-2.0
// The explorer's web server: the page and the answers to its questions, for this machine alone.
//
// It listens on 127.0.0.1. A request has to name that address as its host, and may come from no other page than its own (Origin,
// Sec-Fetch-Site), so that a foreign page in the same browser cannot drive it. No file is served but the page's own, which are inside the
// program. Connections, requests a second, and the sizes of headers and bodies are limited.
//
// Source: Boost.Beast (HTTP) and Boost.Asio (sockets, coroutines). A request that has to wait for a solve holds a thread.
// Thread-safety: belongs to one thread; it uses kThreads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"

#include "tools/explore/explorer.h"

namespace plenum {

class Server {
 public:
  static constexpr int kMostConnections = 128;        // at a time; who comes then waits until one is closed
  static constexpr int kThreads = 32;                 // so many requests at a time; others wait their turn
  static constexpr int kMostFollowers = 12;           // of jobs, at a time
  static constexpr double kMostRate = 2000;           // requests a second, over some seconds
  static constexpr std::size_t kMostHeaders = 32768;  // bytes

  // Keeps a reference.
  explicit Server(Explorer& explorer);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Takes a port; kFailedPrecondition if it is taken. 0: kUsualPort, so that links go on working, or where that is taken any other.
  static constexpr std::uint16_t kUsualPort = 7536;
  absl::StatusOr<std::uint16_t> listen(std::uint16_t port);
  // Until `go_on` says no, which is asked some times a second.
  void run(const std::function<bool()>& go_on);

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace plenum
