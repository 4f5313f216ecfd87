// What a shell offers when a command line is completed: the scripts in apps/completion ask the program
// itself. host only
#pragma once

#include "apps/cli/app.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Candidates for the last of `words`, which may be empty; the words before it are complete, and the
/// program's name is not among them. `known`: the applications. One line for each: the word and, behind a
/// tab, what it means. Commands and applications, options, and words of options that take one of a few.
/// Nothing where a file may stand.
[[nodiscard]] std::string completions(const CLI::App& root, applications known,
                                      const std::vector<std::string>& words);

}  // namespace duomap::apps
