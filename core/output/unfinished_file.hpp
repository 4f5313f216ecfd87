// A file that has another name until it is complete.
// host only
#pragma once

#include "core/file_descriptor.hpp"

#include <sys/types.h>

#include <string>
#include <utility>

namespace duomap {

/// A new file beside its target. The destructor removes the file unless release() was called, even if the
/// writer has run out of memory.
class unfinished_file {
 public:
  unfinished_file() = default;
  unfinished_file(file_descriptor its, std::string at) : file(std::move(its)), path_(std::move(at)) {}
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;
  ~unfinished_file();

  /// Call it when the file has been renamed or has another owner.
  void release() noexcept { released_ = true; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  file_descriptor file;  ///< for writing; none when no file could be made, and errno says why

 private:
  std::string path_;  // empty when there is no file
  bool released_ = false;
};

/// Makes a new file in the directory of `target`, with `permissions` less the umask. Its name follows from
/// the target's, so the next process that writes the target can remove a file that a killed process left. The
/// file is locked while its writer lives. If a living writer has the name, the new file gets a random one.
[[nodiscard]] unfinished_file create_unfinished(const std::string& target, mode_t permissions);

}  // namespace duomap
