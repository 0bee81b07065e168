// SPDX-License-Identifier: Apache-2.0
// How much memory there is and is used, and how it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace plenum {

// Bytes the process held when this was first called: program, libraries, tables of the variant.
std::uint64_t base_memory();
// The most the process has held, and the machine's memory, in bytes.
std::uint64_t peak_memory();
std::uint64_t machine_memory();
// Gives back to the system what was freed and lies unused.
void release_free_memory();
// Gives back the pages that lie wholly in these bytes. They stay the caller's: what they hold is lost, and memory comes back
// when they are written to.
void release_pages(void* data, std::size_t bytes);
// The same of a BigBytes, of which all these bytes are 0 afterwards.
void clear_pages(std::uint8_t* data, std::size_t bytes);
// "1.2 GB", "350 MB"; decimal units.
std::string memory_text(std::uint64_t bytes);

}  // namespace plenum
