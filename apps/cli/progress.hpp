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

/// A run's recent speed. It predicts the remaining time of a run whose speed changes.
class recent_rate {
 public:
  /// Adds a sample: seconds and units since the run began. Ignores it within 0.1 s of the last sample.
  void add(double seconds, std::uint64_t done);
  /// The speed over the last 30 s, or over the whole run if it is shorter; 0 while nothing is known.
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

/// A text with fewer characters than `columns`. With a known total it is, as far as there is room,
///   "[####----]  43 %  1.20 GB of 2.80 GB  850 MB/s  GPU 82 %  2.00 s left"
/// Without a total it has the finished amount and the rate.
[[nodiscard]] std::string progress_text(const progress_state& now, std::size_t columns);

/// The event {"event":"progress",...}, without a line end.
[[nodiscard]] std::string progress_event(const progress_state& now);

/// Shows the progress of a run on standard error. Shows nothing for short runs. Any thread may call any
/// method.
class progress {
 public:
  progress(const run_control& control, progress_style style, input_unit unit = input_unit::bytes);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// Calls finish().
  ~progress();

  /// Shows the present state, unless the last update is too recent. Call it about ten times a second.
  void draw();

  /// Removes the bar for good. Then the caller may write other text to the terminal.
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
