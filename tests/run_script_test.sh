#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/run_script_test.sh PLENUM: what tools/run promises, tried out.
#
# First in the tree as it is, where tools/test has just built PLENUM. Then in a small tree in which a program of a few lines
# stands for plenum: it prints its working folder, arguments and input, and takes a second to build rather than minutes.
set -euo pipefail

plenum=${1:?"the built plenum"}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/elsewhere"
cd "$work/elsewhere"

failures=0
expect() {  # WHAT WANTED FOUND
  if [[ "$2" == "$3" ]]; then
    echo "ok: $1"
  else
    printf 'FAILED: %s\n  wanted: %s\n  found:  %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
expect_text() {  # WHAT TEXT FILE
  if grep -qF -- "$2" "$3"; then echo "ok: $1"; else expect "$1" "... $2 ..." "$(<"$3")"; fi
}

best_of_five() {  # COMMAND...: prints the least time in microseconds
  local best=999999999 start elapsed
  for _ in 1 2 3 4 5; do
    start=${EPOCHREALTIME/[.,]/}
    "$@" >/dev/null
    elapsed=$((${EPOCHREALTIME/[.,]/} - start))
    if ((elapsed < best)); then best=$elapsed; fi
  done
  echo "$best"
}

# --- The tree as it is

if [[ $(readlink -f "$plenum") == "$root/.build/release/tools/plenum" ]]; then
  "$root/tools/run" --version >first 2>/dev/null
  "$root/tools/run" --version >second 2>said
  expect "stdout is the program's alone" "$("$plenum" --version)" "$(<first)"
  expect "also at the second call" "$("$plenum" --version)" "$(<second)"
  expect "which says nothing itself" "" "$(<said)"
  bare=$(best_of_five "$plenum" --version)
  through=$(best_of_five "$root/tools/run" --version)
  echo "plenum takes $bare us, through tools/run $through us"
  expect "less than 0.1 s more than the program" 1 "$((through - bare < 100000))"
else
  echo "skipped: $plenum is not what tools/run starts"
fi

# --- A small tree

tree="$work/small tree"
mkdir -p "$tree"/{tools,variants,tables,solver}
cp "$root"/tools/{run,setup.sh} "$tree/tools/"
cp "$root/CMakePresets.json" "$tree/"
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
add_subdirectory(tools)
END
echo 'add_executable(plenum main.cpp)' >"$tree/tools/CMakeLists.txt"
program() {  # NAME: the program, which prints NAME first
  cat >"$tree/tools/main.cpp" <<END
#include <cstdio>
#include <unistd.h>
int main(int argc, char** argv) {
  char folder[4096];
  std::printf("$1 %s", getcwd(folder, sizeof folder));
  for (int i = 1; i < argc; ++i) std::printf(" [%s]", argv[i]);
  for (int c; (c = std::getchar()) != EOF;) std::putchar(c);
  return 3;
}
END
}
run="$tree/tools/run"
call() {  # NAME ARGS...: runs it with input, output goes to NAME.out and NAME.err, the exit code to NAME.code
  local name=$1 code=0
  shift
  echo " input" | "$@" >"$name.out" 2>"$name.err" || code=$?
  echo "$code" >"$name.code"
}

program one
call 1 "$run" "a b" ../c '*'
expect "folder, arguments and input reach the program" "one $PWD [a b] [../c] [*] input" "$(<1.out)"
expect "so does the exit code come back" 3 "$(<1.code)"
expect_text "what it says of the build goes to stderr" "main.cpp" 1.err

ln -s "$run" link
call 2 ./link
expect "works through a link" "one $PWD input" "$(<2.out)"
expect "does not build twice" "" "$(<2.err)"

program two
call 3 "$run" & call 4 "$run" & wait
expect "builds after a change" "two $PWD input" "$(<3.out)"
expect "for both of two callers" "two $PWD input" "$(<4.out)"
expect "once" 1 "$(cat 3.err 4.err | grep -c 'Linking')"

program 'three" error "'
call 5 "$run"
expect "a build that fails is not run" "" "$(<5.out)"
expect "and has an exit code of its own" 125 "$(<5.code)"

program four
# A compiler that is still at work when everything around it is killed.
echo "set_property(TARGET plenum PROPERTY RULE_LAUNCH_COMPILE \"env -- sh -c 'touch $PWD/started; sleep 2'\")" \
  >>"$tree/tools/CMakeLists.txt"
setsid "$run" >/dev/null 2>&1 &
interrupted=$!
for _ in {1..200}; do [[ ! -e started ]] || break; sleep 0.05; done
kill -KILL -- "-$interrupted"
wait "$interrupted" 2>/dev/null || true
sed -i '$d' "$tree/tools/CMakeLists.txt"
call 6 "$run"
expect "goes on after a build that was interrupted" "four $PWD input" "$(<6.out)"

: >"$tree/.build/release/build.ninja"
: >"$tree/.build/release/CMakeCache.txt"
program five
call 7 "$run"
expect "and after one that left nonsense" "five $PWD input" "$(<7.out)"

mv "$tree" "$tree moved"
call 8 "$tree moved/tools/run"
expect "and after the folder was moved" "five $PWD input" "$(<8.out)"
expect_text "which builds again" "Linking" 8.err
tree+=" moved"
run=$tree/tools/run

# --- A machine without some of the packages: dpkg-query, id, sudo and apt-get are played by scripts

mkdir fake
fake() {  # NAME TEXT
  printf '#!/bin/bash\n%s\n' "$2" >"fake/$1"
  chmod +x "fake/$1"
}
# Everything is there but libxxhash-dev, of which an old configuration is left, and cmake until apt-get has been here.
fake dpkg-query '
for p in "$@"; do
  case $p in
    -*) ;;
    libxxhash-dev) [[ -e installed ]] && echo "ii  $p" || echo "rc  $p" ;;
    cmake) [[ ! -e installed ]] || echo "ii  $p" ;;
    *) echo "ii  $p" ;;
  esac
done
[[ -e installed ]]'
fake id 'echo 1000'
fake sudo 'exit 1'
fake apt-get 'echo "$*" >>apt.log; exit 100'
export PATH=$PWD/fake:$PATH

program six
call 9 "$run"
expect "without packages and root, it stops" "" "$(<9.out)"
expect "with exit code 2" 2 "$(<9.code)"
expect_text "and the command to type" "    sudo apt-get install -y --no-install-recommends cmake libxxhash-dev" 9.err
expect "having tried nothing" 0 "$(ls apt.log 2>/dev/null | wc -l)"

fake id 'echo 0'
call 10 "$run"
expect "when apt-get fails, it stops" 2 "$(<10.code)"
expect_text "naming the packages" "could not install cmake libxxhash-dev" 10.err
expect_text "after looking for newer lists" "update" apt.log

rm apt.log
fake id 'echo 1000'
fake sudo '[[ $1 == -n ]] && shift; exec "$@"'
fake apt-get '
echo "$DEBIAN_FRONTEND $*" >>apt.log
echo apt-get speaks
cat
case "$*" in
  *--simulate*) [[ -e updated ]] ;;
  *update*) touch updated ;;
  *install*) [[ -e updated ]] && touch installed ;;
esac'
call 11 "$run"
expect "with sudo, it installs and runs" "six $PWD input" "$(<11.out)"
expect_text "with the output of apt-get on stderr" "apt-get speaks" 11.err
expect "asking no questions" 0 "$(grep -vc '^noninteractive' apt.log || true)"
expect "after one update" 1 "$(grep -c 'update' apt.log)"

rm updated installed apt.log
call 12 "$run"
expect "once built, packages are not looked at" "six $PWD input" "$(<12.out)"
expect "at all" "" "$(<12.err)"

echo "$failures failures"
exit $((failures > 0))
