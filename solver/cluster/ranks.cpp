// SPDX-License-Identifier: Apache-2.0
#include "solver/cluster/ranks.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

class OneRank final : public Ranks {
 public:
  OneRank() : Ranks(0, 1, 1, machine_memory()) {}

  std::unique_ptr<Exchange> begin_saying(std::uint8_t bits, std::vector<Parcel> to) override {
    return std::make_unique<Kept>(bits, std::move(to));
  }
  std::vector<Parcel> gather(std::span<const std::uint8_t> own) override { return {Parcel(own)}; }
  Parcel broadcast(int /*from*/, Parcel bytes) override { return bytes; }
  void meet() override {}
  void send(int /*to*/, Parcel bytes) override { letters_.push_back(std::move(bytes)); }
  std::optional<Letter> receive() override {
    if (letters_.empty()) return std::nullopt;
    Letter out{0, std::move(letters_.front())};
    letters_.erase(letters_.begin());
    return out;
  }
  void end_run(int exit_code, const std::string& why) override {
    std::cerr << why << "\n";
    std::exit(exit_code);
  }

 private:
  class Kept final : public Exchange {
   public:
    Kept(std::uint8_t bits, std::vector<Parcel> to) : to_(std::move(to)) { heard_ = bits; }
    std::vector<Parcel> finish() override { return std::move(to_); }

   private:
    std::vector<Parcel> to_;
  };
  std::vector<Parcel> letters_;
};

}  // namespace

Ranks& Ranks::alone() {
  static OneRank one;
  return one;
}

std::vector<std::uint64_t> Ranks::gather(std::uint64_t own) {
  std::vector<std::uint64_t> out;
  Parcel bytes;
  put(bytes, own);
  for (const Parcel& from : gather(std::span<const std::uint8_t>(bytes)))
    out.push_back(ParcelReader(from).get<std::uint64_t>());
  return out;
}

std::uint64_t Ranks::sum(std::uint64_t own) {
  std::uint64_t out = 0;
  for (const std::uint64_t one : gather(own)) out += one;
  return out;
}

std::vector<std::uint64_t> Ranks::sums(std::span<const std::uint64_t> own) {
  std::vector<std::uint64_t> out(own.size());
  Parcel bytes;
  put(bytes, own);
  for (const Parcel& from : gather(std::span<const std::uint8_t>(bytes))) {
    ParcelReader reader(from);
    for (std::uint64_t& sum : out) sum += reader.get<std::uint64_t>();
  }
  return out;
}

namespace {

void put_text(Parcel& to, std::string_view text) {
  put(to, static_cast<std::uint64_t>(text.size()));
  put(to, std::span<const char>(text));
}

std::string text_in(ParcelReader& from) {
  const auto size = from.get<std::uint64_t>();
  const std::vector<char> text = from.get_all<char>(size);
  return {text.begin(), text.end()};
}

}  // namespace

absl::Status Ranks::agree(const absl::Status& own) {
  if (!any(!own.ok())) return absl::OkStatus();
  Parcel bytes;
  put(bytes, static_cast<int>(own.code()));
  put_text(bytes, {own.message().data(), own.message().size()});
  own.ForEachPayload([&](absl::string_view type, const absl::Cord& payload) {
    put_text(bytes, {type.data(), type.size()});
    put_text(bytes, std::string(payload));
  });
  for (const Parcel& from : gather(std::span<const std::uint8_t>(bytes))) {
    ParcelReader reader(from);
    const auto code = static_cast<absl::StatusCode>(reader.get<int>());
    if (code == absl::StatusCode::kOk) continue;
    absl::Status out(code, text_in(reader));
    while (!reader.empty()) {
      const std::string type = text_in(reader);
      out.SetPayload(type, absl::Cord(text_in(reader)));
    }
    return out;
  }
  return absl::OkStatus();
}

std::string Ranks::text_of_root(const std::string& own) {
  Parcel bytes;
  put(bytes, std::span<const char>(own));
  const Parcel roots = broadcast(0, std::move(bytes));
  return {roots.begin(), roots.end()};
}

absl::Status Ranks::agree_on(const absl::Status& own, const std::string& what) {
  RETURN_IF_ERROR(agree(own));
  const std::vector<std::uint64_t> other = gather(text_of_root(what) == what ? 0 : 1);
  for (std::size_t r = 0; r < other.size(); ++r) {
    if (other[r] != 0)
      return absl::FailedPreconditionError(
          absl::StrCat("rank ", r, " reads another game than rank 0", "\n  see that all machines have the same files"));
  }
  return absl::OkStatus();
}

}  // namespace plenum
