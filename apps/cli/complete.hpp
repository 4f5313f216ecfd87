// Finds the candidates with which a shell completes a command line. The scripts in apps/completion ask the
// program itself.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The candidates for the last of `words`, which may be empty. `words` begins behind the program's name.
/// `known`: the applications. Each line has a candidate and, behind a tab, its meaning. Candidates are
/// commands, applications, options, and the fixed words that an option accepts. There are no candidates where
/// a file may stand.
[[nodiscard]] std::string completions(const CLI::App& root, applications known,
                                      const std::vector<std::string>& words);

}  // namespace duomap::apps
