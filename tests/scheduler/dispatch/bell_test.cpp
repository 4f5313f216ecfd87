// Waiting for changes.
#include "scheduler/dispatch/bell.hpp"

#include "tests/catch.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_bell_test {

using duomap::scheduler::bell;

TEST_CASE("bell: a ring before waiting is not missed, and without one waiting ends", "[bell]") {
  bell changes;
  const auto before = changes.rung();
  changes.ring();
  changes.wait(before, 1000);  // returns at once
  CHECK(changes.rung() == before + 1);
  changes.wait(changes.rung(), 0);
  changes.wait(changes.rung(), -1);
}

TEST_CASE("bell: who waits sees what it was rung for", "[bell]") {
  for (int round = 0; round < 200; ++round) {
    bell changes;
    std::atomic<int> news = 0;
    std::vector<std::jthread> waiting;
    std::atomic<int> seen = 0;
    for (int i = 0; i < 3; ++i) {
      waiting.emplace_back([&] {
        while (true) {
          const auto rung = changes.rung();
          if (news.load(std::memory_order_relaxed) == 1) break;
          changes.wait(rung, 1000);
        }
        ++seen;
      });
    }
    news.store(1, std::memory_order_relaxed);
    changes.ring();
    waiting.clear();
    CHECK(seen == 3);
  }
}

}  // namespace duomap::test::scheduler_bell_test
