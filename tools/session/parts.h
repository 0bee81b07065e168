// SPDX-License-Identifier: Apache-2.0
// The tables of an ending's materials in the cache folder: those that are there are used, by every ending that leads to them, and
// those that are solved are kept at once, so that a run that is stopped loses one material at the most.
//
// What goes wrong with a table there is a note.
#pragma once

#include "tools/session/run.h"

namespace plenum {

// Keeps references.
PartStore part_store(Run& run, const Variant& variant, const Method& method);

}  // namespace plenum
