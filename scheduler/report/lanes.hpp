// Makes a timeline of bounded size: lanes of spans, in which neighbouring events are joined when there are
// too many.
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
  const char* what = "";     ///< the kind of event that took most of the span
  double begin = 0;          ///< seconds since the run began
  double end = 0;            ///< the end of the last event
  double busy = 0;           ///< seconds of events of the kind `what`
  std::uint64_t events = 0;  ///< the number of joined events; 1: a single event
  std::uint64_t units = 0;   ///< of all events

  friend bool operator==(const lane_span&, const lane_span&) = default;
};

struct lane {
  std::string name;  ///< timeline_event::lane
  std::vector<lane_span> spans;
};

/// The lanes in the order in which they first occur, each in the order of time. They have at most `most`
/// spans together, or two for each lane if that is more. Neighbours are joined if they end within one
/// resolution after the first of them begins; the resolution is about the smallest that makes the spans fit.
/// Longer events stay as they are, and sums of units and events stay right.
[[nodiscard]] std::vector<lane> lanes_of(std::span<const timeline_event> events, std::size_t most);

/// The units that each executor of a report mapped in each of `parts` equal parts of its timeline. An event's
/// units are spread evenly over its time. For a device that does not report when it maps, the host's submits
/// count. The work of a lost device counts where it did it, although others did it again.
struct speed_over_time {
  double part_seconds = 0;
  std::vector<std::vector<double>> units;  ///< [executor][part]
};
[[nodiscard]] speed_over_time speed_of(const run_report& report, std::size_t parts);

}  // namespace duomap::scheduler
