// SPDX-License-Identifier: Apache-2.0
// A page in one file, for reading and printing: no script, nothing fetched, and nothing said by colour alone.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace plenum {

// A whole document; `body` is markup.
std::string html_document(const std::string& title, std::string_view body);
// A section with its heading. The content is markup.
std::string html_section(const std::string& title, std::string_view content);
// A paragraph of any text.
std::string paragraph(const std::string& text);
// What an author wrote, in paragraphs; addresses of pages without what would make them links.
std::string authors_text(const std::string& text);
// "These numbers: plenum solve ...". The command is any text.
std::string by_command(const std::string& command);

}  // namespace plenum
