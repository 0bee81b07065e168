// SPDX-License-Identifier: Apache-2.0
// Descriptions: any text is read or refused, and what is read is a game that keeps its promises.
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plenum;
  fuzz::Input in(data, size);
  absl::StatusOr<Description> description = fuzz::described(in.rest());
  if (!description.ok()) return fuzz::for_people(description.status());
  fuzz::Input choices(data, size);
  fuzz::check_description(*std::move(description), choices);
  return 0;
}
