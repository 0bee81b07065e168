// SPDX-License-Identifier: Apache-2.0
// Figures of numbers that the explorer's page has gathered itself: it sends them as JSON, and gets them drawn (chart_svg.h).
//
//     {"line": {"caption": "…", "values": [7, null, -3], "here": 2}}
//     {"heat": {"caption": "…", "corner": "…", "columns": ["a"], "rows": ["b"], "cells": [[{"text": "7", "number": 7, "opens": "0 0", "why": "…"}]]}}
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include <absl/status/statusor.h>

namespace plenum {

// As HTML; empty where there is too little to be drawn. kInvalidArgument says what of the text is not as above.
absl::StatusOr<std::string> asked_figure(const std::string& text);

}  // namespace plenum
