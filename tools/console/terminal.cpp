// SPDX-License-Identifier: Apache-2.0
#include "tools/console/terminal.h"

#include <iostream>

#include "variants/text/printable.h"

namespace plenum {

bool PrintableBuffer::pass(std::string_view text) {
  unfinished_ += text;
  std::string shown;
  unfinished_.erase(0, append_printable(unfinished_, shown));
  return to_->sputn(shown.data(), static_cast<std::streamsize>(shown.size())) ==
         static_cast<std::streamsize>(shown.size());
}

std::streambuf::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return pass({&one, 1}) ? c : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
  return pass({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int PrintableBuffer::sync() { return to_->pubsync(); }

PrintableOutput::PrintableOutput()
    : plain_out_(std::cout.rdbuf()), plain_err_(std::cerr.rdbuf()), out_(plain_out_), err_(plain_err_) {
  std::cout.rdbuf(&out_);
  std::cerr.rdbuf(&err_);
}

PrintableOutput::~PrintableOutput() {
  std::cout.flush();
  std::cout.rdbuf(plain_out_);
  std::cerr.rdbuf(plain_err_);
}

void complain(std::string_view message) { std::cerr << "plenum: " << message << "\n"; }

}  // namespace plenum
