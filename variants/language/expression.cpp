// SPDX-License-Identifier: Apache-2.0
#include "variants/language/expression.h"

#include <algorithm>
#include <array>

#include <absl/cleanup/cleanup.h>
#include <absl/strings/ascii.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include "variants/text/printable.h"

namespace plenum {
namespace {

enum class Token { integer, text, name, symbol, end };

constexpr std::array<std::string_view, 7> kLongSymbols = {"==", "!=", "<=", ">=", "->", "&&", "||"};
constexpr std::string_view kShortSymbols = "<>=!&|+-*/%(){},:";
constexpr int kMaxNesting = 200;
constexpr int kMaxOperators = 500;  // in one text; chains of them nest to the left

class ExpressionParser {
  // Counts how deep expressions stand in one another, for as long as what it returns lives.
  [[nodiscard]] auto deeper() {
    if (++depth_ > kMaxNesting) fail("this expression is nested too deeply", "give parts of it names under [define]");
    return absl::MakeCleanup([this] { --depth_; });
  }

 public:
  explicit ExpressionParser(Span text) : whole_(std::move(text)), text_(whole_.text()) { next(); }

  ExpressionPtr expression() {
    const auto inside = deeper();
    if (!is("if")) return disjunction();
    const std::size_t begin = begin_;
    next();
    ExpressionPtr condition = expression();
    if (is(":"))
      fail("'if condition:' stands before a whole effect only",
           "behind a comma write SET & condition -> kind, or make it an item of its own: [\"A -> kind\", \"if a: B -> "
           "kind\"]");
    expect("then", "a condition goes on with 'then' and 'else': if a then b else c");
    ExpressionPtr yes = expression();
    expect("else", "every 'if' in an expression needs an 'else': if a then b else c");
    ExpressionPtr no = expression();
    return make(Expression::Kind::conditional, begin, "if", {condition, yes, no});
  }

  Effect effect() {
    Effect out;
    out.span = whole_;
    while (take("if")) {
      out.conditions.push_back(expression());
      expect(":", "in an effect a condition is followed by a colon: if a: b -> mine");
    }
    if (take("repeat")) {
      out.way = Effect::Way::repeat;
      expect(":", "write repeat: SET -> kind");
    } else if (take("spread")) {
      constexpr std::string_view kUsage = "write spread from SET by DIRECTIONS: SET -> kind";
      out.way = Effect::Way::spread;
      expect("from", kUsage);
      out.from = expression();
      if (take("by")) out.by = expression();
      expect(":", kUsage);
    } else if (take("carry")) {
      out.way = Effect::Way::carry;
      out.from = expression();
      expect("by", "write carry SET by DIRECTION, or by a turn: carry cells by turn_left");
      out.by = expression();
      finish("'carry' stands in an item of its own");
      return out;
    } else if (alone()) {
      out.way = Effect::Way::defined;
      out.definition = primary();
      return out;
    }
    do {
      out.clauses.push_back(clause());
    } while (take(","));
    for (const Effect::Clause& each : out.clauses) {
      if (out.way != Effect::Way::once && each.amount != nullptr)
        fail_at(each.name_span, "piles change once, not in 'repeat' and 'spread'", "write an item of its own");
      if (out.way != Effect::Way::once && each.kind == Effect::Kind::assign)
        fail_at(each.name_span, "only stones change in 'repeat' and 'spread'", "assign in an item of its own");
    }
    if (out.way == Effect::Way::spread && out.clauses.size() > 1)
      fail_at(out.clauses[1].name_span, "'spread' makes one kind of change", "use 'repeat' for several at once");
    finish("an effect is SET -> kind or name = value; several at once are joined by commas");
    return out;
  }

  DefinitionHead head() {
    DefinitionHead out;
    out.name = take_name("a definition's name is expected here");
    if (take("(")) {
      do {
        out.parameters.push_back(take_name("a parameter's name is expected here"));
      } while (take(","));
      expect(")", "parameters are written name(a, b)");
    }
    finish("a definition's key is a name, or a name with parameters in quotes: \"name(a, b)\"");
    return out;
  }

  void finish(std::string_view advice) {
    if (token_ != Token::end) fail("this does not belong here", advice);
  }

 private:
  [[noreturn]] void fail(std::string_view message, std::string_view advice) const {
    if (token_ == Token::end) {
      fail_at(whole_.part(text_.size(), 0), absl::StrCat(std::string(message), ": the text ends"), advice);
    }
    fail_at(here(), message, advice);
  }

  void next() {
    last_end_ = end_;
    begin_ = end_;
    while (begin_ < text_.size() && absl::ascii_isspace(text_[begin_])) ++begin_;
    end_ = begin_;
    if (begin_ == text_.size()) {
      token_ = Token::end;
      return;
    }
    const char c = text_[begin_];
    if (absl::ascii_isdigit(c)) {
      scan(absl::ascii_isdigit);
      token_ = Token::integer;
      if (end_ < text_.size() && text_[end_] == '.') {
        ++end_;
        scan(absl::ascii_isdigit);
        fail("fractions are written with a slash", "write 1/2 instead of 0.5");
      }
    } else if (absl::ascii_isalpha(c) || c == '_') {
      scan([](char d) { return absl::ascii_isalnum(d) || d == '_'; });
      token_ = Token::name;
    } else if (c == '\'') {
      const std::size_t close = text_.find('\'', begin_ + 1);
      end_ = close == std::string_view::npos ? text_.size() : close + 1;
      token_ = Token::text;
      if (close == std::string_view::npos) fail("this text has no end", "texts in expressions stand between ' and '");
    } else {
      token_ = Token::symbol;
      end_ = begin_ + 1;
      for (const std::string_view symbol : kLongSymbols) {
        if (text_.substr(begin_, 2) == symbol) end_ = begin_ + 2;
      }
      const std::string_view found = word();
      if (found == "&&" || found == "||") {
        fail(absl::StrCat("'", std::string(found), "' is no operator here"),
             absl::StrCat("write a single ", std::string(found.substr(0, 1))));
      }
      if (found.size() == 1 && kShortSymbols.find(c) == std::string_view::npos) {
        end_ = character_end(text_, begin_);
        fail("this sign is not part of the language", "operators: ! & | == != < <= > >= + - * / % ->");
      }
    }
  }

  template <typename Predicate>
  void scan(Predicate belongs) {
    while (end_ < text_.size() && belongs(text_[end_])) ++end_;
  }

  Span here() const { return whole_.part(begin_, end_ - begin_); }
  std::string_view word() const { return text_.substr(begin_, end_ - begin_); }
  // Whether this symbol or name is next. No number or text is written like one.
  bool is(std::string_view wanted) const { return word() == wanted; }
  bool is_one_of(std::initializer_list<std::string_view> symbols) const {
    return std::find(symbols.begin(), symbols.end(), word()) != symbols.end();
  }
  bool take(std::string_view wanted) {
    if (!is(wanted)) return false;
    next();
    return true;
  }
  void expect(std::string_view wanted, std::string_view advice) {
    if (!take(wanted)) fail(absl::StrCat("'", std::string(wanted), "' is expected here"), advice);
  }
  std::string take_name(std::string_view message) {
    if (token_ != Token::name) fail(message, "names are of letters, digits and _, and begin with a letter");
    std::string out(word());
    next();
    return out;
  }

  std::shared_ptr<Expression> make(Expression::Kind kind, std::size_t begin, std::string name,
                                   std::vector<ExpressionPtr> parts) const {
    auto out = std::make_shared<Expression>();
    out->kind = kind;
    out->span = whole_.part(begin, last_end_ - begin);
    out->word = std::move(name);
    out->parts = std::move(parts);
    return out;
  }

  template <typename Operand>
  ExpressionPtr binary(std::initializer_list<std::string_view> operators, Operand operand, bool repeat = true) {
    const std::size_t begin = begin_;
    ExpressionPtr left = operand();
    while (is_one_of(operators)) {
      const std::string op(word());
      if (++operators_ > kMaxOperators) fail("this expression is too long", "give parts of it names under [define]");
      next();
      ExpressionPtr right = operand();
      left = make(Expression::Kind::binary, begin, op, {left, right});
      if (!repeat) break;
    }
    return left;
  }

  ExpressionPtr disjunction() {
    return binary({"|"}, [&] { return conjunction(); });
  }
  ExpressionPtr conjunction() {
    return binary({"&"}, [&] { return complement(); });
  }
  // Any number of signs before an operand.
  template <typename Operand>
  ExpressionPtr prefixed(Expression::Kind kind, const char* sign, Operand operand) {
    if (!is(sign)) return operand();
    const auto inside = deeper();
    const std::size_t begin = begin_;
    next();
    const ExpressionPtr inner = prefixed(kind, sign, operand);
    return make(kind, begin, sign, {inner});
  }
  ExpressionPtr complement() {
    return prefixed(Expression::Kind::complement, "!", [&] { return comparison(); });
  }
  ExpressionPtr comparison() {
    const std::initializer_list<std::string_view> comparisons = {"==", "!=", "<", "<=", ">", ">="};
    ExpressionPtr out = binary(
        comparisons, [&] { return sum(); }, false);
    if (is_one_of(comparisons)) fail("comparisons do not chain", "write a < b & b < c");
    return out;
  }
  ExpressionPtr sum() {
    return binary({"+", "-"}, [&] { return term(); });
  }
  ExpressionPtr term() {
    return binary({"*", "/", "%"}, [&] { return unary(); });
  }
  ExpressionPtr unary() {
    return prefixed(Expression::Kind::negate, "-", [&] { return primary(); });
  }

  ExpressionPtr primary() {
    const std::size_t begin = begin_;
    const std::string text(word());
    if (token_ == Token::integer) {
      std::int64_t value = 0;
      if (!absl::SimpleAtoi(text, &value) || value > 1'000'000'000) fail("this number is too large", "");
      next();
      auto out = make(Expression::Kind::integer, begin, text, {});
      out->integer = value;
      return out;
    }
    if (token_ == Token::text) {
      next();
      return make(Expression::Kind::text, begin, text.substr(1, text.size() - 2), {});
    }
    if (is("{")) return cell_list();
    if (take("(")) {
      ExpressionPtr inner = expression();
      expect(")", "this closes the bracket that was opened before");
      return inner;
    }
    if (token_ == Token::name && text != "then" && text != "else") {
      next();
      if (!take("(")) return make(Expression::Kind::name, begin, text, {});
      std::vector<ExpressionPtr> arguments;
      if (token_ == Token::name) {
        const std::string variable(word());
        const ExpressionParser before = *this;
        next();
        if (is("in")) return loop(begin, text, variable);
        *this = before;
      }
      while (!is(")")) {
        arguments.push_back(expression());
        if (!take(",") && !is(")"))
          fail("',' or ')' is expected here", absl::StrCat("arguments are written ", text, "(a, b)"));
      }
      next();
      return make(Expression::Kind::call, begin, text, std::move(arguments));
    }
    fail("a set of cells, a number or a name is expected here", "");
  }

  // NAME "(" variable has been read, and "in" is next.
  ExpressionPtr loop(std::size_t begin, const std::string& function, const std::string& variable) {
    const auto inside = deeper();
    next();
    ExpressionPtr over = expression();
    expect(":", absl::StrCat("write ", function, "(", variable, " in groups(S): expression)"));
    ExpressionPtr body = expression();
    expect(")", "this closes the bracket that was opened before");
    auto out = make(Expression::Kind::loop, begin, function, {over, body});
    out->variable = variable;
    return out;
  }

  // Cell names may begin with a digit ("{1 2}" on a path), so they are read from the text itself.
  ExpressionPtr cell_list() {
    const std::size_t begin = begin_;
    const std::size_t close = text_.find('}', begin_);
    if (close == std::string_view::npos) fail("this list of cells has no end", "cells are listed as in {a1 b2}");
    std::vector<Span> cells;
    std::size_t i = begin_ + 1;
    while (i < close) {
      if (absl::ascii_isspace(text_[i]) || text_[i] == ',') {
        ++i;
        continue;
      }
      std::size_t stop = i;
      while (stop < close && !absl::ascii_isspace(text_[stop]) && text_[stop] != ',') ++stop;
      cells.push_back(whole_.part(i, stop - i));
      i = stop;
    }
    end_ = close + 1;
    next();
    auto out = make(Expression::Kind::cells, begin, "{", {});
    out->cells = std::move(cells);
    return out;
  }

  // Whether all that is left is a name.
  bool alone() const {
    ExpressionParser rest = *this;
    if (rest.token_ != Token::name) return false;
    rest.next();
    return rest.token_ == Token::end;
  }

  Effect::Clause clause() {
    Effect::Clause out;
    if (token_ == Token::name && !is("if")) {
      const ExpressionParser before = *this;
      next();
      if (take("=")) {
        out.kind = Effect::Kind::assign;
        out.name = before.word();
        out.name_span = before.here();
        out.value = expression();
        return out;
      }
      *this = before;
    }
    out.kind = Effect::Kind::change;
    out.value = expression();
    expect("->", "an effect is SET -> kind, as in: placed -> mine; or name = value");
    out.name_span = here();
    out.name = take_name("a kind, or empty, is expected after ->");
    if (take("of")) out.amount = expression();
    return out;
  }

  Span whole_;
  std::string_view text_;
  Token token_ = Token::end;
  std::size_t begin_ = 0;  // of the token at hand
  std::size_t end_ = 0;
  std::size_t last_end_ = 0;
  int depth_ = 0;
  int operators_ = 0;
};

}  // namespace

ExpressionPtr parse_expression(const Span& text) {
  ExpressionParser parser(text);
  ExpressionPtr out = parser.expression();
  parser.finish("two parts of an expression are joined by an operator: & | + - == < and so on");
  return out;
}

Effect parse_effect(const Span& text) { return ExpressionParser(text).effect(); }

bool names_piles(std::string_view word, const std::string& family) {
  if (family.empty() || word.size() < family.size() || word.substr(word.size() - family.size()) != family) return false;
  const std::string_view whose = word.substr(0, word.size() - family.size());
  return whose.empty() || whose == "my_" || whose == "their_" || whose == "first_" || whose == "second_";
}

void spell_out_piles(Effect& effect, const std::string& family, int most) {
  const auto binary = [](const char* op, const ExpressionPtr& left, const ExpressionPtr& right) -> ExpressionPtr {
    auto out = std::make_shared<Expression>();
    out->kind = Expression::Kind::binary;
    out->span = left->span;
    out->word = op;
    out->parts = {left, right};
    return out;
  };
  const auto number = [](const ExpressionPtr& at, int n) -> ExpressionPtr {
    auto out = std::make_shared<Expression>();
    out->span = at->span;
    out->word = std::to_string(n);
    out->integer = n;
    return out;
  };
  std::vector<Effect::Clause> clauses;
  for (const Effect::Clause& clause : effect.clauses) {
    if (clause.amount == nullptr || !names_piles(clause.name, family)) {
      clauses.push_back(clause);
      continue;
    }
    for (int n = 0; n <= most; ++n) {
      Effect::Clause one = clause;
      one.amount = nullptr;
      one.name = n == 0 ? "empty" : clause.name + "_" + std::to_string(n);
      one.value = binary("&", clause.value, binary("==", clause.amount, number(clause.amount, n)));
      clauses.push_back(std::move(one));
    }
    Effect::Clause never = clause;
    never.kind = Effect::Kind::never;
    never.amount = nullptr;
    const ExpressionPtr above = binary(">", clause.amount, number(clause.amount, most));
    const ExpressionPtr below = binary("<", clause.amount, number(clause.amount, 0));
    never.value = binary("&", clause.value, binary("|", above, below));
    clauses.push_back(std::move(never));
  }
  effect.clauses = std::move(clauses);
}

DefinitionHead parse_definition_head(const Span& text) { return ExpressionParser(text).head(); }

}  // namespace plenum
