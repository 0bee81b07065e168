// SPDX-License-Identifier: Apache-2.0
// Passing an error on to the caller. In functions that return absl::Status or absl::StatusOr:
//
//     RETURN_IF_ERROR(write(file));                               // a Status: return it unless it is OK
//     ASSIGN_OR_RETURN(const auto moves, successors(rules, p));   // a StatusOr: return its Status, or take its value
//
// The same as the macros of those names in Google's code base, which abseil has not published. Each is more than one statement:
// put braces around it after an `if`. A type with a comma in it must be written `auto`. For sources, not for headers.
#pragma once

#include <utility>

#include <absl/status/statusor.h>

#define RETURN_IF_ERROR(...) PLENUM_RETURN_IF_ERROR(PLENUM_UNIQUE(status_, __COUNTER__), __VA_ARGS__)
#define ASSIGN_OR_RETURN(declaration, ...) \
  PLENUM_ASSIGN_OR_RETURN(PLENUM_UNIQUE(value_or_, __COUNTER__), declaration, __VA_ARGS__)

#define PLENUM_RETURN_IF_ERROR(status, ...) \
  if (absl::Status status = (__VA_ARGS__); !status.ok()) return status
#define PLENUM_ASSIGN_OR_RETURN(value_or, declaration, ...)                       \
  auto&& value_or = (__VA_ARGS__);                                                \
  if (!value_or.ok()) return std::forward<decltype(value_or)>(value_or).status(); \
  declaration = *std::forward<decltype(value_or)>(value_or)

#define PLENUM_UNIQUE(name, number) PLENUM_UNIQUE_JOINED(name, number)
#define PLENUM_UNIQUE_JOINED(name, number) name##number
