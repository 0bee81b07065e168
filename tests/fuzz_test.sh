#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A minute of every fuzz target. Exits with 77, for ctest's SKIP_RETURN_CODE, where there is no clang 14.
set -euo pipefail
if ! command -v clang++-14 >/dev/null; then
  echo "skipped: no clang++-14 here (Debian 12: apt-get install clang-14 libclang-rt-14-dev)"
  exit 77
fi
exec "$(dirname "${BASH_SOURCE[0]}")/../tools/fuzz" --seconds 60
