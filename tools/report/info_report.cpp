// SPDX-License-Identifier: Apache-2.0
#include "tools/report/info_report.h"

#include <optional>
#include <ostream>
#include <sstream>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>

#include "solver/graph/prediction.h"
#include "solver/method/method.h"
#include "solver/support/memory.h"
#include "tables/index/packing.h"
#include "tools/report/page_text.h"
#include "variants/rules/cell_rules.h"

namespace plenum {
namespace {

// A method, and what it would take here.
struct MethodInfo {
  const Method* method = nullptr;
  std::optional<std::string> obstacle;
  std::optional<Estimate> whole;
  std::optional<Estimate> values;  // alone, without remoteness
  std::optional<Estimate> shared;  // by several ranks, if they are asked for
};

// What a rank sends, by processes of one machine (1.5 GB/s measured) or a network of 10 Gbit/s.
constexpr double kSentPerSecond = 1e9;
constexpr double kMpiBytes = 1e7;  // of a rank: Open MPI
// With one thread each.
double shared_seconds(const Estimate& e, int ranks) { return e.cpu_seconds / ranks + e.sent_bytes / kSentPerSecond; }

struct MethodsInfo {
  std::vector<MethodInfo> methods;
  absl::StatusOr<Choice> choice;
};

MethodsInfo methods_info(const Game& game, std::uint64_t memory, int ranks) {
  MethodsInfo out{{}, choose(game, {.memory_bytes = memory, .ranks = ranks})};
  for (const Method* method : methods()) {
    MethodInfo one{method, method->obstacle(game), {}, {}, {}};
    for (const bool remoteness : {true, false}) {
      if (one.obstacle) break;
      absl::StatusOr<std::optional<Estimate>> estimate =
          method->estimate(game, {.remoteness = remoteness, .memory_bytes = memory});
      if (estimate.ok()) {
        (remoteness ? one.whole : one.values) = *std::move(estimate);
      } else {
        one.obstacle = std::string(estimate.status().message());
      }
    }
    if (!one.obstacle && ranks > 1 && method->offers().ranks) {
      absl::StatusOr<std::optional<Estimate>> shared = method->estimate(game, {.memory_bytes = memory, .ranks = ranks});
      if (shared.ok()) one.shared = *std::move(shared);
      if (one.shared) one.shared->bytes += kMpiBytes;
    }
    out.methods.push_back(std::move(one));
  }
  return out;
}

// The method of a game that has no start, all of whose positions are meant; null of other games.
const MethodInfo* whole_method(const Variant& variant, const MethodsInfo& info) {
  if (variant.rules().has_start()) return nullptr;
  for (const MethodInfo& m : info.methods) {
    if (m.method->offers().parts) return &m;
  }
  return nullptr;
}

// What solving takes, as far as that can be known before.
Prediction prediction_of(const Variant& variant, const MethodInfo* whole) {
  Prediction out = predict(variant, variant.rules().start());
  if (whole != nullptr && whole->whole) {
    out.least_bytes = out.most_bytes = whole->whole->bytes;
    out.most_cpu_seconds = whole->whole->cpu_seconds;
  }
  return out;
}

Json estimate_json(const std::optional<Estimate>& e) {
  if (!e) return nullptr;
  return {{"positions", e->positions},     {"bytes", e->bytes},     {"table_bytes", e->table_bytes},
          {"cpu_seconds", e->cpu_seconds}, {"at_most", e->at_most}, {"at_least", e->at_least}};
}

Json shared_json(const std::optional<Estimate>& e, int ranks) {
  if (!e) return nullptr;
  return {{"ranks", ranks}, {"bytes", e->bytes}, {"sent_bytes", e->sent_bytes}, {"seconds", shared_seconds(*e, ranks)}};
}

Json methods_json(const MethodsInfo& info, int ranks) {
  return json_list(info.methods, [&](const MethodInfo& m) -> Json {
    return {{"method", m.method->name()},
            {"about", m.method->about()},
            {"obstacle", or_null(m.obstacle)},
            {"estimate", estimate_json(m.whole)},
            {"values_alone", estimate_json(m.values)},
            {"by_ranks", shared_json(m.shared, ranks)}};
  });
}

Json choice_json(const MethodsInfo& info) {
  if (!info.choice.ok()) return nullptr;
  const Choice& choice = *info.choice;
  return {{"method", method_of(choice.method).name()},
          {"reason", choice.reason},
          {"most_positions", choice.most_positions == Choice().most_positions ? Json() : Json(choice.most_positions)},
          {"otherwise", choice.otherwise ? Json(method_of(*choice.otherwise).name()) : Json()}};
}

void write_methods(const MethodsInfo& info, std::uint64_t memory, int ranks, std::ostream& out) {
  out << "\nMethods\n";
  for (const MethodInfo& m : info.methods) {
    out << "  " << pad_right(std::string(m.method->name()), 9);
    if (m.obstacle) {
      out << "no: " << *m.obstacle << "\n";
      continue;
    }
    out << m.method->about();
    if (m.whole) {
      const Estimate& e = *m.whole;
      out << absl::StrFormat(
          "\n           %s %.3g positions, %s of memory%s, %s%.2g s of processor time",
          e.at_most    ? "at most"
          : e.at_least ? "more than"
                       : "about",
          e.positions, memory_text_of(e.bytes),
          e.table_bytes > 0 ? absl::StrCat(", a table of at most ", memory_text_of(e.table_bytes)) : "",
          e.at_most    ? ""
          : e.at_least ? "more than "
                       : "about ",
          e.cpu_seconds);
      if (m.values && m.values->cpu_seconds < e.cpu_seconds)
        out << absl::StrFormat(" (%s, %.2g s with --no-remoteness)", memory_text_of(m.values->bytes),
                               m.values->cpu_seconds);
      if (e.bytes > static_cast<double>(memory))
        out << "\n           more than the " << memory_text(memory)
            << " that may be used here: solve --scratch keeps the rest on a disk";
    }
    if (m.shared) {
      out << absl::StrFormat(
          "\n           on %d ranks: %s of memory each, which send %s each; about %.2g s with one thread each", ranks,
          memory_text_of(m.shared->bytes), memory_text_of(m.shared->sent_bytes), shared_seconds(*m.shared, ranks));
    } else if (ranks > 1) {
      out << "\n           on several ranks: by one of them alone";
    }
    out << "\n";
  }
  if (!info.choice.ok()) return;
  const Choice& choice = *info.choice;
  out << "  solve takes " << method_of(choice.method).name() << ": " << choice.reason;
  if (choice.otherwise) {
    out << "; " << method_of(*choice.otherwise).name() << " if ";
    if (choice.most_positions != Choice().most_positions) {
      out << "more than " << pages::number(choice.most_positions) << " are";
    } else {
      out << "they do not fit the memory";
    }
  }
  out << "\n";
}

Json whole_json(const MethodInfo* whole) {
  if (whole == nullptr) return nullptr;
  if (whole->obstacle) return {{"problem", *whole->obstacle}};
  const Estimate& e = *whole->whole;
  const auto part_json = [](const Estimate::Part& part) -> Json {
    return {{"material", part.name}, {"positions", part.positions}, {"bytes", part.bytes}};
  };
  return {{"materials", json_list(e.parts, part_json)},
          {"positions", static_cast<std::uint64_t>(e.positions)},
          {"table_bytes", static_cast<std::uint64_t>(e.table_bytes)},
          {"bytes", static_cast<std::uint64_t>(e.bytes)},
          {"cpu_seconds", e.cpu_seconds}};
}

void write_whole(const Estimate& whole, std::uint64_t memory, std::ostream& out) {
  std::size_t name = 5;  // "total"
  for (const Estimate::Part& part : whole.parts) name = std::max(name, part.name.size());
  const std::size_t width = pages::number(static_cast<std::uint64_t>(whole.positions)).size();
  out << "An ending, solved whole: " << pages::count(whole.parts.size(), "material")
      << ", those that it leads to included\n";
  const auto line = [&](const std::string& what, double positions, double bytes) {
    out << "  " << pad_right(what, name) << "  "
        << pad_left(pages::number(static_cast<std::uint64_t>(positions)), width) << " positions numbered, "
        << memory_text_of(bytes) << "\n";
  };
  for (const Estimate::Part& part : whole.parts)
    line(part.name, static_cast<double>(part.positions), static_cast<double>(part.bytes));
  if (whole.parts.size() > 1) line("total", whole.positions, whole.table_bytes);
  out << "Memory: up to " << memory_text_of(whole.bytes) << " while it is solved"
      << (whole.bytes > static_cast<double>(memory)
              ? absl::StrCat(", more than the ", memory_text(memory), " that may be used here")
              : "")
      << "\n";
  out << absl::StrFormat("Time: about %.2g s of processor time\n", whole.cpu_seconds);
}

void write_options(const Variant& variant, std::ostream& out) {
  const Description& d = variant.description();
  std::size_t name = 10;
  for (const Option& option : d.options) name = std::max(name, display_width(option.name));
  out << "\nOptions\n";
  for (const Option& option : d.options) {
    const std::string value = option.name == "board" ? variant.board().name() : to_text(option.value);
    out << absl::StrFormat("  %s %-12s %s\n", pad_right(option.name, name), value, option.about);
    const std::string choices = option.choices();
    if (!choices.empty())
      out << absl::StrFormat("  %s %-12s (%s%s)\n", pad_right("", name), "", choices,
                             option.left_open ? "; left open by the author" : "");
  }
}

// What it takes, as far as that is known before it is begun.
void write_prediction(const Variant& variant, const Prediction& prediction, std::ostream& out) {
  constexpr double kBeyond = 1e15;  // bytes
  out << absl::StrFormat("Positions: at most %.3g, and at least %.3g", prediction.most_positions,
                         prediction.least_positions);
  out << (prediction.reason.empty() ? "" : " (" + prediction.reason + ")") << "\n";
  if (prediction.most_bytes < kBeyond) {
    out << "Memory: at most " << memory_text_of(prediction.most_bytes) << ", at least "
        << memory_text_of(prediction.least_bytes) << "\n";
    out << absl::StrFormat("Time: about %.2g s of processor time if there are that many\n",
                           prediction.most_cpu_seconds);
  } else {
    out << "  even if only a small part of these is reachable, it is more than can be stored\n";
  }
  const ExpressionPtr& material = variant.description().play.material;
  if (material != nullptr && material->kind == Expression::Kind::name &&
      variant.description().find_option(material->word) != nullptr)
    out << "  endings are solved whole: --set " << material->word << "=KRvK\n";
}

}  // namespace
Json info_json(const Variant& variant, std::uint64_t memory, int ranks) {
  const MethodsInfo methods = methods_info(Game(variant, variant.rules().start()), memory, ranks);
  const MethodInfo* const whole = whole_method(variant, methods);
  const Prediction prediction = prediction_of(variant, whole);
  const Description& d = variant.description();
  const RuleSet& rules = variant.rule_set();
  const Board& board = variant.board();
  const SymmetryGroup& symmetries = variant.symmetries();
  const auto& tiers = variant.tiers();
  Json cells = Json::array();
  for (int c = 0; c < board.size(); ++c) cells.push_back(board.cell_name(static_cast<Cell>(c)));
  const auto measure_json = [](const Measure& m) -> Json { return {{"measure", m.text}, {"raised_by", m.raised_by}}; };
  Json out = headed_json();
  out.update({{"variant", d.name},
              {"author", d.author},
              {"source", d.source},
              {"hash", variant.identity().hash},
              {"options", option_list_json(variant)},
              {"board", {{"name", board.name()}, {"cells", board.size()}, {"names", std::move(cells)}}},
              {"symmetries",
               {{"count", symmetries.size()},
                {"players_exchanged", symmetries.has_exchange()},
                {"complete", symmetries.board_complete()}}},
              {"tiers", {{"measures", json_list(tiers.measures(), measure_json)}, {"most", tiers.count()}}},
              {"can_cycle", !tiers.acyclic()},
              {"cycling_moves", tiers.cycling()},
              {"why", tiers.reason()},
              {"one_pass", tiers.one_pass()},
              {"orders", order_notes_json(rules.orders)},
              {"always_a_move", rules.always_a_move},
              {"bits_per_position", Packing(variant.rules(), !symmetries.has_exchange()).bits()},
              {"denominator", variant.rules().denominator()},
              {"predicted",
               {{"positions_at_least", prediction.least_positions},
                {"positions_at_most", prediction.most_positions},
                {"bytes_at_least", prediction.least_bytes},
                {"bytes_at_most", prediction.most_bytes},
                {"cpu_seconds_at_most", prediction.most_cpu_seconds}}},
              {"methods", methods_json(methods, ranks)},
              {"choice", choice_json(methods)},
              {"ending", whole_json(whole)},
              {"instructions", variant.rules().cells() == nullptr ? 0 : variant.rules().cells()->instructions()},
              {"processor", kernel_name()}});
  return out;
}

std::string info_page(const Variant& variant, std::uint64_t memory, int ranks) {
  const MethodsInfo methods = methods_info(Game(variant, variant.rules().start()), memory, ranks);
  const MethodInfo* const whole = whole_method(variant, methods);
  const Prediction prediction = prediction_of(variant, whole);
  std::ostringstream out;
  const Description& d = variant.description();
  const RuleSet& rules = variant.rule_set();
  out << d.name << (d.author.empty() ? "" : ", by " + d.author) << "\n";
  if (!d.source.empty()) out << d.source << "\n";
  if (!d.about.empty()) out << "\n" << d.about << "\n";
  write_options(variant, out);
  out << "\nBoard: " << variant.board().name() << ", " << variant.board().size() << " cells\n";
  out << "Symmetries: " << variant.symmetries().size()
      << (variant.symmetries().has_exchange() ? ", the exchange of the players among them\n"
                                              : "; the players cannot be exchanged\n");
  if (!variant.symmetries().board_complete()) out << "  (the board has more; the ones used fix some of its cells)\n";
  out << "Tiers: ";
  if (variant.tiers().measures().empty()) out << "none";
  for (const Measure& m : variant.tiers().measures())
    out << (&m == variant.tiers().measures().data() ? "" : ", then ") << m.text;
  out << "\nCan play go on for ever? "
      << (variant.tiers().acyclic() ? "No" : "It may, by " + absl::StrJoin(variant.tiers().cycling(), ", ")) << ": "
      << variant.tiers().reason() << "\n";
  if (variant.tiers().one_pass())
    out << "  so every move leads to a later tier, and one pass from the last tier to the first solves it\n";
  for (const OrderNote& note : rules.orders) {
    out << "Does the order of changes matter in '" << note.effect.text() << "'? "
        << (note.proven ? "No: " : "Not proven not to; all change together, and plenum check --orders tries others: ")
        << note.reason << "\n";
  }
  if (!rules.dropped_moves.empty()) out << "Moves switched off: " << absl::StrJoin(rules.dropped_moves, ", ") << "\n";
  out << "Is there always a move? " << variant.rules().always_a_move() << "\n";
  out << "A position takes " << Packing(variant.rules(), !variant.symmetries().has_exchange()).bits() << " bits";
  if (!rules.outcome_only) out << "; margins are in units of 1/" << variant.rules().denominator();
  out << "\n";
  if (whole == nullptr) {
    write_prediction(variant, prediction, out);
  } else if (whole->obstacle) {
    out << "An ending that cannot be solved: " << *whole->obstacle << "\n";
  } else {
    write_whole(*whole->whole, memory, out);
  }
  write_methods(methods, memory, ranks, out);
  return out.str();
}

}  // namespace plenum
