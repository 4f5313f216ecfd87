// The timeline of a run in bounded room: lanes of spans, in which neighbours are joined when there are too
// many.
#pragma once

#include "core/report.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// One event of a lane, or neighbours that were joined.
struct lane_span {
  const char* what = "";     ///< what took most of it
  double begin = 0;          ///< seconds since the run began
  double end = 0;            ///< of the last event
  double busy = 0;           ///< seconds that `what` took in it
  std::uint64_t events = 0;  ///< joined; 1: as it was recorded
  std::uint64_t units = 0;   ///< of all of them

  friend bool operator==(const lane_span&, const lane_span&) = default;
};

struct lane {
  std::string name;  ///< timeline_event::lane
  std::vector<lane_span> spans;
};

/// The lanes in the order in which they first occur, each in the order of time, with at most `most` spans
/// together, or two for each lane if that is more. Events are joined with those that end within one
/// resolution after them, about the smallest that is coarse enough: what takes longer stays as it was, and
/// sums of units and events stay right.
[[nodiscard]] std::vector<lane> lanes_of(std::span<const timeline_event> events, std::size_t most);

/// What each executor of a report mapped in each of `parts` equal parts of its timeline, in units. An event
/// is taken to do the same in each moment. Of a device that does not tell when it maps, the host's submits
/// count. What a lost device had done counts where it did it, although others did it again.
struct speed_over_time {
  double part_seconds = 0;
  std::vector<std::vector<double>> units;  ///< [executor][part]
};
[[nodiscard]] speed_over_time speed_of(const run_report& report, std::size_t parts);

}  // namespace duomap::scheduler
