// Starts a program in a process group that is ended as a whole.
// host only
#pragma once

#include "core/run_control.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace duomap::apps {

/// The folder and the files that a started program gets.
struct child_place {
  int kept = -1;          ///< a descriptor that the program gets under the same number
  int folder = -1;        ///< its current folder; -1: this process's
  int said = -1;          ///< receives its standard output and error; -1: this process's
  std::string temporary;  ///< its $TMPDIR; empty: this process's
};

/// A running program in a process group of its own. One thread uses it.
class child_group {
 public:
  /// Starts the program at the path words[0] with these words as arguments.
  /// @throws error when it cannot be started
  child_group(const std::vector<std::string>& words, const child_place& place);
  child_group(const child_group&) = delete;
  child_group& operator=(const child_group&) = delete;
  /// Kills the group if it has not ended.
  ~child_group();

  /// Waits until the program has ended. Returns whether its exit status was 0.
  /// @throws interrupted, after killing the group, when the run is cancelled
  [[nodiscard]] bool wait_for_success(const run_control* control);

 private:
  void end();

  pid_t leader_ = -1;
  bool ended_ = false;
  bool well_ = false;
};

/// Kills all groups, for a process that is about to end with _exit. Signal handlers may call it.
void kill_child_groups() noexcept;

}  // namespace duomap::apps
