// SPDX-License-Identifier: Apache-2.0
#include "variants/language/expression.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

enum class Token { integer, text, name, symbol, end };

constexpr std::array<std::string_view, 7> kLongSymbols = {"==", "!=", "<=", ">=", "->", "&&", "||"};
constexpr std::string_view kShortSymbols = "<>=!&|+-*/%(){},:";
constexpr int kMaxNesting = 200;
constexpr int kMaxOperators = 500;  // in one text; chains of them nest to the left

class ExpressionParser {
 public:
  explicit ExpressionParser(Span text) : whole_(std::move(text)), text_(whole_.text()) { next(); }

  ExpressionPtr expression() {
    const DepthGuard depth(*this);
    if (!is_name("if")) return disjunction();
    const std::size_t begin = begin_;
    next();
    ExpressionPtr condition = expression();
    expect_name("then", "a condition goes on with 'then' and 'else': if a then b else c");
    ExpressionPtr yes = expression();
    expect_name("else", "every 'if' in an expression needs an 'else': if a then b else c");
    ExpressionPtr no = expression();
    return make(Expression::Kind::conditional, begin, "if", {condition, yes, no});
  }

  Effect effect() {
    Effect out;
    out.span = whole_;
    while (is_name("if")) {
      next();
      out.conditions.push_back(expression());
      expect_symbol(":", "in an effect a condition is followed by a colon: if a: b -> mine");
    }
    if (is_name("repeat")) {
      out.way = Effect::Way::repeat;
      next();
      expect_symbol(":", "write repeat: SET -> kind");
    } else if (is_name("spread")) {
      constexpr std::string_view kUsage = "write spread from SET by DIRECTIONS: SET -> kind";
      out.way = Effect::Way::spread;
      next();
      expect_name("from", kUsage);
      out.from = expression();
      if (is_name("by")) {
        next();
        out.by = expression();
      }
      expect_symbol(":", kUsage);
    }
    for (;;) {
      out.clauses.push_back(clause());
      if (!is_symbol(",")) break;
      next();
    }
    for (const Effect::Clause& each : out.clauses) {
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
    if (is_symbol("(")) {
      next();
      for (;;) {
        out.parameters.push_back(take_name("a parameter's name is expected here"));
        if (!is_symbol(",")) break;
        next();
      }
      expect_symbol(")", "parameters are written name(a, b)");
    }
    finish("a definition's key is a name, or a name with parameters in quotes: \"name(a, b)\"");
    return out;
  }

  void finish(std::string_view advice) {
    if (token_ != Token::end) fail("this does not belong here", advice);
  }

 private:
  struct DepthGuard {
    explicit DepthGuard(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > kMaxNesting)
        parser.fail("this expression is nested too deeply", "give parts of it names under [define]");
    }
    ~DepthGuard() { --parser.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;
    ExpressionParser& parser;
  };

  [[noreturn]] void fail(std::string_view message, std::string_view advice) const {
    if (token_ == Token::end) {
      fail_at(whole_.part(text_.size(), 0), absl::StrCat(std::string(message), ": the text ends"), advice);
    }
    fail_at(whole_.part(begin_, end_ - begin_), message, advice);
  }

  void next() {
    last_end_ = end_;
    begin_ = end_;
    while (begin_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[begin_])) != 0) ++begin_;
    end_ = begin_;
    if (begin_ == text_.size()) {
      token_ = Token::end;
      return;
    }
    const char c = text_[begin_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      scan([](char d) { return std::isdigit(static_cast<unsigned char>(d)) != 0; });
      token_ = Token::integer;
      if (end_ < text_.size() && text_[end_] == '.') {
        ++end_;
        scan([](char d) { return std::isdigit(static_cast<unsigned char>(d)) != 0; });
        fail("fractions are written with a slash", "write 1/2 instead of 0.5");
      }
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      scan([](char d) { return std::isalnum(static_cast<unsigned char>(d)) != 0 || d == '_'; });
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
        while (end_ < text_.size() && (static_cast<unsigned char>(text_[end_]) & 0xC0U) == 0x80U) ++end_;
        fail("this sign is not part of the language", "operators: ! & | == != < <= > >= + - * / % ->");
      }
    }
  }

  template <typename Predicate>
  void scan(Predicate belongs) {
    while (end_ < text_.size() && belongs(text_[end_])) ++end_;
  }

  std::string_view word() const { return text_.substr(begin_, end_ - begin_); }
  bool is_symbol(std::string_view symbol) const { return token_ == Token::symbol && word() == symbol; }
  bool is_name(std::string_view name) const { return token_ == Token::name && word() == name; }

  void expect_symbol(std::string_view symbol, std::string_view advice) {
    if (!is_symbol(symbol)) fail(absl::StrCat("'", std::string(symbol), "' is expected here"), advice);
    next();
  }
  void expect_name(std::string_view name, std::string_view advice) {
    if (!is_name(name)) fail(absl::StrCat("'", std::string(name), "' is expected here"), advice);
    next();
  }
  std::string take_name(std::string_view message) {
    if (token_ != Token::name) fail(message, "names are of letters, digits and _, and begin with a letter");
    std::string out(word());
    next();
    return out;
  }

  ExpressionPtr make(Expression::Kind kind, std::size_t begin, std::string name,
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
    while (token_ == Token::symbol && std::find(operators.begin(), operators.end(), word()) != operators.end()) {
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
  ExpressionPtr complement() {
    if (!is_symbol("!")) return comparison();
    const DepthGuard depth(*this);
    const std::size_t begin = begin_;
    next();
    ExpressionPtr operand = complement();
    return make(Expression::Kind::complement, begin, "!", {operand});
  }
  ExpressionPtr comparison() {
    ExpressionPtr out = binary(
        {"==", "!=", "<", "<=", ">", ">="}, [&] { return sum(); }, false);
    if (token_ == Token::symbol && (is_symbol("==") || is_symbol("!=") || is_symbol("<") || is_symbol("<=") ||
                                    is_symbol(">") || is_symbol(">="))) {
      fail("comparisons do not chain", "write a < b & b < c");
    }
    return out;
  }
  ExpressionPtr sum() {
    return binary({"+", "-"}, [&] { return term(); });
  }
  ExpressionPtr term() {
    return binary({"*", "/", "%"}, [&] { return unary(); });
  }
  ExpressionPtr unary() {
    if (!is_symbol("-")) return primary();
    const DepthGuard depth(*this);
    const std::size_t begin = begin_;
    next();
    ExpressionPtr operand = unary();
    return make(Expression::Kind::negate, begin, "-", {operand});
  }

  ExpressionPtr primary() {
    const std::size_t begin = begin_;
    const std::string text(word());
    if (token_ == Token::integer) {
      std::int64_t value = 0;
      if (!absl::SimpleAtoi(text, &value) || value > 1'000'000'000) fail("this number is too large", "");
      next();
      auto out = std::make_shared<Expression>(*make(Expression::Kind::integer, begin, text, {}));
      out->integer = value;
      return out;
    }
    if (token_ == Token::text) {
      next();
      return make(Expression::Kind::text, begin, text.substr(1, text.size() - 2), {});
    }
    if (is_symbol("{")) return cell_list();
    if (is_symbol("(")) {
      next();
      ExpressionPtr inner = expression();
      expect_symbol(")", "this closes the bracket that was opened before");
      return inner;
    }
    if (token_ == Token::name && text != "then" && text != "else") {
      next();
      if (!is_symbol("(")) return make(Expression::Kind::name, begin, text, {});
      next();
      std::vector<ExpressionPtr> arguments;
      if (token_ == Token::name) {
        const std::string variable(word());
        const ExpressionParser before = *this;
        next();
        if (is_name("in")) return loop(begin, text, variable);
        return_to(before);
      }
      while (!is_symbol(")")) {
        arguments.push_back(expression());
        if (is_symbol(",")) {
          next();
        } else if (!is_symbol(")")) {
          fail("',' or ')' is expected here", absl::StrCat("arguments are written ", text, "(a, b)"));
        }
      }
      next();
      return make(Expression::Kind::call, begin, text, std::move(arguments));
    }
    fail("a set of cells, a number or a name is expected here", "");
  }

  // NAME "(" variable "in" has been read.
  ExpressionPtr loop(std::size_t begin, const std::string& function, const std::string& variable) {
    const DepthGuard depth(*this);
    next();
    ExpressionPtr over = expression();
    expect_symbol(":", absl::StrCat("write ", function, "(", variable, " in groups(S): expression)"));
    ExpressionPtr body = expression();
    expect_symbol(")", "this closes the bracket that was opened before");
    auto out = std::make_shared<Expression>(*make(Expression::Kind::loop, begin, function, {over, body}));
    out->variable = variable;
    return out;
  }

  void return_to(const ExpressionParser& before) {
    token_ = before.token_;
    begin_ = before.begin_;
    end_ = before.end_;
    last_end_ = before.last_end_;
  }

  // Cell names may begin with a digit ("{1 2}" on a path), so they are read from the text itself.
  ExpressionPtr cell_list() {
    const std::size_t begin = begin_;
    const std::size_t close = text_.find('}', begin_);
    if (close == std::string_view::npos) fail("this list of cells has no end", "cells are listed as in {a1 b2}");
    std::vector<Span> cells;
    std::size_t i = begin_ + 1;
    while (i < close) {
      if (std::isspace(static_cast<unsigned char>(text_[i])) != 0 || text_[i] == ',') {
        ++i;
        continue;
      }
      std::size_t stop = i;
      while (stop < close && std::isspace(static_cast<unsigned char>(text_[stop])) == 0 && text_[stop] != ',') ++stop;
      cells.push_back(whole_.part(i, stop - i));
      i = stop;
    }
    end_ = close + 1;
    next();
    auto out = std::make_shared<Expression>(*make(Expression::Kind::cells, begin, "{", {}));
    out->cells = std::move(cells);
    return out;
  }

  Effect::Clause clause() {
    const std::size_t begin = begin_;
    const std::size_t end = end_;
    Effect::Clause out;
    if (token_ == Token::name && !is_name("if")) {
      const std::string name(word());
      const ExpressionParser before = *this;
      next();
      if (is_symbol("=")) {
        next();
        out.kind = Effect::Kind::assign;
        out.name = name;
        out.name_span = whole_.part(begin, end - begin);
        out.value = expression();
        return out;
      }
      return_to(before);
    }
    out.kind = Effect::Kind::change;
    out.value = expression();
    expect_symbol("->", "an effect is SET -> kind, as in: placed -> mine; or name = value");
    out.name_span = whole_.part(begin_, end_ - begin_);
    out.name = take_name("a kind, or empty, is expected after ->");
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

DefinitionHead parse_definition_head(const Span& text) { return ExpressionParser(text).head(); }

}  // namespace plenum
