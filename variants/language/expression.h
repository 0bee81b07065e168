// SPDX-License-Identifier: Apache-2.0
// Expressions and effects of the description language: their syntax trees and parser.
//
//     expr    = "if" expr "then" expr "else" expr | or
//     or      = and { "|" and }             and  = not { "&" not }
//     not     = "!" not | cmp               cmp  = sum [ ("=="|"!="|"<"|"<="|">"|">=") sum ]
//     sum     = term { ("+"|"-") term }     term = unary { ("*"|"/"|"%") unary }
//     unary   = "-" unary | prim
//     prim    = INT | 'TEXT' | "{" { CELL } "}" | NAME | NAME "(" [ args ] ")" | "(" expr ")"
//     args    = NAME "in" expr ":" expr | expr { "," expr }
//     effect  = "if" expr ":" effect | "repeat" ":" step | "spread" "from" expr [ "by" expr ] ":" change | step
//     step    = assign { "," assign }
//     assign  = NAME "=" expr | change      change = expr "->" NAME
//
// `!a == b` is !(a == b), and `!mine & x` is (!mine) & x. Parsing knows no types: elaborator.h checks them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "variants/text/diagnostic.h"

namespace plenum {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind { integer, text, cells, name, call, loop, negate, complement, binary, conditional };
  Kind kind = Kind::integer;
  Span span;             // for messages about the whole of it
  std::string word;      // name, function, text, or operator
  std::string variable;  // of a loop, word(variable in parts[0]: parts[1])
  std::int64_t integer = 0;
  std::vector<ExpressionPtr> parts;  // arguments, operands; condition, then, else
  std::vector<Span> cells;           // the names in { ... }
};

struct Effect {
  enum class Kind { conditional, assign, change, never };
  // One clause of a simultaneous list.
  struct Clause {
    Kind kind = Kind::assign;  // assign: name = value; change: value -> name; never: an error where `value` has a cell
    Span name_span;
    std::string name;
    ExpressionPtr value;
    ExpressionPtr amount = nullptr;  // of a change: how high a pile comes to be
  };
  // once; in rounds until nothing changes; onwards from the neighbours of `from` to those of the cells changed; what stands on `from`
  // carried `by` a direction or a turn; or as a definition says
  enum class Way { once, repeat, spread, carry, defined };
  Way way = Way::once;
  Span span;                              // the whole of it
  std::vector<ExpressionPtr> conditions;  // all must hold
  ExpressionPtr from;                     // of a spread, of what is carried
  ExpressionPtr by;                       // directions, or none: the board's neighbours; or a turn
  ExpressionPtr definition;               // a name
  std::vector<Clause> clauses;            // read the same position; the earlier wins where two change a cell
};

// Both throw DescriptionError. `text` must stay inside its source.
ExpressionPtr parse_expression(const Span& text);
Effect parse_effect(const Span& text);

// The tree as a text in ASCII, the same for equal trees and for no others: as few brackets and blanks as the grammar
// takes. Printable texts are read again as the same tree.
std::string to_text(const Expression& e);
std::string to_text(const Effect& effect);
// `text` with backslashes before backslashes and `close`, and \x1b for whatever is not printable ASCII.
std::string escaped(std::string_view text, char close);
// Whether this could be a name: letters, digits and "_", no digit first.
bool is_name(std::string_view text);
// Whether a word names the piles of a family: "stack", "my_stack", "first_stack" and the like.
bool names_piles(std::string_view word, const std::string& family);
// Changes to piles of an amount become changes to each height, and one that may never happen.
void spell_out_piles(Effect& effect, const std::string& family, int most);
// Adds the names and functions that it reads, those of loop variables included.
void add_names(const Expression& e, std::set<std::string, std::less<>>& names);
void add_names(const Effect& effect, std::set<std::string, std::less<>>& names);

// The name and parameters of a definition's key, "controlled" or "beside(s, t)".
struct DefinitionHead {
  std::string name;
  std::vector<std::string> parameters;
};
DefinitionHead parse_definition_head(const Span& text);

}  // namespace plenum
