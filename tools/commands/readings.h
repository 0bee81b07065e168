// SPDX-License-Identifier: Apache-2.0
// plenum compare --readings: what each reading that an author left open changes.
#pragma once

#include "tools/commands/commands.h"

namespace plenum {

int readings_command(const CompareArguments& arguments);

}  // namespace plenum
