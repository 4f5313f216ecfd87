// Turns a mistake in a command line into a message that helps the user.
// host only
#pragma once

#include "core/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace duomap::apps {

/// Turns `problem`, which the parser of `root` has thrown, into the error to throw. Its message names the
/// argument and the accepted words.
[[nodiscard]] usage_error usage_problem(const CLI::ParseError& problem, const CLI::App& root);

}  // namespace duomap::apps
