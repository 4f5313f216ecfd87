// A temporary file that never outlives the program, not even one that a signal or exit() ends.
// host only
#pragma once

#include <atomic>
#include <string>

namespace duomap {

/// Owns the path (not the descriptor) of a temporary file that exists. Used by one thread at a time.
///
/// Live objects are listed in a fixed table that a signal handler can walk; the few that find it full lose
/// only the protection against signals.
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

/// Removes all pending files, for a program that is about to end with _exit. Async-signal-safe. False, and
/// nothing is done, when a thread is just renaming one: that takes microseconds and must not be cut in two.
/// After true was returned the process must end: objects whose file was taken wait for that.
[[nodiscard]] bool remove_pending_files() noexcept;

}  // namespace duomap
