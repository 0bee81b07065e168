// SPDX-License-Identifier: Apache-2.0
// A TOML document as a tree that knows where everything was written, and `extends` on it.
//
// Thin layer over toml++: it keeps the order of the keys and a Span for each key and value (also for the inside of a
// string, so that an error in an expression points into the file), and merges a tweak onto the file it extends: tables
// merge key by key, everything else replaces, and `false` in the place of anything but a truth removes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "variants/text/diagnostic.h"

namespace plenum {

struct DocumentNode;

struct DocumentEntry;

using DocumentTable = std::vector<DocumentEntry>;
using DocumentList = std::vector<DocumentNode>;

struct DocumentNode {
  std::variant<std::string, std::int64_t, bool, DocumentTable, DocumentList> value;
  Span span;  // of a string: its inside, where the text stands in the file letter for letter

  const std::string* text() const { return std::get_if<std::string>(&value); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
  const bool* boolean() const { return std::get_if<bool>(&value); }
  const DocumentTable* table() const { return std::get_if<DocumentTable>(&value); }
  const DocumentList* list() const { return std::get_if<DocumentList>(&value); }
  // The entry of that name, if this is a table that has one.
  const DocumentNode* find(std::string_view key) const;
};

struct DocumentEntry {
  std::string key;
  Span key_span;
  DocumentNode node;
};

// Throws DescriptionError (see diagnostic.h).
DocumentNode parse_document(const std::shared_ptr<const SourceText>& source);

// The document as TOML that parse_document reads as an equal tree, a line for each key at the top but those named.
std::string to_toml(const DocumentNode& document, const std::vector<std::string_view>& without);

// `tweak` laid over `base`; adds to `removed` what it takes away: keys and where the tweak has them.
DocumentNode merge_documents(DocumentNode base, const DocumentNode& tweak,
                             std::vector<std::pair<std::string, Span>>& removed);

}  // namespace plenum
