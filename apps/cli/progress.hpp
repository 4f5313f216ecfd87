// A progress bar on a terminal's last line.
// host only
#pragma once

#include "core/run_control.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace duomap::apps {

/// Whether anybody would see a bar: standard error is a terminal that can move its cursor.
[[nodiscard]] bool progress_wanted();

/// The text of a bar, at most `columns` wide: with a known total "[####----]  43 %  1.20 GB of 2.80 GB  850
/// MB/s  2 s left", else (total 0) what has been done and the rate.
[[nodiscard]] std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds,
                                        std::size_t columns);

/// Draws how far a run is, on standard error. Nothing is drawn in the first half second: short runs leave the
/// terminal alone. Any thread may call any method.
class progress_bar {
 public:
  explicit progress_bar(const run_control& control);
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  /// finish().
  ~progress_bar();

  /// Draws the present state; to be called about ten times a second.
  void draw();

  /// Removes the bar for good: from now on other text may be written to the terminal.
  void finish();

 private:
  const run_control& control_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  bool visible_ = false;   // guarded by mutex_
  bool finished_ = false;  // guarded by mutex_
};

}  // namespace duomap::apps
