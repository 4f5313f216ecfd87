// Tests event_count, with which threads wait for changes.
#include "scheduler/dispatch/event_count.hpp"

#include "tests/catch.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_event_count_test {

using duomap::scheduler::event_count;

TEST_CASE("event count: a notification before waiting is not missed, and without one waiting ends",
          "[event_count]") {
  event_count changes;
  const auto before = changes.count();
  changes.notify();
  changes.wait(before, 1000);  // returns at once, because the count has changed
  CHECK(changes.count() == before + 1);
  changes.wait(changes.count(), 0);
  changes.wait(changes.count(), -1);
}

TEST_CASE("event count: a thread that waits sees the change", "[event_count]") {
  for (int round = 0; round < 200; ++round) {
    event_count changes;
    std::atomic<int> news = 0;
    std::vector<std::jthread> waiting;
    std::atomic<int> seen = 0;
    for (int i = 0; i < 3; ++i) {
      waiting.emplace_back([&] {
        while (true) {
          const auto count = changes.count();
          if (news.load(std::memory_order_relaxed) == 1) break;
          changes.wait(count, 1000);
        }
        ++seen;
      });
    }
    news.store(1, std::memory_order_relaxed);
    changes.notify();
    waiting.clear();
    CHECK(seen == 3);
  }
}

}  // namespace duomap::test::scheduler_event_count_test
