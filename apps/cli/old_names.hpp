// Keeps old names of options working for one more version.
// host only
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Lets `command` accept the old name `old` for its option `now`. Help and completion do not show `old`.
/// `now` must exist already, and it must take a value. The first use adds to notes_on_old_names().
///   old_option_name(command, "--query", "--test");
void old_option_name(CLI::App& command, const std::string& old, const std::string& now);

/// A sentence for each old name that the user typed.
[[nodiscard]] const std::vector<std::string>& notes_on_old_names();

}  // namespace duomap::apps
