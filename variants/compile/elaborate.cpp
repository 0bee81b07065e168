// SPDX-License-Identifier: Apache-2.0
// State, ends, start; what is live; whether a move always exists.
#include <algorithm>
#include <bit>
#include <numeric>

#include <absl/strings/str_cat.h>

#include "variants/compile/move_compiler.h"

namespace plenum {
namespace {

constexpr int kMostPasses = 200;  // in a row

}  // namespace

void MoveCompiler::run() {
  elaborator_.check_settings();
  set_up_state();
  add_moves();
  add_goal();
  add_end();
  add_start();
  add_pie();
  find_live();
  prove_moves();
}

void MoveCompiler::set_up_state() {
  for (const StateDescription& state : description_.state) {
    StateSlot slot;
    slot.name = state.name;
    slot.written = state.written;
    slot.type = state.type;
    slot.each = state.each;
    const Scope constants = elaborator_.move_scope();
    const auto constant = [&](const ExpressionPtr& e) {
      const Linear form = elaborator_.whole_number(e, constants);
      if (!form.terms.empty()) fail_at(e->span, "this must be a constant", "it may depend on options only");
      return form.constant;
    };
    if (state.type == StateDescription::Type::number) {
      slot.range = {constant(state.range[0]), constant(state.range[1])};
      if (slot.range.least > slot.range.greatest || slot.range.greatest - slot.range.least > 250) {
        fail_at(state.range[0]->span,
                absl::StrCat("the range of '", state.name, "' is ", slot.range.least, " to ", slot.range.greatest),
                "a range rises and has at most 251 numbers");
      }
      slot.start = state.start ? constant(state.start) : slot.range.least;
      if (slot.start < slot.range.least || slot.start > slot.range.greatest)
        fail_at(state.start->span,
                absl::StrCat("'", state.name, "' cannot start at ", slot.start, ": it is out of its range"));
    } else if (state.start && state.type == StateDescription::Type::boolean) {
      slot.start = graph_.is_true(elaborator_.truth(state.start, constants)) ? 1 : 0;
    } else if (state.start) {
      const auto player = player_of(elaborator_.player(state.start, constants));
      if (!player) fail_at(state.start->span, "a player's start is first, second or nobody");
      slot.start = *player;
    }
    rules_.slots.push_back(slot);
    if (slot.each) {
      const int index = static_cast<int>(rules_.slots.size());
      rules_.slots.back().partner = index;
      slot.partner = index - 1;
      rules_.slots.push_back(slot);
    }
  }
}

// `e` for the player to move, less the same for the opponent; a truth, where it may be one, counts for 1.
Value MoveCompiler::viewed_number(const ExpressionPtr& e, bool or_truth) {
  Scope scope = elaborator_.move_scope();
  const bool is_truth = or_truth && elaborator_.value(e, scope).type == Value::Type::truth;
  const Value::Type type = is_truth ? Value::Type::truth : Value::Type::number;
  Value mine = elaborator_.value(type, e, scope);
  scope.viewpoint_is_mover = false;
  Value theirs = elaborator_.value(type, e, scope);
  if (is_truth) {
    const NodeId one = graph_.of_form({{}, 1}, false);
    const NodeId zero = graph_.of_form({}, false);
    for (Value* v : {&mine, &theirs}) v->form = graph_.as_form(graph_.select(v->node, one, zero, false));
  }
  const std::int64_t common = std::lcm(mine.denominator, theirs.denominator);
  mine.form = mine.form * (common / mine.denominator) + theirs.form * -(common / theirs.denominator);
  mine.denominator = common;
  return mine;
}

void MoveCompiler::add_end() {
  const EndDescription& end = description_.end;
  const Scope scope = elaborator_.shared_scope();
  rules_.ended = end.when ? elaborator_.truth(end.when, scope) : graph_.truth(false);
  const bool score_needed = !graph_.is_false(rules_.ended);
  rules_.margin = graph_.of_form({}, false);
  if (end.score) {
    const Value margin = viewed_number(end.score, false);
    rules_.margin = graph_.of_form(margin.form, false);
    rules_.denominator = margin.denominator;
  }
  if (end.tiebreak) rules_.tiebreak = graph_.of_form(viewed_number(end.tiebreak, true).form, false);
  if (end.value) rules_.outcome_only = elaborator_.word(end.value, {"margin", "outcome"}) == "outcome";
  if (rules_.outcome_only) rules_.denominator = 1;
  if (end.wins || end.loses) {
    add_winners(elaborator_.move_scope());
  } else if (end.both) {
    fail_at(end.both->span, "'both' says what happens where both players have won", "it goes with 'wins' or 'loses'");
  }
  if (end.stuck) {
    const std::string what = elaborator_.word(end.stuck, {"loses", "wins", "ties", "scores", "pass"});
    rules_.stuck = what == "loses"    ? Stuck::loses
                   : what == "wins"   ? Stuck::wins
                   : what == "ties"   ? Stuck::ties
                   : what == "scores" ? Stuck::scores
                                      : Stuck::pass;
    if (rules_.stuck == Stuck::scores && !end.score)
      fail_at(end.stuck->span, "'scores' needs a score", "add score = \"count(mine)\" or the like under [end]");
  }
  if (!end.score && end.when && score_needed)
    fail_at(end.when->span, "the game ends here, but nothing says who wins", "add score = \"...\" under [end]");
  if (!end.when && !end.stuck && !end.wins && !end.loses)
    fail_at(end.span, "nothing ends this game",
            "add wins = \"...\", when = \"passes == 2\" with a score, or stuck = \"loses\"");
  rules_.passes_cap = std::max(elaborator_.max_pass_constant() + 1, 2);
  Linear passes;
  add_term(passes, graph_.number_input(kPassesInput), 1);
  for (int n = 1; n <= std::min(rules_.passes_cap, kMostPasses) && !rules_.passes_end; ++n) {
    const NodeId enough = graph_.at_least(passes, n, false);
    const NodeId more = graph_.at_least(passes, n + 1, false);
    const NodeId exactly = graph_.conjunction({enough, graph_.complement(more)});
    if (graph_.disjunction({exactly, rules_.ended}) != rules_.ended &&
        graph_.disjunction({enough, rules_.ended}) != rules_.ended)
      continue;
    rules_.passes_end = true;
    rules_.passes_cap = n;
  }
  if (rules_.passes_cap > kMostPasses)
    fail_at(passes_told_apart_ < kMostPasses && goal_ ? *goal_ : end.span,
            absl::StrCat("passes are counted up to ", kMostPasses, " at most"));
}

// Who has won by `wins` and `loses`, asked for each player; where both have, `both` decides.
void MoveCompiler::add_winners(Scope scope) {
  const EndDescription& end = description_.end;
  std::array<NodeId, 2> wins;  // the mover's, the opponent's
  std::array<NodeId, 2> loses;
  for (std::size_t who = 0; who < 2; ++who) {
    scope.viewpoint_is_mover = who == 0;
    wins[who] = end.wins ? elaborator_.truth(end.wins, scope) : graph_.truth(false);
    loses[who] = end.loses ? elaborator_.truth(end.loses, scope) : graph_.truth(false);
  }
  const NodeId mine = graph_.disjunction({wins[0], loses[1]});
  const NodeId theirs = graph_.disjunction({wins[1], loses[0]});
  const std::string both = end.both ? elaborator_.word(end.both, {"mover_wins", "mover_loses", "tie"}) : "mover_wins";
  const auto number = [&](std::int64_t n) { return graph_.of_form({{}, n * rules_.denominator}, false); };
  // The one who has just moved is the opponent of the player to move.
  const NodeId at_both = number(both == "tie" ? 0 : both == "mover_wins" ? -1 : 1);
  const NodeId decided = graph_.disjunction({mine, theirs});
  const NodeId clash = graph_.conjunction({mine, theirs});
  const NodeId winner = graph_.select(clash, at_both, graph_.select(mine, number(1), number(-1), false), false);
  rules_.margin = graph_.select(decided, winner, rules_.margin, false);
  if (rules_.tiebreak >= 0) rules_.tiebreak = graph_.select(decided, number(0), rules_.tiebreak, false);
  rules_.ended = graph_.disjunction({decided, rules_.ended});
}

// 0 for nobody, 1 for first, 2 for second; nothing where that depends on more than options.
std::optional<std::int64_t> MoveCompiler::player_of(NodeId who) const {
  if (who == graph_.player_constant(0)) return 0;
  const RuleNode& n = graph_.node(who);
  if (n.op != NodeOp::select_player || n.args[0] != graph_.mover_is_first()) return std::nullopt;
  const std::array<NodeId, 2> of = {n.args[1], n.args[2]};
  for (const std::int64_t player : {1, 2}) {
    if (of[0] == graph_.player_constant(player) && of[1] == graph_.player_constant(3 - player)) return player;
  }
  return std::nullopt;
}

void MoveCompiler::add_start() {
  rules_.start.assign(rules_.kinds.size(), 0);
  CellSet taken = 0;
  for (const auto& [name, e] : description_.start) {
    const std::string_view wanted = name.text();
    if (wanted == "begins") {
      const auto player = player_of(elaborator_.player(e, elaborator_.shared_scope()));
      if (!player || *player == 0)
        fail_at(e->span, "first or second begins, and who may depend on options only", "begins = \"second\"");
      rules_.begins = *player == 1 ? Player::first : Player::second;
      continue;
    }
    std::vector<std::string> names;
    for (const KindDescription& k : rules_.kinds) names.push_back(k.name);
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      fail_at(name, absl::StrCat("there is no kind '", std::string(wanted), "'"), suggestion(wanted, names, "kinds"));
    const NodeId set = elaborator_.cells(e, elaborator_.move_scope());
    if (graph_.node(set).op != NodeOp::constant)
      fail_at(e->span, "the start is a fixed set of cells", "it may depend on the board and options only");
    const CellSet cells = graph_.node(set).value;
    if ((cells & taken) != 0) {
      fail_at(e->span,
              absl::StrCat("two kinds start on the same cell, ",
                           rules_.board.cell_name(static_cast<Cell>(std::countr_zero(cells & taken)))),
              absl::StrCat("the board is ", rules_.board.name()));
    }
    taken |= cells;
    rules_.start[static_cast<std::size_t>(found - names.begin())] = cells;
  }
}

void MoveCompiler::add_pie() {
  if (!description_.pie) return;
  rules_.pie = true;
  rules_.pie_moves = description_.pie->moves;
  if (!description_.pie->when) return;
  const NodeId when = elaborator_.truth(description_.pie->when, elaborator_.shared_scope());
  if (graph_.node(when).op != NodeOp::constant)
    fail_at(description_.pie->when->span, "the pie may depend on options only");
  rules_.pie = graph_.is_true(when);
}

// Seen by the player to move, as the conditions of moves are.
void MoveCompiler::add_goal() {
  if (!goal_) return;
  passes_told_apart_ = elaborator_.max_pass_constant();
  rules_.goal = elaborator_.truth(parse_expression(*goal_), elaborator_.move_scope());
}

// Passes are counted only as far as comparisons with numbers need (passes_cap).
void MoveCompiler::check_passes(const std::vector<NodeId>& roots, const Span& where) const {
  const NodeId passes = graph_.number_input(kPassesInput);
  bool counted = std::find(roots.begin(), roots.end(), passes) != roots.end();
  for (const NodeId id : graph_.reachable(roots)) {
    const RuleNode& n = graph_.node(id);
    counted |= n.op != NodeOp::at_least && std::find(n.args.begin(), n.args.end(), passes) != n.args.end();
  }
  if (counted) {
    fail_at(where, "'passes' is used as a number in these rules; it can only be compared with one",
            "as in passes == 2; to count passes, keep a number under [state]");
  }
}

// State and passes count only where something reads them that matters: moves, ends, boards, live state, the goal.
void MoveCompiler::find_live() {
  std::vector<NodeId> roots = {rules_.ended, rules_.margin};
  if (rules_.tiebreak >= 0) roots.push_back(rules_.tiebreak);
  std::vector<MoveRule*> all;
  for (MoveRule& move : rules_.moves) all.push_back(&move);
  for (MoveRule& part : rules_.parts) all.push_back(&part);
  for (const MoveRule* move : all) {
    for (const NodeId id : {move->when, move->from, move->to, move->lift, move->invalid, move->legal}) {
      if (id >= 0) roots.push_back(id);
    }
    roots.insert(roots.end(), move->reach.begin(), move->reach.end());
    roots.insert(roots.end(), move->planes_after.begin(), move->planes_after.end());
  }
  if (rules_.goal >= 0) roots.push_back(rules_.goal);
  for (bool grown = true; grown;) {
    grown = false;
    const auto mark = [&](std::size_t s) {
      StateSlot& slot = rules_.slots[s];
      if (slot.live) return;
      slot.live = true;
      if (slot.partner >= 0) rules_.slots[static_cast<std::size_t>(slot.partner)].live = true;
      grown = true;
    };
    for (const NodeId id : graph_.reachable(roots)) {
      const RuleNode& n = graph_.node(id);
      if (n.op == NodeOp::number_input && n.value == kPassesInput) rules_.passes_live = true;
      if (const auto slot = slot_read(n)) mark(*slot);
    }
    for (const MoveRule* move : all) {
      for (std::size_t s = 0; s < rules_.slots.size(); ++s) {
        if (rules_.slots[s].live) roots.push_back(move->state_after[s]);
      }
    }
  }
  if (goal_) check_passes({rules_.goal}, *goal_);
  check_passes(roots, description_.end.span);
  const Scope plain = elaborator_.move_scope();
  for (MoveRule* move : all) {
    bool effect = !graph_.is_false(move->invalid) || !graph_.is_true(move->legal);
    for (int p = 0; p < rules_.layout.count(); ++p)
      effect |= move->planes_after[static_cast<std::size_t>(p)] != graph_.cell_input(kPlanes + p);
    for (std::size_t s = 0; s < rules_.slots.size(); ++s)
      effect |= rules_.slots[s].live && move->state_after[s] != plain.state[s];
    move->has_effect = effect;
  }
}

void MoveCompiler::prove_moves() {
  std::vector<NodeId> ways = {rules_.ended};
  for (const MoveRule& move : rules_.moves) {
    // A part that must be made may take a move away.
    const bool required =
        std::any_of(rules_.parts.begin(), rules_.parts.end(), [](const MoveRule& part) { return part.required; });
    if (!graph_.is_true(move.legal) || move.shaped || (required && !move.next.empty())) continue;
    if (!move.on_cells()) ways.push_back(move.when);
    if (move.kind == MoveRule::Kind::place) ways.push_back(graph_.any(move.to));
    if (move.kind == MoveRule::Kind::remove) ways.push_back(graph_.any(move.from));
  }
  rules_.always_a_move = graph_.is_true(graph_.disjunction(ways));
}

std::vector<Interval> RuleSet::number_bounds() const {
  std::vector<Interval> out = {{0, 255}};
  for (const StateSlot& slot : slots) out.push_back(slot.range);
  return out;
}

absl::StatusOr<RuleSet> elaborate(const Description& description, const Board& board, const ChangeOrder& order,
                                  const std::optional<Span>& goal) {
  return guard([&] {
    RuleSet rules(board);
    rules.kinds = description.kinds;
    int owned[2] = {0, 0};
    for (const KindDescription& kind : rules.kinds) {
      if (kind.owner) ++owned[static_cast<int>(*kind.owner)];
    }
    rules.layout.own = std::max({owned[0], owned[1], 1});
    owned[0] = owned[1] = 0;
    // What each player has comes first, so that it is on the same plane for both.
    rules.kind_plane.assign(rules.kinds.size(), 0);
    for (const bool each : {true, false}) {
      for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
        const KindDescription& kind = rules.kinds[k];
        if (kind.each.empty() == each) continue;
        rules.kind_plane[k] =
            kind.owner ? owned[static_cast<int>(*kind.owner)]++ : 2 * rules.layout.own + rules.layout.neutral++;
      }
    }
    MoveCompiler(description, rules, order, goal).run();
    return rules;
  });
}

}  // namespace plenum
