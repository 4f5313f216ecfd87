// Makes a timeline of bounded size. A lane has spans. If there are too many events, a span has several
// neighbouring events.
#pragma once

#include "core/report.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// One event of a lane, or several neighbours joined.
struct lane_span {
  const char* what = "";     ///< the kind of event that took most of the span's time
  double begin = 0;          ///< seconds since the run began
  double end = 0;            ///< the end of the last event
  double busy = 0;           ///< seconds of the events of kind `what`
  std::uint64_t events = 0;  ///< the number of joined events; 1: a single event
  std::uint64_t units = 0;   ///< of all events in the span

  friend bool operator==(const lane_span&, const lane_span&) = default;
};

struct lane {
  std::string name;  ///< name of the lane (timeline_event::lane)
  std::vector<lane_span> spans;
};

/// The lanes, in the order in which they first occur. Their spans are in the order of time. All lanes
/// together have at most `most` spans, or two for each lane if that is more. Neighbouring events are joined
/// if they end within one resolution after the first of them begins. The resolution is about the smallest at
/// which the spans fit. An event that is longer stays alone. Sums of units and events stay right.
[[nodiscard]] std::vector<lane> lanes_of(std::span<const timeline_event> events, std::size_t most);

/// For each executor of a report, the units that it mapped in each of `parts` equal parts of the timeline.
/// The units of an event are spread evenly over its time. If a device does not report when it maps, the
/// host's submits count. The work of a lost device counts when it was done, although others did it again.
struct speed_over_time {
  double part_seconds = 0;
  std::vector<std::vector<double>> units;  ///< [executor][part]
};
[[nodiscard]] speed_over_time speed_of(const run_report& report, std::size_t parts);

}  // namespace duomap::scheduler
