// Tests that the grain queue hands out each free grain once, from the right end.
#include "scheduler/dispatch/dispatcher/grain_queue.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_grain_queue_test {
namespace {

using scheduler::grain_queue;
using scheduler::grain_range;

constexpr std::array<double, 0> no_owners{};

double equally_fast(unsigned) { return 1; }

bool is(grain_range grains, std::uint32_t begin, std::uint32_t end) {
  return grains.begin == begin && grains.end == end;
}

}  // namespace

TEST_CASE("grain queue: without owners there is one interval for all", "[dispatch]") {
  grain_queue all(100, no_owners, false);
  CHECK(all.total() == 100);
  CHECK(all.intervals() == 1);
  CHECK(is(all.take(0, 30, equally_fast), 0, 30));
  CHECK(is(all.take(1, 100, equally_fast), 30, 100));
  CHECK(all.take(0, 1, equally_fast).empty());
  CHECK(all.free_grains() == 0);
}

TEST_CASE("grain queue: owners take from the low end, others from the high end of the longest",
          "[dispatch]") {
  grain_queue all(100, std::array{0.2, 0.0, 0.6}, false);
  CHECK(all.intervals() == 2);
  CHECK(is(all.take(0, 5, equally_fast), 0, 5));
  CHECK(is(all.take(2, 5, equally_fast), 25, 30));
  CHECK(is(all.take(1, 5, equally_fast), 95, 100));
  // The first interval has fewer grains, but its owner would take longer for them.
  const auto first_is_slow = [](unsigned owner) {
    return owner == 0 ? 100.0 : 1.0;
  };
  CHECK(is(all.take(1, 5, first_is_slow), 20, 25));
  CHECK(all.free_grains() == 80);
  // An owner whose interval is empty takes from the others.
  CHECK(is(all.take(0, 100, equally_fast), 5, 20));
  CHECK(is(all.take(0, 100, equally_fast), 30, 95));
  CHECK(all.free_grains() == 0);
}

TEST_CASE("grain queue: what came back is taken before another's interval is", "[dispatch]") {
  grain_queue all(100, std::array{1.0, 0.0}, false);
  const grain_range taken = all.take(0, 10, equally_fast);
  all.give_back({2, 6});
  all.give_back({});
  CHECK(all.free_grains() == 94);
  CHECK(is(all.take(1, 3, equally_fast), 3, 6));
  CHECK(is(all.take(1, 3, equally_fast), 2, 3));
  CHECK(is(all.take(1, 3, equally_fast), 97, 100));
  CHECK(is(taken, 0, 10));
}

TEST_CASE("grain queue: exclusive intervals are touched by their owners only, until one is disowned",
          "[dispatch]") {
  grain_queue all(100, std::array{0.5, 0.5}, true);
  CHECK(all.left_for(0) == 50);
  CHECK(all.take(0, 100, equally_fast).size() == 50);
  CHECK(all.take(0, 1, equally_fast).empty());
  CHECK(all.left_for(0) == 0);
  CHECK(all.free_grains() == 50);
  all.disown(1);
  CHECK(all.left_for(0) == 50);
  CHECK(is(all.take(0, 100, equally_fast), 50, 100));
  // In a queue where every owner may take from all intervals, disown() changes nothing.
  grain_queue shared(100, std::array{0.5, 0.5}, false);
  shared.disown(1);
  CHECK(is(shared.take(1, 10, equally_fast), 50, 60));
}

// The thread sanitizer checks this test.
TEST_CASE("grain queue: threads take and give back, and every grain is handed out", "[dispatch]") {
  constexpr std::uint32_t count = 20'000;
  grain_queue all(count, std::array{0.5, 0.5, 0.0, 0.0}, false);
  std::vector<std::vector<grain_range>> kept(4);
  {
    std::vector<std::jthread> threads;
    for (unsigned index = 0; index < 4; ++index) {
      threads.emplace_back([&, index] {
        for (unsigned claims = 1;; ++claims) {
          const grain_range taken = all.take(index, 7, equally_fast);
          if (taken.empty()) return;
          if (claims % 3 == 0) {
            all.give_back(taken);
          } else {
            kept[index].push_back(taken);
          }
        }
      });
    }
  }
  std::vector<int> times(count, 0);
  const auto count_in = [&](grain_range grains) {
    for (std::uint32_t i = grains.begin; i < grains.end; ++i) ++times[i];
  };
  for (const auto& some : kept) {
    for (const grain_range& grains : some) count_in(grains);
  }
  // Another thread may have given grains back after all others had stopped.
  for (grain_range rest = all.take(0, 7, equally_fast); !rest.empty(); rest = all.take(0, 7, equally_fast))
    count_in(rest);
  CHECK((times == std::vector<int>(count, 1)));
}

}  // namespace duomap::test::scheduler_grain_queue_test
