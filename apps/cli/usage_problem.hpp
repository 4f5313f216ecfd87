// Explains a mistake in a command line in words that help.
// host only
#pragma once

#include "core/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace duomap::apps {

/// The error to throw when the parser of `root` has thrown `problem`; it names the argument and the words
/// that could stand there.
[[nodiscard]] usage_error usage_problem(const CLI::ParseError& problem, const CLI::App& root);

}  // namespace duomap::apps
