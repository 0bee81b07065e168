// SPDX-License-Identifier: Apache-2.0
// What the program prints, made fit for terminals: while a PrintableOutput is there, everything that goes to std::cout and
// std::cerr passes through printable_lines (variants/text/printable.h), whatever file, argument or table it comes from.
//
//     const PrintableOutput output;
//     std::cerr << "plenum: " << name_of_a_file << "\n";
//
// Thread-safety: as that of the streams; messages come from the main thread.
#pragma once

#include <ios>
#include <streambuf>
#include <string>
#include <string_view>

namespace plenum {

class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::streambuf* to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool pass(std::string_view text);
  std::streambuf* to_;
  std::string unfinished_;  // the beginning of a character
};

class PrintableOutput {
 public:
  PrintableOutput();
  ~PrintableOutput();
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

 private:
  std::streambuf* plain_out_;
  std::streambuf* plain_err_;
  PrintableBuffer out_;
  PrintableBuffer err_;
};

// "plenum: " and the message, a line on stderr.
void complain(std::string_view message);

}  // namespace plenum
