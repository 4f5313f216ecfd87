// Joins neighbouring events until they fit, and adds up units over time.
#include "scheduler/report/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

using events_of_lane = std::vector<const timeline_event*>;

// Joins the events [first, last) of a lane, of which there is at least one.
lane_span joined(events_of_lane::const_iterator first, events_of_lane::const_iterator last) {
  lane_span all{.begin = (*first)->begin};
  std::vector<std::pair<std::string_view, double>> times;
  for (auto at = first; at != last; ++at) {
    const timeline_event& one = **at;
    all.end = std::max(all.end, one.end);
    all.units += one.units;
    ++all.events;
    const auto known =
        std::ranges::find(times, std::string_view(one.what), &std::pair<std::string_view, double>::first);
    const auto its = known != times.end() ? known : times.insert(times.end(), {one.what, 0});
    its->second += one.end - one.begin;
    if (at == first || its->second > all.busy || all.what == its->first) {
      all.what = one.what;
      all.busy = its->second;
    }
  }
  return all;
}

std::vector<lane_span> joined_within(const events_of_lane& events, double resolution) {
  std::vector<lane_span> spans;
  for (auto first = events.begin(); first != events.end();) {
    auto last = std::next(first);
    while (last != events.end() && (*last)->end - (*first)->begin <= resolution) ++last;
    spans.push_back(joined(first, last));
    first = last;
  }
  return spans;
}

std::size_t count_within(const events_of_lane& events, double resolution) {
  std::size_t count = 0;
  const timeline_event* first = nullptr;
  for (const timeline_event* one : events) {
    if (first != nullptr && one->end - first->begin <= resolution) continue;
    first = one;
    ++count;
  }
  return count;
}

// The smallest resolution at which the spans fit. It is tried in steps of a quarter, from a microsecond to
// `longest`, at which each lane is a single span.
template <class Fits>
double finest(double longest, const Fits& fits) {
  constexpr double step = 1.25;
  const auto at = [](int number) {
    return 1e-6 * std::pow(step, number);
  };
  int low = 0;
  int high = std::max(0, static_cast<int>(std::ceil(std::log(longest / 1e-6) / std::log(step))));
  while (low < high) {
    const int middle = (low + high) / 2;
    if (fits(at(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return at(high);
}

bool is_of(const timeline_event& event, const executor_report& one) {
  return event.lane.starts_with(one.name) &&
         (event.lane.size() == one.name.size() || event.lane[one.name.size()] == ' ');
}

}  // namespace

std::vector<lane> lanes_of(std::span<const timeline_event> events, std::size_t most) {
  std::vector<lane> lanes;
  std::vector<events_of_lane> sorted;
  std::map<std::string_view, std::size_t> places;
  double end = 0;
  for (const timeline_event& one : events) {
    const auto [place, is_new] = places.try_emplace(one.lane, lanes.size());
    if (is_new) {
      lanes.push_back({one.lane, {}});
      sorted.emplace_back();
    }
    sorted[place->second].push_back(&one);
    end = std::max(end, one.end);
  }
  for (events_of_lane& one : sorted)
    std::ranges::stable_sort(one, {}, [](const timeline_event* event) { return event->begin; });

  double resolution = -1;  // no events are joined
  if (events.size() > most) {
    const auto fits = [&](double within) {
      std::size_t sum = 0;
      for (const events_of_lane& one : sorted) sum += count_within(one, within);
      return sum <= most;
    };
    resolution = finest(end, fits);
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].spans = joined_within(sorted[i], resolution);
  return lanes;
}

speed_over_time speed_of(const run_report& report, std::size_t parts) {
  double end = 0;
  for (const timeline_event& one : report.timeline) end = std::max(end, one.end);
  speed_over_time found{.part_seconds = end / static_cast<double>(parts), .units = {}};
  for (const executor_report& executor : report.executors) {
    std::vector<double>& units = found.units.emplace_back(parts, 0.0);
    const auto add = [&](std::string_view what) {
      bool any = false;
      for (const timeline_event& one : report.timeline) {
        if (one.units == 0 || one.what != what || !is_of(one, executor)) continue;
        any = true;
        const double begin = std::max(one.begin, 0.0);
        const double length = one.end - begin;
        const auto part_at = [&](double when) {
          return std::min(static_cast<std::size_t>(when / found.part_seconds), parts - 1);
        };
        const std::size_t last = part_at(one.end);
        for (std::size_t part = part_at(begin); part <= last; ++part) {
          const double from = std::max(begin, static_cast<double>(part) * found.part_seconds);
          const double to =
              part == last ? one.end : std::min(one.end, static_cast<double>(part + 1) * found.part_seconds);
          const double share = length > 0 ? std::max(to - from, 0.0) / length : part == last ? 1 : 0;
          units[part] += share * static_cast<double>(one.units);
        }
      }
      return any;
    };
    if (!add("map")) add("submit");
  }
  return found;
}

}  // namespace duomap::scheduler
