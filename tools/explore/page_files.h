// SPDX-License-Identifier: Apache-2.0
// The files of the explorer's page, which are inside the program.
#pragma once

#include <span>
#include <string_view>

namespace plenum {

struct PageFile {
  std::string_view path;  // "/explorer.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view content;
};
std::span<const PageFile> page_files();

}  // namespace plenum
