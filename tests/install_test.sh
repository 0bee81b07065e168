#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_test.sh BUILD_FOLDER: what is installed works where it was not installed, without the source tree, and links.
#
# The tree is installed, moved, and asked; then tests/example is configured against it, built, and run.
set -euo pipefail

build=$1
example=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/example
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

cmake --install "$build" --prefix "$work/first" >"$work/log" || fail "$(cat "$work/log")"
mv "$work/first" "$work/moved"

plenum=$work/moved/bin/plenum
cd "$work"
# One more description tells the moved data from that of the source tree.
cp moved/share/plenum/variants/tic-tac-toe.toml moved/share/plenum/variants/only-here.toml
"$plenum" manual variants | grep -qx only-here || fail "the program does not take the data beside it"
[[ $("$plenum" solve only-here) == *"a tie"* ]] || fail "the game is not solved"
PLENUM_DATA=$work/none "$plenum" info only-here 2>/dev/null && fail "PLENUM_DATA means nothing"
for file in share/doc/plenum/README.md share/doc/plenum/LICENSE share/man/man1/plenum.1.gz share/doc/plenum/changelog.gz share/doc/plenum-dev/copyright share/bash-completion/completions/plenum \
  share/zsh/vendor-completions/_plenum share/fish/vendor_completions.d/plenum.fish share/plenum/bench.json; do
  [[ -s moved/$file ]] || fail "$file is missing"
done
# Nothing that is exported names the machine it was built on.
! grep -rn -e "$build" -e "$work/first" -e -Wall -e '/usr/lib' moved/*/cmake/plenum moved/*/*/cmake/plenum 2>/dev/null ||
  fail "exported targets name files of this machine, or our warnings"

cmake -S "$example" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/moved" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/example" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
[[ $("$work/example/solve_a_game") == "Tic-tac-toe: a tie" ]] || fail "the example says: $("$work/example/solve_a_game")"
echo "installed, moved, linked"
