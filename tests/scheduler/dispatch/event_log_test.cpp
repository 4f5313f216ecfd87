// Tests the event log of a worker: it counts every lost event, and neither reader nor writer waits.
#include "scheduler/dispatch/event_log.hpp"

#include "tests/catch.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

namespace duomap::test::scheduler_event_log_test {

using scheduler::event_log;

TEST_CASE("an event log tells what was added, in order, once", "[explain]") {
  event_log log(10);
  CHECK(log.take().empty());
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 7; ++i) log.add({"step", event_log::lane::kernels, i + 0.0, i + 0.5});
    const auto all = log.take();
    REQUIRE(all.size() == 7);
    for (int i = 0; i < 7; ++i) {
      const auto& one = all[static_cast<std::size_t>(i)];
      CHECK(std::string(one.what) == "step");
      CHECK(one.on == event_log::lane::kernels);
      CHECK(one.begin == i);
      CHECK(one.end == i + 0.5);
    }
    CHECK(log.take().empty());
  }
  CHECK(log.dropped() == 0);
}

TEST_CASE("an event log that is full keeps the beginning and counts the rest", "[explain]") {
  event_log log(3);
  for (int i = 0; i < 10; ++i) log.add({"step", event_log::lane::host, i + 0.0, i + 1.0});
  CHECK(log.dropped() == 7);
  const auto all = log.take();
  REQUIRE(all.size() == 3);
  CHECK(all[2].begin == 2);
  log.add({"step", event_log::lane::host, 11, 12});
  CHECK(log.take().size() == 1);
  CHECK(log.dropped() == 7);
}

TEST_CASE("an event log is read while it is written", "[explain]") {
  constexpr std::uint64_t count = 100'000;
  event_log log(64);
  std::atomic<bool> ended{false};
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto number = static_cast<double>(i);
      log.add({"step", event_log::lane::host, number, -number});
    }
    ended = true;
  });
  std::uint64_t seen = 0;
  double last = -1;
  bool whole = true;
  for (bool last_look = false; !last_look;) {
    last_look = ended;
    for (const event_log::event& one : log.take()) {
      whole = whole && one.begin > last && one.end == -one.begin;
      last = one.begin;
      ++seen;
    }
  }
  writer.join();
  CHECK(whole);
  CHECK(seen + log.dropped() == count);
}

}  // namespace duomap::test::scheduler_event_log_test
