// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files, and over all files of folders: a corpus, or what libFuzzer has found, with any compiler.
//
//     description_replay tests/fuzz/corpus/description crash-0123
//
// Inputs that take more than a second are named; libFuzzer calls them findings.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path().string());
  }
  if (files.empty()) {
    std::fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    if (!fs::is_regular_file(file)) {
      std::fprintf(stderr, "%s is no file\n", file.c_str());
      return 2;
    }
    std::fprintf(stderr, "%s\n", file.c_str());  // before it may end the program
    const std::string bytes = plenum::fuzz::read_file(file);
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());  // so that reading beyond its end is seen
    const auto begin = std::chrono::steady_clock::now();
    LLVMFuzzerTestOneInput(input.data(), input.size());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds > 1) std::fprintf(stderr, "    took %.1f s\n", seconds);
  }
  std::printf("%zu inputs\n", files.size());
  return 0;
}
