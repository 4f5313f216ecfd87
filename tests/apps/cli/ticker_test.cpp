// Tests that a ticker ticks until its destructor, which returns at once.
#include "apps/cli/ticker.hpp"

#include "tests/catch.hpp"

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

namespace duomap::apps::apps_cli_ticker_test {

TEST_CASE("a ticker ticks again and again", "[apps]") {
  std::atomic<int> ticks{0};
  {
    const ticker ticking(std::chrono::milliseconds(1), [&] { ticks.fetch_add(1); });
    while (ticks < 3) {
      std::this_thread::yield();
    }
  }
  const int at_end = ticks;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(ticks == at_end);
}

TEST_CASE("a ticker ends before its period is over", "[apps]") {
  std::atomic<int> ticks{0};
  // If the destructor waited for the period of an hour, the test would time out.
  {
    const ticker ticking(std::chrono::hours(1), [&] { ticks.fetch_add(1); });
  }
  CHECK(ticks == 0);
}

TEST_CASE("a tick that throws ends nothing", "[apps]") {
  std::atomic<int> ticks{0};
  const ticker ticking(std::chrono::milliseconds(1), [&] {
    ticks.fetch_add(1);
    throw std::bad_alloc();
  });
  while (ticks < 3) {
    std::this_thread::yield();
  }
}

}  // namespace duomap::apps::apps_cli_ticker_test
