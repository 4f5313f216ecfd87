// Joins the timelines of runs that follow each other.
#pragma once

#include "core/report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Appends the timeline of a run that began `later` seconds after the first run.
inline void append_timeline(std::vector<timeline_event>& to, std::vector<timeline_event> from, double later) {
  for (timeline_event& one : from) {
    one.begin += later;
    one.end += later;
    to.push_back(std::move(one));
  }
}

/// The end of a run, in seconds on its timeline.
[[nodiscard]] inline double end_of(const run_report& report) {
  double end = report.map_seconds + report.merge_seconds;
  for (const timeline_event& one : report.timeline) end = std::max(end, one.end);
  return end;
}

}  // namespace duomap::scheduler
