// duomap's programs find each other, and what is installed with them, by where they lie.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// The path of the file `name`: beside this program, or in the folder `installed`, seen from this program's.
/// @param advice how to get the file, for the message when it is in neither place
/// @throws error in that case
[[nodiscard]] std::string installed_file(const std::string& name, const std::string& installed,
                                         const std::string& advice);

/// Starts the program at `path` in place of this one, with these arguments, the last of which is null.
/// @throws error when it cannot be started
[[noreturn]] void become_program(const std::string& path, const char* const* argv);

}  // namespace duomap::apps
