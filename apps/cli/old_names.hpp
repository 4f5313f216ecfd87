// Keeps old names of options working for one more version.
// host only
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Lets `command` take the option `now` by the name `old`, too, which neither help nor completion shows. The
/// command must have `now` already, and it must take a value. The first use adds to notes_on_old_names().
///   old_option_name(command, "--query", "--test");
void old_option_name(CLI::App& command, const std::string& old, const std::string& now);

/// A sentence for each old name on the command line.
[[nodiscard]] const std::vector<std::string>& notes_on_old_names();

}  // namespace duomap::apps
