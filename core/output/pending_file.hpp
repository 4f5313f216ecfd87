// A temporary file that is removed even if exit() or a handled signal ends the program.
// host only
#pragma once

#include <atomic>
#include <string>

namespace duomap {

/// Owns the path (not the descriptor) of a temporary file that exists. Used by one thread at a time.
///
/// A table of fixed size lists all such objects for signal handlers. If the table is full, a signal does not
/// remove the files of further objects.
class pending_file {
 public:
  explicit pending_file(std::string path);
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;
  /// Removes the file, unless it was renamed.
  ~pending_file();

  /// Renames the finished file to `target`, atomically. On failure removes the file and throws output_error.
  void rename_to(const std::string& target);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::atomic<const char*>* slot_ = nullptr;
  bool exists_ = true;
};

/// Removes all pending files, for a program that is about to end with _exit. Signal handlers may call it.
/// Returns false and removes nothing while a thread renames a file, which takes microseconds and must not be
/// interrupted. If it returns true, the process must end: the owners of the removed files wait for that.
[[nodiscard]] bool remove_pending_files() noexcept;

}  // namespace duomap
