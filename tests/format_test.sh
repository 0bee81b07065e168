#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All code is as clang-format 14 writes it (.clang-format). To make it so: clang-format -i FILE...
# Exits with 77, for ctest's SKIP_RETURN_CODE, where there is no clang-format 14: other versions write differently.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

format=
for candidate in clang-format-14 clang-format; do
  if [[ $("$candidate" --version 2>/dev/null) == *"version 14."* ]]; then
    format=$candidate
    break
  fi
done
if [[ -z $format ]]; then
  echo "skipped: no clang-format 14 here (Debian 12: apt-get install clang-format)"
  exit 77
fi

mapfile -d '' files < <(find variants tables solver tools tests \( -name '*.h' -o -name '*.cpp' -o -name '*.inc' \) -print0 | sort -z)
"$format" --dry-run --Werror "${files[@]}"
echo "${#files[@]} files are formatted"
