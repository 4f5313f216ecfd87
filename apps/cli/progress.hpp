// Shows the progress of a run: a bar on a terminal's last line, a line a minute in a log, or an event a
// second.
// host only
#pragma once

#include "apps/report/quantity.hpp"
#include "core/run_control.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace duomap::apps {

enum class progress_style {
  none,
  bar,     ///< redrawn on a terminal
  lines,   ///< a line a minute
  events,  ///< a JSON object a second, each on a line
};

/// The style for standard error. `quiet`, `json`: as run_arguments has them.
[[nodiscard]] progress_style progress_style_for(bool quiet, bool json);

/// A run's recent speed, so that the remaining time follows a speed that changes.
class recent_rate {
 public:
  /// Adds a sample: seconds and units since the run began. Ignores it if the last sample is less than 0.1 s
  /// old.
  void add(double seconds, std::uint64_t done);
  /// The speed over the last 30 s, or over all of a shorter run; 0 while nothing is known.
  [[nodiscard]] double units_per_second() const;

 private:
  struct sample {
    double seconds;
    std::uint64_t done;
  };
  std::deque<sample> samples_{{0, 0}};
};

/// The state of a run that the program shows.
struct progress_state {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0: unknown
  double seconds = 0;       ///< since the run began
  double rate = 0;          ///< units in a second
  double gpu_share = 0;     ///< the part of `done` that GPUs did
  input_unit unit = input_unit::bytes;

  [[nodiscard]] std::optional<double> seconds_left() const;
};

/// A text narrower than `columns`. With a known total it is "[####----]  43 %  1.20 GB of 2.80 GB  850 MB/s
/// GPU 82 %  2.00 s left", or the part of it that fits. Without a total it has the finished amount and the
/// rate.
[[nodiscard]] std::string progress_text(const progress_state& now, std::size_t columns);

/// The event {"event":"progress",...}, without a line end.
[[nodiscard]] std::string progress_event(const progress_state& now);

/// Shows the progress of a run on standard error. Waits before it shows anything, so short runs show nothing.
/// Any thread may call any method.
class progress {
 public:
  progress(const run_control& control, progress_style style, input_unit unit = input_unit::bytes);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// Calls finish().
  ~progress();

  /// Shows the present state if it is time to; call it about ten times a second.
  void draw();

  /// Removes the bar for good, so that other text may be written to the terminal.
  void finish();

 private:
  const run_control& control_;
  progress_style style_;
  input_unit unit_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  recent_rate rate_;       // guarded by mutex_
  double next_;            // guarded by mutex_: seconds after the start
  bool visible_ = false;   // guarded by mutex_
  bool finished_ = false;  // guarded by mutex_
};

}  // namespace duomap::apps
