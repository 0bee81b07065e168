// SPDX-License-Identifier: Apache-2.0
// From the document's tree to a Description: which keys there are, what shape each has. Private to variants/.
// Throws DescriptionError.
#pragma once

#include "variants/description.h"

namespace plenum {

Description read_description(const DocumentNode& tree, std::string path);
// The value that `word` gives an option, or an error at `span` that says what it takes.
OptionValue read_option_value(const Option& option, const std::string& word, const Span& span);

}  // namespace plenum
