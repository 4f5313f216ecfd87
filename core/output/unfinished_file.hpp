// A file that is written under another name until it is complete.
// host only
#pragma once

#include "core/file_descriptor.hpp"

#include <sys/types.h>

#include <string>

namespace duomap {

/// A new file beside its target; its maker renames or removes it.
struct unfinished_file {
  file_descriptor file;  ///< for writing; none when no file could be made, and errno says why
  std::string path;
};

/// Makes a new file in the directory of `target`, with `permissions` less the umask. Its name follows from
/// the target's, so that what a killed process left is removed by the next one that writes the target. While
/// the file is open it is locked, which tells that its writer lives; beside a living one the name is random.
[[nodiscard]] unfinished_file create_unfinished(const std::string& target, mode_t permissions);

}  // namespace duomap
