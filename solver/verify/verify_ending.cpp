// SPDX-License-Identifier: Apache-2.0
#include "solver/verify/verify_ending.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include <absl/strings/str_cat.h>

#include "solver/support/object_pool.h"
#include "solver/verify/verify_tools.h"
#include "variants/pieces/piece_board.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// What a position is worth to its mover through a successor, and what it claims there.
struct EndingReply {
  MarginRank value = 0;  // to the player who moved there
  std::uint32_t plies = 0;
  Facts facts = 0;  // as the player to move there has them
};

// What can be brought about in a position, as far as that is proven of the replies to it.
struct ProvenFacts {
  Facts some = 0;  // by one reply
  Facts every = kOtherEnds | kOtherForcesEnd;
  // Of a reply, whose mover is the other player. `keeps`: before and after it the value is 0.
  void take(Facts reply, bool keeps) {
    if ((reply & kOtherEnds) != 0) some |= kMoverEnds;
    if ((reply & kOtherForcesEnd) != 0) some |= kMoverForcesEnd;
    if (keeps) some |= reply & kEndReachable;
    if ((reply & kMoverEnds) == 0) every &= static_cast<Facts>(~kOtherEnds);
    if ((reply & kMoverForcesEnd) == 0) every &= static_cast<Facts>(~kOtherForcesEnd);
  }
  Facts facts() const { return some | every; }
};

class EndingVerifier {
 public:
  EndingVerifier(const EndingTables& tables, const VerifyProgressFn& progress)
      : tables_(tables),
        rules_(tables.variant().rules()),
        set_(*rules_.pieces()),
        index_(tables.index()),
        progress_(progress),
        claims_(index_.size(), 0),
        parts_((index_.size() + kVerifiedPiece - 1) / kVerifiedPiece) {}

  absl::StatusOr<Verification> run() {
    RETURN_IF_ERROR(sweep("values", [this](Local& l, std::uint64_t at) { return check_value(l, at); }));
    do {
      changed_ = false;
      RETURN_IF_ERROR(sweep("claims", [this](Local& l, std::uint64_t at) { return grow_claims(l, at); }));
    } while (changed_);
    RETURN_IF_ERROR(sweep("claims", [this](Local& l, std::uint64_t at) { return check_claims(l, at); }));
    Verification out;
    out.boards = index_.size();
    out.positions = positions_;
    out.expanded = expanded_;
    for (const Mismatches& part : parts_) out.add(part);
    return out;
  }

 private:
  struct Local {
    explicit Local(const Rules& rules) : batch(rules.batch()), scratch(rules) {}
    PositionBatch batch;
    Rules::Scratch scratch;
    Position position;
    std::vector<EndingReply> replies;
    Mismatches* part = nullptr;
  };

  template <typename Look>
  absl::Status sweep(const char* what, const Look& look) {
    const auto go_on = [&](std::uint64_t at) {
      return !progress_ || progress_({what, at, index_.size(), tables_.material().count()});
    };
    return for_pieces(0, index_.size(), go_on, [&](std::uint64_t from, std::uint64_t to) -> absl::Status {
      const auto local = locals_.borrow();
      local->part = &parts_[from / kVerifiedPiece];
      for (std::uint64_t at = from; at < to; ++at) RETURN_IF_ERROR(look(*local, at));
      return absl::OkStatus();
    });
  }

  void wrong(Local& l, VerifyKind kind, const std::string& found, const std::string& expected) {
    l.part->note({kind, rules_.write(l.position), found, expected});
  }

  // Whether a position stands there that this place is for.
  bool is_legal(Local& l, std::uint64_t at) const {
    const EndingIndex::Place place = index_.place_at(at);
    if (!index_.position(place, l.position)) return false;
    if (!set_.lawful(l.position)) return false;
    return !PieceBoard(set_, l.position).other_in_check() && index_.place(l.position, false) == place;
  }

  // Its moves. Claims of this material are those derived so far, if that is asked.
  absl::Status reply(Local& l, bool derived) {
    l.batch.clear();
    l.batch.push(l.position);
    RETURN_IF_ERROR(rules_.expand(l.batch, l.scratch));
    ++expanded_;
    l.replies.clear();
    for (std::size_t i = 0; i < l.scratch.successors.size; ++i) {
      const Position next = l.scratch.successors.at(i);
      const std::optional<std::uint64_t> number = tables_.number(next);
      ASSIGN_OR_RETURN(const KnownEnding known, number ? tables_.at(*number) : tables_.known(next));
      Facts facts = known.facts();
      if (derived && number) facts = std::atomic_ref<std::uint8_t>(claims_[*number]).load(std::memory_order_relaxed);
      l.replies.push_back({-known.value(), known.plies, known.has_value() ? facts : Facts{0}});
    }
    return absl::OkStatus();
  }

  static std::string words(std::int64_t value, std::uint32_t plies) {
    return value == 0 ? "level" : absl::StrCat(value > 0 ? "won in " : "lost in ", plies);
  }

  absl::Status check_value(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    const bool legal = is_legal(l, at);
    if (legal != here.has_value()) {
      wrong(l, VerifyKind::value, here.has_value() ? "a value" : "no value", legal ? "a value" : "no value");
      return absl::OkStatus();
    }
    if (!legal) {  // and nothing else may stand there
      if (here != KnownEnding())
        wrong(l, VerifyKind::value, absl::StrCat("the bytes ", here.code, " and ", here.plies), "no value");
      return absl::OkStatus();
    }
    ++positions_;
    RETURN_IF_ERROR(reply(l, false));
    BestReply best;
    for (const EndingReply& r : l.replies) best.take(r.value, r.plies);
    const std::int64_t value = best.any ? best.value : rules_.stuck(l.position)->margin.units;
    const std::uint32_t plies = best.any ? best.plies() : 0;
    if (here.value() != value) {
      wrong(l, VerifyKind::value, words(here.value(), here.plies), words(value, plies));
    } else if (here.plies != plies) {
      wrong(l, VerifyKind::remoteness, words(value, here.plies), words(value, plies));
    }
    return absl::OkStatus();
  }

  // What can be brought about from here, as far as the replies are known.
  Facts derive(const Local& l, MarginRank value) const {
    if (l.replies.empty()) return facts_of_end(value);
    ProvenFacts out;
    if (value > 0) out.some |= kMoverEnds | kMoverForcesEnd;
    if (value < 0) out.some |= kOtherEnds | kOtherForcesEnd;
    for (const EndingReply& r : l.replies) out.take(r.facts, value == 0 && r.value == 0);
    return out.facts();
  }

  absl::Status grow_claims(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    if (!here.has_value() || claims_[at] == here.facts()) return absl::OkStatus();
    if (!index_.position(index_.place_at(at), l.position)) return absl::OkStatus();
    RETURN_IF_ERROR(reply(l, true));
    const std::atomic_ref<std::uint8_t> claim(claims_[at]);
    const Facts before = claim.load(std::memory_order_relaxed);
    const auto now = static_cast<Facts>(before | derive(l, here.value()));
    if (now == before) return absl::OkStatus();
    claim.store(now, std::memory_order_relaxed);
    changed_ = true;
    return absl::OkStatus();
  }

  absl::Status check_claims(Local& l, std::uint64_t at) {
    const KnownEnding here = tables_.at(at);
    if (!here.has_value() || !index_.position(index_.place_at(at), l.position)) return absl::OkStatus();
    RETURN_IF_ERROR(reply(l, true));
    const Facts derived = derive(l, here.value());
    if (claims_[at] != here.facts() || derived != here.facts())
      wrong(l, VerifyKind::proven, absl::StrCat("facts ", here.facts()), absl::StrCat("facts ", derived));
    return absl::OkStatus();
  }

  const EndingTables& tables_;
  const Rules& rules_;
  const PieceSet& set_;
  const EndingIndex& index_;
  const VerifyProgressFn& progress_;
  std::vector<std::uint8_t> claims_;
  std::vector<Mismatches> parts_;
  ObjectPool<Local> locals_{[this] { return std::make_unique<Local>(rules_); }};
  std::atomic<std::uint64_t> positions_ = 0;
  std::atomic<std::uint64_t> expanded_ = 0;
  std::atomic<bool> changed_ = false;
};

}  // namespace

absl::StatusOr<Verification> verify_ending(const EndingTables& tables, const VerifyProgressFn& progress) {
  return EndingVerifier(tables, progress).run();
}

}  // namespace plenum
