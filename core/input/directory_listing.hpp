// The files below a directory.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap {

/// A regular file, or a path that cannot be read.
struct listed_path {
  std::string path;
  std::string problem;  ///< empty for a file; otherwise the error message
};

/// The regular files in `directory` and its subdirectories, in byte order of their paths. Leaves out names
/// that begin with a dot, and devices, FIFOs and sockets. Follows symbolic links to files. Does not follow
/// links to directories, so no cycle is possible. Holds only one descriptor at a time.
[[nodiscard]] std::vector<listed_path> list_files_below(const std::string& directory);

}  // namespace duomap
