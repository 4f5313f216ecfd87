// The reference of all commands and options as a page of the documents, made from what the program says of
// itself. host only
#pragma once

#include "apps/cli/app.hpp"

#include <string>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Markdown: for each command below the root how it is called, what it does, and its options. What all
/// commands below one command have in common stands there once. `known`: the applications, which describe
/// themselves.
[[nodiscard]] std::string reference_page(const CLI::App& root, applications known);

}  // namespace duomap::apps
