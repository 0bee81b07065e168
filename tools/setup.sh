# SPDX-License-Identifier: Apache-2.0
# Installing and building: what tools/run, tools/test, tools/fuzz and tools/lint share. Sourced, not run; the caller has set `root`.
#
# Everything here writes to stderr and reads nothing from stdin, so that both belong to the program that follows.
# A build that has succeeded leaves a stamp. Its time is that of the build's *start*, so whatever changed during the build
# counts as changed after it; its content is the folder, so a tree that was moved is built again. One lock covers installing and building, so callers may come at the same time.

program_packages=(
  g++ cmake ninja-build libtbb-dev libabsl-dev libboost1.81-dev libboost-graph1.81-dev
  libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libnauty2-dev libxxhash-dev libzstd-dev libeigen3-dev
)
[[ $(uname -m) == x86_64 ]] && program_packages+=(libasmjit-dev)
mpi_packages=(libopenmpi-dev openmpi-bin)
test_packages=(libgtest-dev librapidcheck-dev python3 jq chromium chromium-driver)
lint_packages=(clang-format clang-tidy)
fuzz_packages=(clang-14 libclang-rt-14-dev)

# What the program is built from. Folders count too: their time changes when a file goes.
sources=(CMakeLists.txt CMakePresets.json variants tables solver tools)

say() { printf 'plenum: %s\n' "$*" >&2; }

# fresh PRESET: whether the program of that preset exists and nothing it is built from changed since.
# Compares the times of status change, which copying and moving old files into place sets too.
fresh() {
  local folder=$root/.build/$1
  [[ -x $folder/tools/plenum && -f $folder/.built && $(<"$folder/.built") == "$root" ]] &&
    [[ -z $(find "${sources[@]/#/$root/}" -cnewer "$folder/.built" -print -quit 2>&1) ]]
}

# has_mpi: whether the module was built that calls MPI.
has_mpi() { [[ -f $root/.build/release/tools/plenum_mpi.so ]]; }
more_options=()  # of cmake, besides those of the preset

# missing PACKAGE...: prints those that are not installed, each followed by a space.
missing() {
  local installed package
  installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^.i *//p') || true
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"$package"$'\n'* ]] || printf '%s ' "$package"
  done
}

# install PACKAGE...: installs those that are missing, or says what to do and exits with 2.
install() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system: what is called there $* has to be there already"
    return
  fi
  local absent as_root=()
  read -r -a absent <<<"$(missing "$@")" || true
  [[ ${#absent[@]} -gt 0 ]] || return 0

  local by_hand="apt-get install -y --no-install-recommends ${absent[*]}"
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      say "packages are missing, and installing them takes root. Run this, then try again:"
      if command -v sudo >/dev/null; then by_hand="sudo $by_hand"; fi
      printf '    %s\n' "$by_hand" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi

  say "installing ${absent[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300
             -o Acquire::http::Timeout=30)
  local get=("${apt[@]}" install -y --no-install-recommends "${absent[@]}")
  # The lists of a new machine are empty (the simulation fails), those of an old one may name files that are gone
  # (the installation fails): only then are they fetched.
  if ! { "${get[@]}" --simulate >/dev/null 2>&1 && "${get[@]}"; } && ! { "${apt[@]}" update && "${get[@]}"; }; then
    say "apt-get could not install ${absent[*]} (is there a network?). To try by hand:"
    printf '    %s\n' "apt-get update && $by_hand" >&2
    exit 2
  fi
}

# configure PRESET [CMAKE-ARGUMENT...]: a folder left unusable (moved, or interrupted at a bad moment) is set up afresh.
configure() {
  local preset=$1
  shift
  local command=(cmake --preset "$preset" -S "$root" "$@")
  if ! command -v ninja >/dev/null; then command+=(-G "Unix Makefiles"); fi
  if [[ -f $root/.build/$preset/CMakeCache.txt ]]; then
    "${command[@]}" && return
    say "configuring again from scratch"
  fi
  "${command[@]}" --fresh
}

# compilers: how many may run at the same time: one a core, with 2.5 GB each.
compilers() {
  local cores by_memory
  cores=$(nproc)
  by_memory=$cores
  [[ ! -r /proc/meminfo ]] || by_memory=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 2500000))
  if [[ $by_memory -lt 1 ]]; then by_memory=1; fi
  echo $((by_memory < cores ? by_memory : cores))
}

# build PRESET TARGET: configures and builds, and leaves the stamp. Exits with 125 when that fails.
build() {
  local preset=$1 target=$2 folder=$root/.build/$1 options=("${more_options[@]}")
  # Who has no test packages can still run the program.
  if command -v dpkg-query >/dev/null && [[ -n $(missing "${test_packages[@]}") ]]; then options+=(-DPLENUM_TESTS=OFF); fi
  mkdir -p "$folder"
  echo "$root" >"$folder/.building"
  if ! configure "$preset" "${options[@]}" || ! cmake --build "$folder" --target "$target" --parallel "$(compilers)"; then
    say "the build failed"
    exit 125
  fi
  mv "$folder/.building" "$folder/.built"
}

# locked COMMAND...: runs it while no other caller installs or builds, with stdout turned to stderr and no stdin.
# Compilers inherit the lock: should this script be killed, the next caller waits for those it leaves behind.
locked() {
  if ! mkdir -p "$root/.build" || ! exec 9>>"$root/.build/lock"; then
    say "cannot write to $root/.build"
    exit 125
  fi
  if ! flock -n 9; then
    say "waiting for another build of this folder to end"
    flock 9
  fi
  "$@" >&2 </dev/null
  exec 9>&-
}
