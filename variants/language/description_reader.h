// SPDX-License-Identifier: Apache-2.0
// From the document's tree to a Description: which keys there are, what shape each has. Private to variants/.
// Throws DescriptionError.
#pragma once

#include <functional>

#include "variants/language/description.h"
#include "variants/language/vocabulary.h"

namespace plenum {

// [pieces] and [play]; of a tree that has the former.
void read_pieces(const DocumentNode& tree, Description& out);

// [board], of a tree that has one; and [kinds], of one that may.
void read_board(const DocumentNode& board, Description& out);
void read_kinds(const DocumentNode& tree, Description& out);
// Effects that set how high piles are, for all kinds of piles.
void spell_out_piles(Description& description);
std::vector<Span> read_choices(const DocumentNode& node);  // of a move

// What the readers of tables share. A key that is missing or has the wrong shape is an error there.
void check_keys(const DocumentNode& node, std::string_view where, const std::vector<std::string>& known);
// What stands in a table or a list; an error if it is none.
const DocumentTable& table_of(const DocumentNode& node, std::string_view message, std::string_view advice = "");
const DocumentList& list_of(const DocumentNode& node, std::string_view message, std::string_view advice = "");
// A list of two whole numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> two_numbers(const DocumentNode& node);
// The entries of [key] but those that a tweak has taken away.
void each_entry(const DocumentNode& tree, const std::string& key, std::string_view advice,
                const std::function<void(const DocumentEntry&)>& function);
// A name that expressions and written positions may call something by.
void check_name(std::string_view word, const Span& span);
// The key of `entry` without the quotes that it may stand in.
Span inside_key(const DocumentEntry& entry);

std::string text_of(const DocumentNode& node, std::string_view key);
std::string optional_text(const DocumentNode& table, std::string_view key);
bool flag(const DocumentNode& table, std::string_view key);
// `false`: a tweak takes away what has that name.
bool taken_away(const DocumentNode& node);
// A part that a tweak may take away.
const DocumentNode* present(const DocumentNode& table, std::string_view key);
// Expressions are texts; plain numbers and true/false may stand without quotes.
ExpressionPtr optional_expression(const DocumentNode& table, std::string_view key);
ExpressionPtr present_expression(const DocumentNode& table, std::string_view key);  // of a part that may be taken away
std::optional<Span> text_span(const DocumentNode& node, const char* key);

Description read_description(const DocumentNode& tree, std::string path);
// The value that `word` gives an option, or an error at `span` that says what it takes.
OptionValue read_option_value(const Option& option, const std::string& word, const Span& span);

}  // namespace plenum
