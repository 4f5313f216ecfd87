// Joins neighbouring events of a lane if there is no room for more.
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>

namespace duomap::scheduler {
namespace {

// The number of events in all lanes together, roughly. A page shows 16,000 events.
constexpr std::size_t events_of_log = 32'768;
constexpr std::size_t fewest_of_lane = 128;
// The lanes beside those of workers: three for each device, and one for the merge.
constexpr std::size_t other_lanes = 8;

}  // namespace

void step_lane::add(double begin, double end, std::uint64_t units) {
  if (!events_.empty() && events_.back().count < group_) {
    event& last = events_.back();
    last.seconds += end - begin;
    last.units += units;
    ++last.count;
    return;
  }
  if (events_.size() == most_) {
    for (std::size_t i = 0; i < most_ / 2; ++i) {
      const event &first = events_[2 * i], &second = events_[2 * i + 1];
      events_[i] = {first.begin, first.seconds + second.seconds, first.units + second.units,
                    first.count + second.count};
    }
    events_.resize(most_ / 2);
    group_ *= 2;
  }
  events_.push_back({begin - origin_, end - begin, units});
}

void step_lane::append_to(std::vector<timeline_event>& timeline) const {
  for (const event& one : events_)
    timeline.push_back({name_, what_, one.begin, one.begin + one.seconds, one.units});
}

step_log::step_log(double now, unsigned workers)
  : origin_(now), most_(std::max(events_of_log / (workers + other_lanes) / 2 * 2, fewest_of_lane)) {
  for (unsigned i = 0; i < workers; ++i)
    workers_.emplace_back(workers > 1 ? "cpu worker " + std::to_string(i) : "cpu", "map", origin_, most_);
}

step_lane& step_log::lane(const std::string& name, const char* what) {
  const auto found = std::ranges::find(others_, name, &step_lane::name);
  return found != others_.end() ? *found : others_.emplace_back(name, what, origin_, most_);
}

std::vector<timeline_event> step_log::timeline() const {
  std::vector<timeline_event> all;
  for (const step_lane& one : workers_) one.append_to(all);
  for (const step_lane& one : others_) one.append_to(all);
  return all;
}

std::string step_log::note() const {
  std::uint64_t most = 1;
  for (const step_lane& one : workers_) most = std::max(most, one.joined());
  for (const step_lane& one : others_) most = std::max(most, one.joined());
  if (most == 1) return {};
  return "the timeline has up to " + std::to_string(most) +
         " neighbouring events of a lane as one, with their time and units together";
}

}  // namespace duomap::scheduler
