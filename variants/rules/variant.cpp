// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/variant.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "variants/text/status_macros.h"

namespace plenum {

namespace {

// The description with its board's name as the board spells it.
Description with_board(const Description& description, const Board& board) {
  Description out = description;
  for (Option& option : out.options) {
    if (option.name != "board") continue;
    option.value = board.name();
    const absl::StatusOr<Board> initial = Board::parse(Span::whole("board", to_text(option.initial)));
    if (initial.ok()) option.initial = initial->name();  // however it was spelt
  }
  return out;
}

// Different moves that are written alike have the names of their rules behind them: a1-b1:approach and a1-b1:withdraw.
void tell_apart(const Rules& rules, std::vector<Successor>& moves) {
  std::map<std::string, std::vector<Successor*>> by_text;
  for (Successor& s : moves) by_text[s.text].push_back(&s);
  for (const auto& [text, alike] : by_text) {
    const Position& first = alike[0]->position;
    const bool differ =
        std::any_of(alike.begin(), alike.end(), [&first](const Successor* s) { return s->position != first; });
    if (!differ) continue;
    for (Successor* s : alike) absl::StrAppend(&s->text, ":", rules.rule_names(s->move));
  }
}

// Whether `text` names the parts of a move in another order, or leaves out the names of the rules behind it.
bool stands_for(const std::string& text, const std::string& written, const std::string& rule_names) {
  if (absl::StrCat(text, ":", rule_names) == written) return true;
  if (text.size() != written.size()) return false;
  std::vector<std::string> one = absl::StrSplit(text, ',');
  std::vector<std::string> two = absl::StrSplit(written, ',');
  std::sort(one.begin(), one.end());
  std::sort(two.begin(), two.end());
  return one == two;
}

}  // namespace

struct Variant::LaterTiers {
  std::shared_ptr<const SymmetryGroup> symmetries;
  std::once_flag asked;
  std::shared_ptr<const Tiers> found;
};

const Tiers& Variant::tiers() const {
  std::call_once(tiers_->asked, [&] { tiers_->found = rules_->tiers(*tiers_->symmetries); });
  return *tiers_->found;
}

absl::StatusOr<Variant> Variant::make(const Description& description, const std::optional<Span>& goal) {
  ASSIGN_OR_RETURN(const Board board, description.board());
  Variant out;
  ASSIGN_OR_RETURN(out.rules_, Rules::compile(description, board, {}, goal));
  out.description_ = std::make_shared<Description>(with_board(description, board));
  out.symmetries_ = std::make_shared<const SymmetryGroup>(SymmetryGroup::find(*out.rules_));
  out.tiers_ = std::make_shared<LaterTiers>();
  out.tiers_->symmetries = out.symmetries_;
  out.identity_ = identify(*out.description_, board);
  return out;
}

Variant Variant::without_symmetries() const {
  Variant out = *this;
  out.symmetries_ = std::make_shared<const SymmetryGroup>(SymmetryGroup::trivial(*rules_));
  return out;
}

std::string Variant::margin_text(Margin m) const {
  const std::int64_t common = std::gcd(m.units, rules_->denominator());
  const std::int64_t top = m.units / std::max<std::int64_t>(1, common);
  const std::int64_t bottom = rules_->denominator() / std::max<std::int64_t>(1, common);
  if (bottom == 1) return absl::StrCat(top);
  if (bottom == 2) return absl::StrCat(top < 0 ? "-" : "", std::abs(top) / 2, ".5");
  return absl::StrCat(top, "/", bottom);
}

absl::StatusOr<std::vector<Successor>> successors(const Rules& rules, const Position& position) {
  PositionBatch batch = rules.batch();
  batch.push(position);
  Rules::Scratch scratch(rules);
  RETURN_IF_ERROR(rules.expand(batch, scratch));
  std::vector<Successor> out;
  for (std::size_t i = 0; i < scratch.successors.size; ++i) {
    const Move move = scratch.move_of(i);
    out.push_back({move, rules.write(position, move), scratch.successors.at(i), scratch.ended[i] != 0,
                   MoverValue{{scratch.ended[i] != 0 ? scratch.margin[i] : 0}}});
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](const Successor& a, const Successor& b) { return board_order(a.move) < board_order(b.move); });
  tell_apart(rules, out);
  return out;
}

absl::StatusOr<EndState> end_state(const Rules& rules, const Position& position) {
  PositionBatch batch = rules.batch();
  batch.push(position);
  Rules::Scratch scratch(rules);
  std::vector<std::uint8_t> ended;
  std::vector<std::int64_t> margin;
  rules.judge(batch, scratch, ended, margin);
  if (ended[0] != 0) return EndState{true, MoverValue{{margin[0]}}};
  RETURN_IF_ERROR(rules.expand(batch, scratch));
  if (scratch.successors.size > 0) return EndState{};
  ASSIGN_OR_RETURN(const MoverValue stuck, rules.stuck(position));
  return EndState{true, stuck};
}

absl::StatusOr<Successor> find_move(const Rules& rules, const Position& position, const Span& text) {
  ASSIGN_OR_RETURN(std::vector<Successor> all, successors(rules, position));
  std::vector<std::string> known;
  std::vector<Successor*> meant;
  std::vector<Successor*> exact;
  for (Successor& s : all) {
    if (s.text == text.text()) exact.push_back(&s);
    const std::vector<std::string> spellings = rules.spellings(s.move);
    if (std::find(spellings.begin(), spellings.end(), text.text()) != spellings.end() ||
        stands_for(std::string(text.text()), s.text, rules.rule_names(s.move)))
      meant.push_back(&s);
    if (known.empty() || known.back() != s.text) known.push_back(s.text);
  }
  for (const Successor* s : exact) {
    if (s->position == exact[0]->position) continue;
    return error_at(text, absl::StrCat("two different moves are written '", s->text, "'"),
                    absl::StrCat("they lead to ", rules.write(exact[0]->position), " and to ", rules.write(s->position),
                                 ": go on from the one that is meant"));
  }
  if (!exact.empty()) return std::move(*exact[0]);
  const bool one_result =
      std::all_of(meant.begin(), meant.end(), [&](const Successor* s) { return s->position == meant[0]->position; });
  if (!meant.empty() && one_result) return std::move(*meant[0]);
  if (!meant.empty()) {
    std::vector<std::string> texts;
    texts.reserve(meant.size());
    for (const Successor* s : meant) texts.push_back(s->text);
    return error_at(text, absl::StrCat("'", std::string(text.text()), "' may be ", absl::StrJoin(texts, " or ")),
                    "write it out");
  }
  std::string advice = nearest(text.text(), known);
  if (!advice.empty()) advice = absl::StrCat("did you mean '", advice, "'? ");
  if (known.size() > 40) known.resize(40);
  absl::StrAppend(&advice, "legal moves: ", known.empty() ? "none" : absl::StrJoin(known, " "));
  return error_at(text, absl::StrCat("'", std::string(text.text()), "' is not a legal move in ", rules.write(position)),
                  advice);
}

}  // namespace plenum
