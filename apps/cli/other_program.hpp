// duomap's programs find each other by where they lie.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// The path of the program `name`: beside this program, or in the folder `installed`, seen from this
/// program's.
/// @param advice how to get the program, for the message when it is in neither place
/// @throws error in that case
[[nodiscard]] std::string other_program(const std::string& name, const std::string& installed,
                                        const std::string& advice);

}  // namespace duomap::apps
