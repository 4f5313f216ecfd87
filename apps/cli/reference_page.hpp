// Makes the page of the documents that lists all commands and options, from their help texts.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The page in Markdown: usage, description and options of each command. Options that all subcommands of a
/// command share are listed once, at that command. `known`: the applications, which describe themselves.
[[nodiscard]] std::string reference_page(const CLI::App& root, applications known);

}  // namespace duomap::apps
