// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML and SVG: elements, and texts that cannot be taken for elements.
//
//     element("th scope=\"row\"", escaped(name))        <th scope="row">name</th>
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace plenum {

// Any text as the content of an element or of an attribute in double quotes; what no terminal may show is written out (printable.h).
std::string escaped(std::string_view text);
// `head` is a tag with its attributes, `content` is markup.
std::string element(std::string_view head, std::string_view content);
// " name=\"value\""; the value is any text.
std::string attribute(std::string_view name, std::string_view value);
// A length in a picture, with three decimals at most.
std::string length_text(double value);

}  // namespace plenum
