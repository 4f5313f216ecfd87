// What is wrong with a command line, in words that help.
// host only
#pragma once

#include "core/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace duomap::apps {

/// The error to throw for what the parser of `root` threw; names the argument and what could stand there.
[[nodiscard]] usage_error usage_problem(const CLI::ParseError& problem, const CLI::App& root);

}  // namespace duomap::apps
