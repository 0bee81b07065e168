// SPDX-License-Identifier: Apache-2.0
// Whether a sanitizer looks on. Everything takes ten to forty times as long then, so tests do less of the same: fewer cases, smaller boards,
// on as many threads.
#pragma once

namespace plenum {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// Random cases are so many times fewer then.
inline constexpr int kFewer = kSanitized ? 4 : 1;

}  // namespace plenum
