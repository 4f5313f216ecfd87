// A temporary file that is removed even if exit() or a handled signal ends the program.
// host only
#pragma once

#include <atomic>
#include <string>

namespace duomap {

/// Owns the path (not the descriptor) of a temporary file that exists. Used by one thread at a time.
///
/// A fixed table that a signal handler can walk lists the objects that live. If the table is full, further
/// objects lose only the protection against signals.
class pending_file {
 public:
  explicit pending_file(std::string path);
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;
  /// Removes the file, unless it was renamed.
  ~pending_file();

  /// Makes the file the finished `target`, atomically. Throws output_error; the file is removed then.
  void rename_to(const std::string& target);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::atomic<const char*>* slot_ = nullptr;
  bool exists_ = true;
};

/// Removes all pending files, for a program that is about to end with _exit. Signal handlers may call it.
/// Returns false and does nothing while a thread renames a file, which takes microseconds and must not be
/// interrupted. After it has returned true the process must end, because objects whose files were removed
/// wait for the end.
[[nodiscard]] bool remove_pending_files() noexcept;

}  // namespace duomap
