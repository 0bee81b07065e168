// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process: what several ranks do together, in a test without MPI.
//
//     on_ranks(3, [&](Ranks& ranks) { ... });   // on each, at the same time; returns when all have
//
// Each rank may use oneTBB. All of them share the memory of the test, so a rank must write only what is its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "solver/cluster/ranks.h"
#include "solver/support/memory.h"

namespace plenum {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), letters_(static_cast<std::size_t>(size)) {
    for (int r = 0; r < size; ++r) ranks_.push_back(std::make_unique<OneOf>(*this, r));
  }
  Ranks& rank(int r) { return *ranks_[static_cast<std::size_t>(r)]; }

 private:
  class OneOf final : public Ranks {
   public:
    OneOf(ThreadRanks& all, int rank) : Ranks(rank, all.size_, all.size_, machine_memory()), all_(all) {}

    std::unique_ptr<Exchange> begin_saying(std::uint8_t bits, std::vector<Parcel> to) override {
      return std::make_unique<Begun>(*this, bits, std::move(to));
    }
    std::vector<Parcel> gather(std::span<const std::uint8_t> own) override {
      std::vector<Parcel> to(static_cast<std::size_t>(size()), Parcel(own));
      std::uint8_t bits = 0;
      return all_.exchange(rank(), bits, std::move(to));
    }
    Parcel broadcast(int from, Parcel bytes) override {
      return std::move(gather(bytes)[static_cast<std::size_t>(from)]);
    }
    void meet() override { gather(std::span<const std::uint8_t>()); }
    void send(int to, Parcel bytes) override {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      all_.letters_[static_cast<std::size_t>(to)].push_back({rank(), std::move(bytes)});
    }
    std::optional<Letter> receive() override {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      auto& own = all_.letters_[static_cast<std::size_t>(rank())];
      if (own.empty()) return std::nullopt;
      Letter out = std::move(own.front());
      own.pop_front();
      return out;
    }
    [[noreturn]] void end_run(int /*exit_code*/, const std::string& why) override { throw std::runtime_error(why); }

   private:
    // What is sent is handed over in finish(): a rank that changes it in between would be heard.
    class Begun final : public Exchange {
     public:
      Begun(OneOf& rank, std::uint8_t bits, std::vector<Parcel> to) : rank_(rank), to_(std::move(to)) { heard_ = bits; }
      std::vector<Parcel> finish() override { return rank_.all_.exchange(rank_.rank(), heard_, std::move(to_)); }

     private:
      OneOf& rank_;
      std::vector<Parcel> to_;
    };
    ThreadRanks& all_;
  };

  // `bits`: what this rank says, and then what any said.
  std::vector<Parcel> exchange(int rank, std::uint8_t& bits, std::vector<Parcel> to) {
    std::unique_lock<std::mutex> lock(mutex_);
    says_ |= bits;
    const std::uint64_t round = round_;
    if (given_.empty()) given_.resize(static_cast<std::size_t>(size_));
    given_[static_cast<std::size_t>(rank)] = std::move(to);
    if (++arrived_ == size_) {
      taken_.assign(static_cast<std::size_t>(size_), {});
      for (auto& from : given_) {
        if (from.size() != static_cast<std::size_t>(size_)) throw std::logic_error("a parcel for every rank");
        for (std::size_t r = 0; r < from.size(); ++r) taken_[r].push_back(std::move(from[r]));
      }
      given_.clear();
      said_ = std::exchange(says_, std::uint8_t{0});
      arrived_ = 0;
      ++round_;
      all_here_.notify_all();
    } else if (!all_here_.wait_for(lock, std::chrono::minutes(5), [&] { return round_ != round; })) {
      throw std::runtime_error("a rank waits for others that do not come");
    }
    bits = said_;
    return std::move(taken_[static_cast<std::size_t>(rank)]);
  }

  int size_;
  std::vector<std::unique_ptr<OneOf>> ranks_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  std::uint64_t round_ = 0;
  int arrived_ = 0;
  std::uint8_t says_ = 0;                   // bits of those that have come
  std::uint8_t said_ = 0;                   // of all, in the last exchange
  std::vector<std::vector<Parcel>> given_;  // by rank that gives, by rank that takes
  std::vector<std::vector<Parcel>> taken_;
  std::vector<std::deque<Ranks::Letter>> letters_;
};

// The first exception of any of them is thrown on; a rank that throws leaves the others waiting, so that is for tests that fail.
inline void on_ranks(int size, const std::function<void(Ranks&)>& work) {
  ThreadRanks ranks(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      try {
        work(ranks.rank(r));
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace plenum
