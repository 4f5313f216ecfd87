// Joins the timelines of consecutive runs.
#pragma once

#include "core/report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Appends a timeline that began `later` seconds after the other.
inline void append_timeline(std::vector<timeline_event>& to, std::vector<timeline_event> from, double later) {
  for (timeline_event& one : from) {
    one.begin += later;
    one.end += later;
    to.push_back(std::move(one));
  }
}

/// The end of a run, in seconds of its timeline.
[[nodiscard]] inline double end_of(const run_report& report) {
  double end = report.map_seconds + report.merge_seconds;
  for (const timeline_event& one : report.timeline) end = std::max(end, one.end);
  return end;
}

}  // namespace duomap::scheduler
