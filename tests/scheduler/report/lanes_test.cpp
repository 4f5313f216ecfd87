// Tests lanes: timelines of bounded size, and the speed of executors over time.
#include "scheduler/report/lanes.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::scheduler_lanes_test {
namespace {

using scheduler::lane;
using scheduler::lane_span;
using scheduler::lanes_of;
using scheduler::speed_of;

// Workers map chunks of one unit in 1 ms each, and wait 10 ms after every hundred.
std::vector<timeline_event> busy_workers(unsigned workers, unsigned chunks) {
  std::vector<timeline_event> events;
  for (unsigned worker = 0; worker < workers; ++worker) {
    double now = 0;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      events.push_back({"cpu worker " + std::to_string(worker), "map", now, now + 0.001, 1});
      now += 0.001;
      if (chunk % 100 != 99) continue;
      events.push_back({"cpu worker " + std::to_string(worker), "wait", now, now + 0.01});
      now += 0.01;
    }
  }
  return events;
}

std::size_t spans_of(const std::vector<lane>& lanes) {
  std::size_t sum = 0;
  for (const lane& one : lanes) sum += one.spans.size();
  return sum;
}

}  // namespace

TEST_CASE("lanes: events that are few enough stay as they were, in the order of time", "[explain]") {
  CHECK(lanes_of({}, 10).empty());
  const std::vector<timeline_event> events{
      {"b", "map", 2, 3, 7}, {"a", "wait", 0, 1}, {"b", "map", 0, 1, 5}, {"b", "commit", 1, 1}};
  const auto lanes = lanes_of(events, 4);
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].name == "b");
  const std::vector<lane_span> spans{
      {"map", 0, 1, 1, 1, 5}, {"commit", 1, 1, 0, 1, 0}, {"map", 2, 3, 1, 1, 7}};
  CHECK(lanes[0].spans == spans);
  CHECK(lanes[1].name == "a");
  CHECK(lanes[1].spans == std::vector<lane_span>{{"wait", 0, 1, 1, 1, 0}});
}

TEST_CASE("lanes: too many events are joined with their neighbours, and sums stay right", "[explain]") {
  constexpr unsigned workers = 16;
  constexpr unsigned chunks = 10'000;
  const auto events = busy_workers(workers, chunks);
  for (const std::size_t most : {1U, 100U, 1000U, 16'000U, 100'000U}) {
    INFO(most);
    const auto lanes = lanes_of(events, most);
    REQUIRE(lanes.size() == workers);
    CHECK(spans_of(lanes) <= std::max<std::size_t>(most, 2 * workers));
    if (most >= 1000) CHECK(spans_of(lanes) > most / 4);
    for (const lane& one : lanes) {
      std::uint64_t units = 0;
      std::uint64_t joined = 0;
      double before = 0;
      for (const lane_span& span : one.spans) {
        CHECK(span.begin >= before);
        CHECK(span.busy <= span.end - span.begin + 1e-9);
        before = span.end - 1e-9;
        units += span.units;
        joined += span.events;
      }
      CHECK(units == chunks);
      CHECK(joined == chunks + chunks / 100);
      CHECK(one.spans.front().begin == 0);
      CHECK(one.spans.back().end == Approx(11));
    }
  }
  // Events longer than the resolution stay separate.
  const auto lanes = lanes_of(events, 40'000);
  const auto waits = std::ranges::count_if(lanes[0].spans, [](const lane_span& one) {
    return std::string_view(one.what) == "wait" && one.events == 1;
  });
  CHECK(waits == chunks / 100);
}

TEST_CASE("lanes: a span is called after what took most of it", "[explain]") {
  const std::vector<timeline_event> events{
      {"a", "map", 0, 2, 5}, {"a", "wait", 2, 5}, {"a", "map", 5, 7, 6}, {"a", "commit", 7, 8}};
  const auto lanes = lanes_of(events, 1);
  REQUIRE(lanes.size() == 1);
  CHECK(lanes[0].spans == std::vector<lane_span>{{"map", 0, 8, 4, 4, 11}});
}

TEST_CASE("speed over time: what is mapped is spread over the time that it took", "[explain]") {
  run_report report;
  report.executors.resize(3);
  report.executors[0].name = "cpu";
  report.executors[1].name = "gpu 0: A";
  report.executors[2].name = "gpu 1: B";
  report.timeline = {{"cpu worker 0", "map", 0, 4, 40},      {"cpu worker 1", "map", 1, 2, 8},
                     {"cpu worker 1", "wait", 2, 4},         {"gpu 0: A", "submit", 0, 1, 100},
                     {"gpu 0: A copies", "copy", 0, 2, 100}, {"gpu 0: A kernels", "map", 2, 3.5, 99},
                     {"gpu 1: B", "submit", 3, 3, 30},       {"cpux", "map", 0, 4, 1000}};
  const auto speed = speed_of(report, 4);
  CHECK(speed.part_seconds == 1);
  const std::vector<std::vector<double>> expected{{10, 18, 10, 10}, {0, 0, 66, 33}, {0, 0, 0, 30}};
  REQUIRE(speed.units.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t part = 0; part < expected[i].size(); ++part)
      CHECK(speed.units[i][part] == Approx(expected[i][part]));
  }
  report.timeline.clear();
  for (const auto& units : speed_of(report, 4).units) CHECK(units == std::vector<double>(4, 0.0));
}

}  // namespace duomap::test::scheduler_lanes_test
