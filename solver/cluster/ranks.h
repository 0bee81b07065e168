// SPDX-License-Identifier: Apache-2.0
// Processes that work on one command together: the ranks of an MPI program, or one process by itself.
//
// All ranks run the same program on the same command line and come to the same decisions. What they exchange, they exchange
// together: every rank makes the same calls in the same order (collective calls), or all of them wait for ever. So a rank never
// returns early for a reason of its own: it tells the others first (agree()).
//
//     const Share own = share_of(blocks, ranks);                // this rank works on blocks [own.begin, own.end)
//     std::vector<Parcel> to(ranks.size());                     // put(to[r], ...)
//     std::vector<Parcel> from = ranks.exchange(std::move(to)); // what rank r put for this one is from[r]
//
// Thread-safety: all calls from the main thread (MPI_THREAD_FUNNELED); threads inside a rank are oneTBB's.
// Cost: an exchange holds what it sends and what it receives; it takes one round of sizes and one of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <absl/status/status.h>

namespace plenum {

// What the program ends with where a rank has no memory, or no answer of another: the code for a limit of the machine.
inline constexpr int kExitNoMeans = 3;

// Bytes on their way to another rank, as they lie in memory: all machines of a run are of one kind. New bytes are not set to anything, so
// that pages that are not written to take no memory.
class Parcel {
 public:
  Parcel() = default;
  explicit Parcel(std::size_t bytes) { resize(bytes); }
  explicit Parcel(std::span<const std::uint8_t> bytes) : Parcel(bytes.size()) {
    if (!bytes.empty()) std::memcpy(data(), bytes.data(), bytes.size());
  }
  Parcel(const Parcel& other) : Parcel(std::span(other.data(), other.size())) {}
  Parcel(Parcel&& other) noexcept { swap(other); }
  Parcel& operator=(Parcel other) noexcept {
    swap(other);
    return *this;
  }
  ~Parcel() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::uint8_t* begin() { return data(); }
  std::uint8_t* end() { return data() + size_; }
  const std::uint8_t* begin() const { return data(); }
  const std::uint8_t* end() const { return data() + size_; }
  friend bool operator==(const Parcel& a, const Parcel& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  void reserve(std::size_t bytes) {
    if (bytes <= capacity_) return;
    std::unique_ptr<std::uint8_t[]> larger(new std::uint8_t[bytes]);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = bytes;
  }
  void resize(std::size_t bytes) {
    if (bytes > capacity_) reserve(std::max(bytes, 2 * capacity_));
    size_ = bytes;
  }
  void swap(Parcel& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

template <typename T>
requires(std::is_trivially_copyable_v<T>) void put(Parcel& to, std::span<const T> values) {
  const std::size_t before = to.size();
  to.resize(before + values.size_bytes());
  if (!values.empty()) std::memcpy(to.data() + before, values.data(), values.size_bytes());
}
template <typename T>
requires(std::is_trivially_copyable_v<T>) void put(Parcel& to, const T& value) {
  put(to, std::span<const T>(&value, 1));
}

// Takes out what was put in, in that order. Requires that so much is left.
class ParcelReader {
 public:
  explicit ParcelReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}
  bool empty() const { return left_.empty(); }
  std::size_t left() const { return left_.size(); }
  std::span<const std::uint8_t> bytes(std::size_t n) {
    const auto out = left_.first(n);
    left_ = left_.subspan(n);
    return out;
  }
  template <typename T>
  requires(std::is_trivially_copyable_v<T>) T get() {
    T out;
    std::memcpy(&out, bytes(sizeof(T)).data(), sizeof(T));
    return out;
  }
  template <typename T>
  requires(std::is_trivially_copyable_v<T>) std::vector<T> get_all(std::size_t n) {
    std::vector<T> out(n);
    const auto from = bytes(n * sizeof(T));
    if (n != 0) std::memcpy(out.data(), from.data(), from.size());
    return out;
  }

 private:
  std::span<const std::uint8_t> left_;
};

class Ranks {
 public:
  // The process by itself.
  static Ranks& alone();

  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // It alone reads stdin, prints, and has the whole result.
  bool root() const { return rank_ == 0; }
  bool several() const { return size_ > 1; }
  // Ranks on this machine, this one among them: they share its memory and its cores.
  int on_this_machine() const { return on_this_machine_; }
  // What each has of its machine's memory, in bytes: the least of all ranks.
  std::uint64_t memory_share() const { return memory_share_; }

  // Collective. to[r] goes to rank r; of what comes, [r] is from rank r.
  std::vector<Parcel> exchange(std::vector<Parcel> to) { return begin_exchange(std::move(to))->finish(); }
  // The same in two steps, so that work can go on while bytes are on their way. All ranks begin them in one order, and finish them in one.
  class Exchange {
   public:
    virtual ~Exchange() = default;
    virtual std::vector<Parcel> finish() = 0;
    // Afterwards: bits that any rank said.
    std::uint8_t heard() const { return heard_; }

   protected:
    std::uint8_t heard_ = 0;
  };
  std::unique_ptr<Exchange> begin_exchange(std::vector<Parcel> to) { return begin_saying(0, std::move(to)); }
  // With some bits that all ranks hear, without an exchange of their own.
  virtual std::unique_ptr<Exchange> begin_saying(std::uint8_t bits, std::vector<Parcel> to) = 0;

  // Collective. What every rank gives, to every rank.
  virtual std::vector<Parcel> gather(std::span<const std::uint8_t> own) = 0;
  // What `from` has, to every rank.
  virtual Parcel broadcast(int from, Parcel bytes) = 0;
  std::string text_of_root(const std::string& own);
  // What every rank gives, of one number; [r] is rank r's.
  std::vector<std::uint64_t> gather(std::uint64_t own);
  std::uint64_t sum(std::uint64_t own);
  // By place, of as many numbers from every rank.
  std::vector<std::uint64_t> sums(std::span<const std::uint64_t> own);
  bool any(bool own) { return sum(own ? 1 : 0) != 0; }
  // The error of the lowest rank that has one, on every rank; otherwise OK.
  absl::Status agree(const absl::Status& own);
  // The same; and kFailedPrecondition on every rank if what they are to do is not the same, byte for byte.
  absl::Status agree_on(const absl::Status& own, const std::string& what);

  // Collective; waits asleep, however long another rank takes.
  virtual void meet() = 0;

  // Not collective: a parcel to one rank, which receives it when it looks.
  struct Letter {
    int from = 0;
    Parcel bytes;
  };
  virtual void send(int to, Parcel bytes) = 0;
  virtual std::optional<Letter> receive() = 0;  // nothing if none has come

  // A rank is gone: from now on no collective call, and the run ends without one.
  void lose() { complete_ = false; }
  bool complete() const { return complete_; }
  // Numbers what ranks do by letters: the same on all that come to it.
  std::uint64_t next_farm() { return ++farms_; }

  // Ends the whole run for a reason that this rank alone has, after saying it on stderr.
  [[noreturn]] virtual void end_run(int exit_code, const std::string& why) = 0;

 protected:
  Ranks(int rank, int size, int on_this_machine, std::uint64_t memory_share)
      : rank_(rank), size_(size), on_this_machine_(on_this_machine), memory_share_(memory_share) {}

 private:
  int rank_;
  int size_;
  int on_this_machine_;
  std::uint64_t memory_share_;
  bool complete_ = true;
  std::uint64_t farms_ = 0;
};

// Things [begin, end) of those dealt out.
struct Share {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};
// In equal parts, in the order of ranks.
constexpr Share share_of(std::uint64_t things, int rank, int size) {
  const auto r = static_cast<std::uint64_t>(rank);
  const auto n = static_cast<std::uint64_t>(size);
  // Without overflow: things / n of each rank, and one more of the first things % n.
  const std::uint64_t each = things / n;
  const std::uint64_t more = things % n;
  const auto begin = [&](std::uint64_t k) { return each * k + (k < more ? k : more); };
  return {begin(r), begin(r + 1)};
}
inline Share share_of(std::uint64_t things, const Ranks& ranks) { return share_of(things, ranks.rank(), ranks.size()); }

}  // namespace plenum
