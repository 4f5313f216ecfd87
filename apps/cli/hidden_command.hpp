// Answers commands for scripts, which help does not list.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace duomap::apps {

/// `__complete WORD...` gives the candidates for the last word (apps/cli/complete.hpp), `__reference` the
/// page of all commands (apps/cli/reference_page.hpp), and `__manual FOLDER` writes the manual pages
/// (apps/cli/manual.hpp). Returns the text for standard output; nothing for any other command line. `known`:
/// the applications that the commands of `root` name.
[[nodiscard]] std::optional<std::string> hidden_command(const CLI::App& root, applications known, int argc,
                                                        const char* const* argv);

}  // namespace duomap::apps
