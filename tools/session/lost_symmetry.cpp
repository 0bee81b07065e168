// SPDX-License-Identifier: Apache-2.0
#include "tools/session/lost_symmetry.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <absl/strings/str_cat.h>

#include "variants/language/vocabulary.h"

namespace plenum {
namespace {

constexpr std::size_t kMostRules = 64;
constexpr std::size_t kMostWords = 32;
constexpr std::size_t kMostNodes = 50'000;  // of the rules, over all that is tried: some seconds
// What a word may be put by: all directions, all cells or none, any number, either player.
constexpr std::array<const char*, 7> kAlike = {"orth", "adjacent", "king", "none", "cells", "1", "me"};

using Slots = std::vector<ExpressionPtr*>;

struct LeftOut {
  Span span;
  std::string name;
  std::function<void(Description&)> leave_out;
  std::function<void(Description&, Slots&)> add_slots;
};

void add_slots(std::vector<Effect>& effects, Slots& out) {
  for (Effect& effect : effects) {
    for (ExpressionPtr& condition : effect.conditions) out.push_back(&condition);
    out.insert(out.end(), {&effect.from, &effect.by});
    for (Effect::Clause& clause : effect.clauses) out.insert(out.end(), {&clause.value, &clause.amount});
  }
}

void add_slots(MoveDescription& move, Slots& out) {
  out.insert(out.end(), {&move.when, &move.from, &move.to, &move.lift, &move.step, &move.slide, &move.jump, &move.over,
                         &move.distance, &move.within, &move.legal});
  add_slots(move.then, out);
}

std::vector<LeftOut> rules_of(const Description& description) {
  std::vector<LeftOut> out;
  for (std::size_t i = 0; i < description.moves.size() && description.moves.size() > 1; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    out.push_back({description.moves[i].span, absl::StrCat("the move '", description.moves[i].name, "'"),
                   [at](Description& own) { own.moves.erase(own.moves.begin() + at); },
                   [i](Description& own, Slots& slots) { add_slots(own.moves[i], slots); }});
  }
  for (std::size_t i = 0; i < description.start.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    out.push_back({description.start[i].first, "this part of the start",
                   [at](Description& own) { own.start.erase(own.start.begin() + at); },
                   [i](Description& own, Slots& slots) { slots.push_back(&own.start[i].second); }});
  }
  const std::pair<const char*, ExpressionPtr EndDescription::*> ends[] = {{"wins", &EndDescription::wins},
                                                                          {"loses", &EndDescription::loses},
                                                                          {"when", &EndDescription::when},
                                                                          {"score", &EndDescription::score},
                                                                          {"tiebreak", &EndDescription::tiebreak}};
  for (const auto& [name, rule] : ends) {
    if (description.end.*rule == nullptr) continue;
    out.push_back({(description.end.*rule)->span, absl::StrCat("'", name, "'"),
                   [rule = rule](Description& own) { own.end.*rule = nullptr; },
                   [rule = rule](Description& own, Slots& slots) { slots.push_back(&(own.end.*rule)); }});
  }
  return out;
}

class SymmetrySearch {
 public:
  SymmetrySearch(const Description& description, const Variant& variant)
      : description_(description), symmetries_(variant.symmetries().size()), nodes_(variant.rule_set().graph.size()) {
    for (const Word& word : words()) {
      if (word.on_boards) places_.insert(word.name);
    }
    for (const std::string& name : variant.board().direction_names()) places_.insert(name);
    for (const std::string& name : variant.board().region_names()) places_.insert(name);
    places_.insert({"first", "second"});
  }

  std::optional<LostSymmetry> run() {
    const std::vector<LeftOut> rules = rules_of(description_);
    if (rules.size() < 2 || rules.size() > kMostRules || rules.size() * nodes_ > kMostNodes) return std::nullopt;
    const LeftOut* culprit = nullptr;
    for (const LeftOut& rule : rules) {
      Description own = description_;
      rule.leave_out(own);
      const std::size_t without = symmetries_of(own);
      if (without <= symmetries_) continue;
      if (culprit != nullptr) return std::nullopt;
      culprit = &rule;
      most_ = without;
    }
    if (culprit == nullptr) return std::nullopt;
    if (auto word = word_in(*culprit)) return word;
    return LostSymmetry{
        culprit->span, text(culprit->name, most_),
        "if that is not meant, look for a cell, a row or a direction that is named here and has an image"};
  }

 private:
  static std::size_t symmetries_of(const Description& description) {
    const absl::StatusOr<Variant> variant = Variant::make(description);
    return variant.ok() ? variant->symmetries().size() : 0;
  }
  std::string text(const std::string& what, std::size_t symmetries) const {
    return absl::StrCat("without ", what, " the game would have ", symmetries, " symmetries, not ", symmetries_);
  }

  bool is_place(const Expression& e) const {
    const bool named = e.kind == Expression::Kind::name || e.kind == Expression::Kind::call;
    return e.kind == Expression::Kind::cells || (named && places_.count(e.word) != 0);
  }
  void add_places(const ExpressionPtr& e, std::vector<const Expression*>& out) const {
    if (e == nullptr) return;
    if (is_place(*e)) out.push_back(e.get());
    for (const ExpressionPtr& part : e->parts) add_places(part, out);
  }

  // The tree with one of its nodes put by a word; by none: left out where it is joined with another.
  static ExpressionPtr with(const ExpressionPtr& e, const Expression* node, const std::string& word) {
    if (e == nullptr) return e;
    if (word.empty() && e->kind == Expression::Kind::binary && e->word == "|") {
      if (e->parts[0].get() == node) return e->parts[1];
      if (e->parts[1].get() == node) return e->parts[0];
    }
    if (e.get() == node && (word.empty() || e->kind != Expression::Kind::call))
      return word.empty() ? e : parse_expression(Span::whole("the other word", word));
    auto out = std::make_shared<Expression>(*e);
    if (e.get() == node) out->word = word;
    for (ExpressionPtr& part : out->parts) part = with(part, node, word);
    return out;
  }

  Slots slots_of(const LeftOut& rule, Description& own) const {
    Slots out;
    rule.add_slots(own, out);
    for (auto& [name, definition] : own.definitions) {
      out.push_back(&definition.body);
      add_slots(definition.effects, out);
    }
    return out;
  }

  std::optional<LostSymmetry> word_in(const LeftOut& rule) const {
    Description own = description_;
    const Slots slots = slots_of(rule, own);
    using Place = std::pair<std::size_t, const Expression*>;  // the slot, and a node in it
    std::vector<Place> tried;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      std::vector<const Expression*> places;
      add_places(*slots[i], places);
      for (const Expression* const place : places) tried.emplace_back(i, place);
    }
    if (tried.size() > kMostWords || tried.size() * kAlike.size() * nodes_ > kMostNodes) return std::nullopt;
    for (const std::vector<const char*>& others : {std::vector<const char*>(kAlike.begin(), kAlike.end()), {""}}) {
      const Place* only = nullptr;
      std::size_t symmetries = 0;
      std::size_t found = 0;
      for (const Place& one : tried) {
        const std::size_t without = most_without(*slots[one.first], one.second, others, own);
        if (without <= symmetries_) continue;
        ++found;
        only = &one;
        symmetries = without;
      }
      if (found == 1) return lost(*only->second, symmetries);
    }
    return std::nullopt;
  }

  LostSymmetry lost(const Expression& place, std::size_t symmetries) const {
    const bool call = place.kind == Expression::Kind::call;
    const Span at = call ? place.span.part(0, place.word.size()) : place.span;
    return {at, text(absl::StrCat("'", std::string(at.text()), "'"), symmetries),
            "if that is not meant, name its images too, as in left | right for left"};
  }

  // The most with the place put by one of the others.
  static std::size_t most_without(ExpressionPtr& slot, const Expression* place, const std::vector<const char*>& others,
                                  const Description& own) {
    const ExpressionPtr as_it_was = slot;
    std::size_t most = 0;
    for (const char* const word : others) {
      slot = with(as_it_was, place, word);
      most = std::max(most, symmetries_of(own));
    }
    slot = as_it_was;
    return most;
  }

  const Description& description_;
  std::size_t symmetries_;
  std::size_t nodes_;
  std::size_t most_ = 0;  // without the culprit
  std::set<std::string, std::less<>> places_;
};

}  // namespace

std::optional<LostSymmetry> find_lost_symmetry(const Description& description, const Variant& variant) {
  return SymmetrySearch(description, variant).run();
}

}  // namespace plenum
