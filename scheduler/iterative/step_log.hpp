// Records the times of a job's steps in bounded memory.
#pragma once

#include "core/report.hpp"
#include "core/worker_pool.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// A lane of events of one kind, in the order of time, with one writer. If there is no room for more,
/// neighbouring events are joined in pairs, and later events in groups of the same size. Lengths and units
/// are added up, and the pauses between joined events move to their end. So sums stay right, and no two
/// events overlap.
class step_lane {
 public:
  /// `most`: the largest number of events, an even number. Times count from `origin`.
  step_lane(std::string name, const char* what, double origin, std::size_t most)
    : name_(std::move(name)), what_(what), origin_(origin), most_(most) {}

  /// Adds an event. It must not begin before the last event has ended.
  void add(double begin, double end, std::uint64_t units = 0);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  void append_to(std::vector<timeline_event>& timeline) const;
  /// The largest number of events that were joined to one; 1: none were joined.
  [[nodiscard]] std::uint64_t joined() const noexcept { return group_; }

 private:
  struct event {
    double begin = 0;
    double seconds = 0;
    std::uint64_t units = 0;
    std::uint64_t count = 1;
  };

  std::string name_;
  const char* what_;
  double origin_;
  std::size_t most_;
  std::uint64_t group_ = 1;
  std::vector<event> events_;
};

/// The lanes of a job's workers and devices. Each lane has one writer at a time. One thread adds lanes while
/// others may write to existing lanes.
class step_log {
 public:
  /// `now` is the time 0 of the timeline, by the caller's clock.
  step_log(double now, unsigned workers);

  [[nodiscard]] step_lane& worker(unsigned number) { return workers_[number]; }
  /// Returns another lane by its name, and adds it if it is missing.
  [[nodiscard]] step_lane& lane(const std::string& name, const char* what);

  /// The events, lane after lane.
  [[nodiscard]] std::vector<timeline_event> timeline() const;
  /// A sentence that says that events were joined; empty: none were joined.
  [[nodiscard]] std::string note() const;

 private:
  double origin_;
  std::size_t most_;
  std::vector<step_lane> workers_;
  std::deque<step_lane> others_;
};

/// The clock of jobs outside of tests, in seconds.
[[nodiscard]] inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Calls work(), which returns the number of units that it has done. Adds an event for them to the lane,
/// unless the lane is null or work() returns no value. Returns the seconds that work() took.
template <class Work>
double timed(step_lane* lane, const Work& work) {
  const double begin = steady_seconds();
  const std::optional<std::uint64_t> units = work();
  const double end = steady_seconds();
  if (lane != nullptr && units) lane->add(begin, end, *units);
  return end - begin;
}

/// Calls pool.run_workers(body). Each body returns the number of units that it has done, and gets an event in
/// `log`, which may be null.
template <class Body>
void run_logged(worker_pool& pool, step_log* log, const Body& body) {
  pool.run_workers([&](unsigned worker) {
    timed(log != nullptr ? &log->worker(worker) : nullptr, [&] { return body(worker); });
  });
}

}  // namespace duomap::scheduler
