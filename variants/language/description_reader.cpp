// SPDX-License-Identifier: Apache-2.0
#include "variants/language/description_reader.h"

#include <algorithm>
#include <map>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "variants/language/vocabulary.h"

namespace plenum {

void check_keys(const DocumentNode& node, std::string_view where, const std::vector<std::string>& known) {
  for (const DocumentEntry& entry : table_of(node, absl::StrCat(std::string(where), " is a table"),
                                             "write it as a [heading] with key = value lines, or as { key = value }")) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      if (const std::string reason = why_absent(entry.key); !reason.empty())
        fail_at(entry.key_span, absl::StrCat("the language has no '", entry.key, "'"), reason);
      fail_at(entry.key_span, absl::StrCat("there is no key '", entry.key, "' in ", std::string(where)),
              suggestion(entry.key, known, "keys"));
    }
  }
}

const DocumentTable& table_of(const DocumentNode& node, std::string_view message, std::string_view advice) {
  if (node.table() == nullptr) fail_at(node.span, message, advice);
  return *node.table();
}

const DocumentList& list_of(const DocumentNode& node, std::string_view message, std::string_view advice) {
  if (node.list() == nullptr) fail_at(node.span, message, advice);
  return *node.list();
}

std::optional<std::pair<std::int64_t, std::int64_t>> two_numbers(const DocumentNode& node) {
  const DocumentList* list = node.list();
  if (list == nullptr || list->size() != 2 || !(*list)[0].integer() || !(*list)[1].integer()) return std::nullopt;
  return std::pair{*(*list)[0].integer(), *(*list)[1].integer()};
}

void each_entry(const DocumentNode& tree, const std::string& key, std::string_view advice,
                const std::function<void(const DocumentEntry&)>& function) {
  const DocumentNode* table = tree.find(key);
  if (table == nullptr) return;
  for (const DocumentEntry& entry : table_of(*table, absl::StrCat("[", key, "] is a table"), advice)) {
    if (!taken_away(entry.node)) function(entry);
  }
}

Span inside_key(const DocumentEntry& entry) {
  for (const std::size_t quote : {std::size_t{0}, std::size_t{1}}) {
    Span inside = entry.key_span.part(quote, entry.key.size());
    if (inside.text() == entry.key) return inside;
  }
  return Span::whole(absl::StrCat(place_of(entry.key_span), ": the key"), entry.key);  // written with escapes
}

void check_name(std::string_view word, const Span& span) {
  if (!is_name(word))
    fail_at(span, absl::StrCat("'", std::string(word), "' is no name"),
            "names are of letters, digits and _, and do not begin with a digit");
  const std::vector<std::string> reserved = {"if", "then", "else", "in", "by", "repeat", "spread"};
  if (std::find(reserved.begin(), reserved.end(), word) != reserved.end())
    fail_at(span, absl::StrCat("'", std::string(word), "' is a word of the language"), "choose another name");
}

std::string text_of(const DocumentNode& node, std::string_view key) {
  if (node.text() == nullptr)
    fail_at(node.span, absl::StrCat("'", std::string(key), "' is a text"), "write it in quotes");
  return *node.text();
}

std::string optional_text(const DocumentNode& table, std::string_view key) {
  const DocumentNode* node = table.find(key);
  return node == nullptr ? "" : text_of(*node, key);
}

bool flag(const DocumentNode& table, std::string_view key) {
  const DocumentNode* node = table.find(key);
  if (node == nullptr) return false;
  if (node->boolean() == nullptr)
    fail_at(node->span, absl::StrCat("'", std::string(key), "' is true or false"), "written without quotes");
  return *node->boolean();
}

ExpressionPtr expression_of(const DocumentNode& node, std::string_view key) {
  if (node.text() != nullptr || node.integer() != nullptr) return parse_expression(node.span);
  if (node.boolean() != nullptr)
    return parse_expression(Span::whole(std::string(key), *node.boolean() ? "true" : "false"));
  fail_at(node.span, absl::StrCat("'", std::string(key), "' is an expression"), "write it in quotes");
}

bool taken_away(const DocumentNode& node) { return node.boolean() != nullptr && !*node.boolean(); }

const DocumentNode* present(const DocumentNode& table, std::string_view key) {
  const DocumentNode* node = table.find(key);
  return node != nullptr && taken_away(*node) ? nullptr : node;
}

ExpressionPtr optional_expression(const DocumentNode& table, std::string_view key) {
  const DocumentNode* node = table.find(key);
  return node == nullptr ? nullptr : expression_of(*node, key);
}
ExpressionPtr present_expression(const DocumentNode& table, std::string_view key) {
  return present(table, key) == nullptr ? nullptr : optional_expression(table, key);
}

std::optional<Span> text_span(const DocumentNode& node, const char* key) {
  const DocumentNode* found = present(node, key);
  if (found == nullptr) return std::nullopt;
  text_of(*found, key);
  return found->span;
}

namespace {

constexpr std::size_t kMostOptions = 250;

// Calls `function` with where each text stands of what is a text or a list of texts.
template <typename Function>
void each_text(const DocumentNode& node, const char* key, const Function& function) {
  const auto one = [&](const DocumentNode& item) {
    text_of(item, key);
    function(item.span);
  };
  if (node.list() == nullptr) return one(node);
  for (const DocumentNode& item : *node.list()) one(item);
}

Option read_option(const std::string& name, const Span& span, const DocumentNode& node) {
  check_keys(node, absl::StrCat("option '", name, "'"), keys_of("option"));
  Option out;
  out.name = name;
  out.span = span;
  out.about = optional_text(node, "about");
  out.left_open = flag(node, "left_open");
  const DocumentNode* initial = node.find("default");
  if (initial == nullptr) fail_at(span, absl::StrCat("option '", name, "' has no default"), "add default = ...");
  if (const std::string* text = initial->text()) {
    out.initial = *text;
  } else if (initial->integer() != nullptr) {
    out.initial = *initial->integer();
  } else {
    fail_at(initial->span, "an option's default is a number or a text", "switches are written \"on\" and \"off\"");
  }
  if (const DocumentNode* range = node.find("range")) {
    out.range = two_numbers(*range);
    if (!out.range) fail_at(range->span, "a range is a list of two whole numbers", "write range = [1, 6]");
  }
  if (const DocumentNode* one_of = node.find("one_of")) {
    for (const DocumentNode& choice : list_of(*one_of, "'one_of' is a list of texts"))
      out.one_of.push_back(text_of(choice, "one_of"));
  }
  // A switch, unless it lists other values too.
  const auto is_switch = [](const std::string& word) { return word == "on" || word == "off"; };
  if (const std::string* text = initial->text();
      text != nullptr && is_switch(*text) && std::all_of(out.one_of.begin(), out.one_of.end(), is_switch)) {
    out.initial = *text == "on";
  }
  if (name != "board") out.initial = read_option_value(out, to_text(out.initial), initial->span);
  out.value = out.initial;
  return out;
}

StateDescription read_state(const std::string& name, const Span& span, const DocumentNode& node) {
  check_keys(node, absl::StrCat("state '", name, "'"), keys_of("state"));
  StateDescription out;
  out.name = name;
  out.written = name;
  if (const DocumentNode* written = node.find("written")) {
    out.written = text_of(*written, "written");
    check_name(out.written, written->span);
    if (out.written == "passes")
      fail_at(written->span, "'passes' is how passes are written in positions", "choose another name");
  }
  out.span = span;
  out.about = optional_text(node, "about");
  const DocumentNode* type = node.find("type");
  const std::string word = type == nullptr ? "" : text_of(*type, "type");
  if (word == "player") {
    out.type = StateDescription::Type::player;
  } else if (word == "number") {
    out.type = StateDescription::Type::number;
  } else if (word == "bool") {
    out.type = StateDescription::Type::boolean;
  } else {
    fail_at(type == nullptr ? span : type->span, absl::StrCat("state '", name, "' needs a type"),
            suggestion(word, {"player", "number", "bool"}, "types"));
  }
  out.each = flag(node, "each");
  if (const DocumentNode* range = node.find("range")) {
    if (range->list() == nullptr || range->list()->size() != 2)
      fail_at(range->span, "a range is a list of two numbers", "write range = [0, 4]");
    for (const DocumentNode& bound : *range->list()) out.range.push_back(expression_of(bound, "range"));
  } else if (out.type == StateDescription::Type::number) {
    fail_at(span, absl::StrCat("the number '", name, "' needs a range"), "a state must be finite: range = [0, 4]");
  }
  if (out.each && out.type != StateDescription::Type::number)
    fail_at(span, "only numbers can be kept for each player", "drop 'each'");
  out.start = optional_expression(node, "start");
  return out;
}

MoveDescription read_move(const std::string& name, const Span& span, const DocumentNode& node, bool is_part) {
  std::vector<std::string> keys = keys_of("move");
  if (is_part) keys.insert(keys.end(), {"optional", "required", "any_order"});
  check_keys(node, absl::StrCat(is_part ? "part '" : "move '", name, "'"), keys);
  MoveDescription out;
  out.name = name;
  out.span = span;
  out.when = optional_expression(node, "when");
  out.legal = optional_expression(node, "legal");
  for (const auto& [key, part] : {std::pair{"from", &out.from},
                                  {"to", &out.to},
                                  {"lift", &out.lift},
                                  {"step", &out.step},
                                  {"slide", &out.slide},
                                  {"jump", &out.jump},
                                  {"over", &out.over},
                                  {"distance", &out.distance},
                                  {"within", &out.within}}) {
    *part = present_expression(node, key);
  }
  out.far = flag(node, "far");
  out.shape = text_span(node, "shape");
  out.turns = text_span(node, "turns");
  if (const DocumentNode* next = present(node, "next"))
    each_text(*next, "next", [&](const Span& part) { out.next.push_back(part); });
  if (const DocumentNode* choose = present(node, "choose")) out.choose = read_choices(*choose);
  out.optional = flag(node, "optional");
  out.required = flag(node, "required");
  out.any_order = flag(node, "any_order");
  if (out.optional && out.required)
    fail_at(node.find("required")->span, "this part may be left out: it is 'optional' as well", "keep one of the two");
  if (const DocumentNode* then = present(node, "then"))
    each_text(*then, "then", [&](const Span& effect) { out.then.push_back(parse_effect(effect)); });
  const bool placement = out.to != nullptr && out.from == nullptr;
  if (const DocumentNode* put = present(node, "put")) {
    each_text(*put, "put", [&](const Span& kind) { out.put.push_back(kind); });
    if (!placement) fail_at(put->span, "'put' goes with a placement", "a placement has 'to' and no 'from'");
  }
  for (const char* key : {"shape", "lift"}) {
    if (const DocumentNode* found = present(node, key); found != nullptr && !placement)
      fail_at(found->span, absl::StrCat("'", key, "' goes with a placement"), "a placement has 'to' and no 'from'");
  }
  if (out.turns && !out.shape) fail_at(*out.turns, "'turns' goes with a shape", "as in shape = \"x./x./xx\"");
  std::vector<const char*> ways;
  for (const char* key : {"within", "step", "slide", "jump"}) {
    if (present(node, key) != nullptr) ways.push_back(key);
  }
  for (const char* key : {"over", "distance"}) {
    if (present(node, key) != nullptr && out.jump == nullptr)
      fail_at(node.find(key)->span, absl::StrCat("'", key, "' goes with a jump"),
              "as in jump = \"orth\", over = \"theirs\"");
  }
  if (out.far && out.slide == nullptr)
    fail_at(node.find("far")->span, "'far' goes with a slide", "as in slide = \"orth\"");
  if (!ways.empty() && (out.from == nullptr || out.to == nullptr))
    fail_at(node.find(ways[0])->span, "how far a piece goes needs both 'from' and 'to'");
  if (ways.size() > 1)
    fail_at(node.find(ways[0])->span, absl::StrCat("a move has '", ways[0], "' or '", ways[1], "', not both"));
  const bool moves_nothing = out.to == nullptr && out.from == nullptr;
  if (is_part && moves_nothing && out.choose.empty())
    fail_at(span, absl::StrCat("part '", name, "' does nothing"), "give it 'from', 'to', both, or 'choose'");
  return out;
}

TestDescription read_test(const DocumentNode& node) {
  check_keys(node, "a test", keys_of("test"));
  TestDescription out;
  out.span = node.span;
  const auto text = [&](const char* key) -> std::optional<Span> {
    const DocumentNode* found = node.find(key);
    if (found == nullptr) return std::nullopt;
    text_of(*found, key);
    return found->span;
  };
  out.board = text("board");
  out.position = text("position");
  out.play = text("play");
  out.after = text("after");
  out.legal = text("legal");
  out.illegal = text("illegal");
  out.value = text("value");
  if (const DocumentNode* set = node.find("set")) {
    for (const DocumentEntry& entry :
         table_of(*set, "'set' is a table of options", "write set = { button = \"on\" }")) {
      std::string value;
      if (entry.node.text() != nullptr) value = *entry.node.text();
      if (entry.node.integer() != nullptr) value = absl::StrCat(*entry.node.integer());
      out.settings.push_back(
          Span::whole(absl::StrCat(node.span.source->name, ": set"), absl::StrCat(entry.key, "=", value)));
    }
  }
  return out;
}

// Whether there are moves, how the game ends, the pie.
void read_ends(const DocumentNode& tree, Description& out) {
  if (out.moves.empty()) fail_at(tree.span, "a description needs moves", "add a [moves.NAME] table");
  const DocumentNode* end = tree.find("end");
  if (end == nullptr) fail_at(tree.span, "a description says how the game ends", "add an [end] table");
  check_keys(*end, "[end]", keys_of("end"));
  out.end = {end->span,
             optional_expression(*end, "wins"),
             optional_expression(*end, "loses"),
             present_expression(*end, "both"),
             optional_expression(*end, "when"),
             present_expression(*end, "score"),
             present_expression(*end, "tiebreak"),
             present_expression(*end, "value"),
             present_expression(*end, "stuck")};
  if (const DocumentNode* pie = tree.find("pie")) {
    check_keys(*pie, "[pie]", keys_of("pie"));
    out.pie = PieDescription{optional_expression(*pie, "when"), {}};
    const DocumentNode* moves = pie->find("moves");
    if (moves == nullptr || moves->list() == nullptr)
      fail_at(pie->span, "[pie] lists the opening moves it is about", "write moves = [\"place\"]");
    std::vector<std::string> names;
    for (const MoveDescription& move : out.moves) names.push_back(move.name);
    for (const DocumentNode& move : *moves->list()) {
      const std::string name = text_of(move, "moves");
      if (std::find(names.begin(), names.end(), name) == names.end())
        fail_at(move.span, absl::StrCat("there is no move '", name, "'"), suggestion(name, names, "moves"));
      out.pie->moves.push_back(name);
    }
  }
}

}  // namespace

OptionValue read_option_value(const Option& option, const std::string& word, const Span& span) {
  const std::string advice = option.choices().empty() ? "" : absl::StrCat("it takes: ", option.choices());
  if (std::holds_alternative<bool>(option.initial)) {
    if (word != "on" && word != "off")
      fail_at(span, absl::StrCat("'", word, "' is not a value of option '", option.name, "'"), advice);
    return word == "on";
  }
  if (std::holds_alternative<std::int64_t>(option.initial)) {
    std::int64_t value = 0;
    if (!absl::SimpleAtoi(word, &value))
      fail_at(span, absl::StrCat("option '", option.name, "' is a whole number"), advice);
    if (option.range && (value < option.range->first || value > option.range->second)) {
      fail_at(span, absl::StrCat("option '", option.name, "' is out of range: ", value), advice);
    }
    return value;
  }
  if (!option.one_of.empty() && std::find(option.one_of.begin(), option.one_of.end(), word) == option.one_of.end()) {
    fail_at(span, absl::StrCat("'", word, "' is not a value of option '", option.name, "'"),
            suggestion(word, option.one_of, "it takes"));
  }
  return word;
}

namespace {

// The entries of [key], tables all; one that a tweak takes away must have been there.
template <typename Function>
void each_table(const DocumentNode& tree, const char* key, const Function& function) {
  std::vector<std::string> names;
  each_entry(tree, key, "", [&](const DocumentEntry& entry) {
    function(entry);
    names.push_back(entry.key);
  });
  const DocumentNode* table = tree.find(key);
  if (table == nullptr) return;
  for (const DocumentEntry& entry : *table->table()) {
    if (taken_away(entry.node))  // what was a table is gone already (merge_documents)
      fail_at(entry.key_span, absl::StrCat("there is no '", entry.key, "' in [", key, "] to take away"),
              suggestion(entry.key, names, "there are"));
  }
}

void read_options(const DocumentNode& tree, Description& out) {
  each_table(tree, "options", [&](const DocumentEntry& e) {
    check_name(e.key, e.key_span);
    out.options.push_back(read_option(e.key, e.key_span, e.node));
    if (e.key == "board") out.board_span = e.node.find("default")->span;
  });
  if (out.options.size() > kMostOptions)
    fail_at(out.options[kMostOptions].span,
            absl::StrCat("there are ", out.options.size(), " options; ", kMostOptions, " are the most there can be"));
}

void read_states(const DocumentNode& tree, Description& out) {
  each_table(tree, "state", [&](const DocumentEntry& e) {
    check_name(e.key, e.key_span);
    StateDescription state = read_state(e.key, e.key_span, e.node);
    for (const StateDescription& earlier : out.state) {
      if (earlier.written == state.written)
        fail_at(e.key_span, absl::StrCat("'", earlier.name, "' and '", state.name, "' are written alike in positions"),
                "give one of them another: written = \"...\"");
    }
    out.state.push_back(std::move(state));
  });
}

// The effects that a definition stands for; none if it is an expression.
std::vector<Effect> read_effects(const DocumentNode& node) {
  std::vector<Effect> out;
  if (node.list() != nullptr) {
    each_text(node, "define", [&](const Span& effect) { out.push_back(parse_effect(effect)); });
  } else if (node.text() != nullptr && !guard([&] { return parse_expression(node.span); }).ok()) {
    const absl::StatusOr<Effect> effect = guard([&] { return parse_effect(node.span); });
    if (effect.ok()) out.push_back(*effect);
    if (!effect.ok() && node.text()->find("->") != std::string::npos) throw DescriptionError{effect.status()};
  }
  return out;
}

void read_definitions(const DocumentNode& tree, Description& out) {
  each_entry(tree, "define", "", [&](const DocumentEntry& e) {
    const DefinitionHead head = parse_definition_head(inside_key(e));
    check_name(head.name, e.key_span);
    if (out.definitions.count(head.name) != 0) fail_at(e.key_span, absl::StrCat("'", head.name, "' is defined twice"));
    Definition& definition = out.definitions[head.name] = {head.parameters, nullptr, {}, e.key_span};
    definition.effects = read_effects(e.node);
    if (definition.effects.empty()) definition.body = expression_of(e.node, head.name);
    if (!definition.effects.empty() && !head.parameters.empty())
      fail_at(e.key_span, "an effect has no parameters", "give it a plain name");
  });
}

void read_moves(const DocumentNode& tree, const char* key, bool parts, std::vector<MoveDescription>& out) {
  each_table(tree, key, [&](const DocumentEntry& e) { out.push_back(read_move(e.key, e.key_span, e.node, parts)); });
}

}  // namespace

Description read_description(const DocumentNode& tree, std::string path) {
  check_keys(tree, "a description", keys_of("description"));
  Description out;
  out.path = std::move(path);
  out.name = optional_text(tree, "name");
  out.author = optional_text(tree, "author");
  out.source = optional_text(tree, "source");
  out.about = optional_text(tree, "about");
  if (const DocumentNode* stands_on = tree.find("stands_on")) {
    const std::string word = text_of(*stands_on, "stands_on");
    if (word != "corner" && word != "side")
      fail_at(stands_on->span, "'stands_on' is \"side\" or \"corner\"", "leave it out: boards stand on a side");
    out.on_corner = word == "corner";
  }
  if (out.name.empty()) fail_at(tree.span, "a description needs a name", "add a line such as name = \"My game\"");
  read_options(tree, out);
  if (const DocumentNode* board = tree.find("board")) read_board(*board, out);
  if (out.find_option("board") == nullptr) {
    fail_at(tree.span, "a description needs a board",
            "add [options] with board = { default = \"square:3x3\" }, or a [board] with edges");
  }
  const bool of_pieces = tree.find("pieces") != nullptr;
  if (of_pieces) {
    read_pieces(tree, out);
  } else {
    read_kinds(tree, out);
  }
  read_states(tree, out);
  read_definitions(tree, out);
  each_entry(tree, "start", "",
             [&](const DocumentEntry& e) { out.start.emplace_back(inside_key(e), expression_of(e.node, e.key)); });
  read_moves(tree, "moves", false, out.moves);
  read_moves(tree, "parts", true, out.parts);
  spell_out_piles(out);
  if (!of_pieces) read_ends(tree, out);
  each_table(tree, "refused", [&](const DocumentEntry& e) {
    check_keys(e.node, "a refusal", keys_of("refused"));
    const DocumentNode* const why = e.node.find("why");
    const DocumentNode* const when = e.node.find("when");
    if (why == nullptr || when == nullptr)
      fail_at(e.key_span, "a refusal says when and why",
              "write { when = \"k > width\", why = \"no line is so long\" }");
    out.refused.push_back({e.key, e.key_span, expression_of(*when, "when"), text_of(*why, "why")});
  });
  if (const DocumentNode* tests = tree.find("test")) {
    for (const DocumentNode& test : list_of(*tests, "tests are written under [[test]]"))
      out.tests.push_back(read_test(test));
  }
  return out;
}

}  // namespace plenum
