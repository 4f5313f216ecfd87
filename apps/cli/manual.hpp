// Writes manual pages of all commands from their help texts.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <filesystem>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Makes the folder and writes one page for the root and for each command and application: duomap.1,
/// duomap-run.1, duomap-run-wordcount.1. A command without any option, not even --help, gets no page: another
/// program does that command and writes the page. `known`: the applications, which describe themselves.
/// @throws error when a page cannot be written
void write_manual(const CLI::App& root, applications known, const std::filesystem::path& folder);

}  // namespace duomap::apps
