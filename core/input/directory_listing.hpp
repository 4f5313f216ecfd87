// The files below a directory.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap {

/// A regular file, or a path that cannot be used.
struct listed_path {
  std::string path;
  std::string problem;  ///< empty for a file; otherwise the error message
};

/// The regular files in `directory` and its subdirectories, in byte order of their paths. Names that start
/// with a dot are left out, and so are devices, FIFOs and sockets. Symbolic links to files are followed;
/// links to directories are not, so that no cycle is possible. Holds one descriptor at a time, however deep
/// it goes.
[[nodiscard]] std::vector<listed_path> list_files_below(const std::string& directory);

}  // namespace duomap
