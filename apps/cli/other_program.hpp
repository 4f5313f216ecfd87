// Finds duomap's programs and installed files relative to the folder of the running program.
// host only
#pragma once

#include "core/file_descriptor.hpp"

#include <string>

namespace duomap::apps {

/// The path of the file `name`: beside this program, or in the folder `installed`, relative to this program's
/// folder.
/// @param advice how to get the file, for the message when it is in neither place
/// @throws error when it is in neither place
[[nodiscard]] std::string installed_file(const std::string& name, const std::string& installed,
                                         const std::string& advice);

/// Replaces this process by the program at `path`, with these arguments, the last of which is null.
/// @throws error when it cannot be started
[[noreturn]] void become_program(const std::string& path, const char* const* argv);

/// Replaces this process by an open program, even if another file has its path now; `name` is for the
/// message.
[[noreturn]] void become_program(const file_descriptor& program, const std::string& name,
                                 const char* const* argv);

}  // namespace duomap::apps
