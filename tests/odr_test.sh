#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/odr_test.sh: builds the program as one whole (the preset odr: -flto -Wodr) and fails where one name means two
# things. Takes some minutes. First it sees whether the compiler finds a planted case, so that silence means something.
set -euo pipefail

root=$(readlink -f "${BASH_SOURCE[0]}")
root=${root%/tests/odr_test.sh}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/a.cpp" <<'CPP'
#include <string>
namespace plenum {
struct Planted { int one; Planted(); ~Planted(); virtual int f(); };
Planted::Planted() : one(0) {} Planted::~Planted() = default; int Planted::f() { return one; }
}
int g();
int main() { plenum::Planted p; return p.f() + g(); }
CPP
cat >"$folder/b.cpp" <<'CPP'
#include <string>
namespace plenum {
struct Planted { std::string two; double three; virtual int f(); virtual int h() { return 1; } };
int make(Planted* p) { return p->h(); }
}
int g() { return plenum::make(nullptr); }
CPP
options=(-O1 -flto=auto -fno-fat-lto-objects -Wodr -Werror=odr)
if g++ "${options[@]}" "$folder/a.cpp" "$folder/b.cpp" -o "$folder/planted" 2>"$folder/said" ||
  ! grep -q "Planted" "$folder/said"; then
  echo "the compiler does not find a planted case:"
  cat "$folder/said"
  exit 1
fi

# The program itself, in a folder beside the other builds.
cmake --preset odr -S "$root" >/dev/null
cmake --build "$root/.build/odr" --target plenum --parallel "$(nproc)"
