// SPDX-License-Identifier: Apache-2.0
// What is said of a command line that cannot be read.
#pragma once

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plenum {

// Says what is wrong, with the names that may have been meant; the exit code.
int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

}  // namespace plenum
