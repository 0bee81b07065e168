// SPDX-License-Identifier: Apache-2.0
// An ending solved, with the tables of materials in the cache folder: those that are there are used, by every ending that leads to
// them, and those that are solved are kept at once, so that a run that is stopped loses one material at the most.
//
// What goes wrong with a table there is only noted.
#pragma once

#include <memory>

#include "tools/session/run.h"

namespace plenum {

absl::StatusOr<std::shared_ptr<const EndingTables>> solve_ending_kept(Run& run, const Variant& variant, bool no_tables);
// The material asked for as this file has it, whatever it says; the others as above.
absl::StatusOr<std::shared_ptr<const EndingTables>> open_ending(Run& run, const Variant& variant,
                                                                const std::string& file);

}  // namespace plenum
