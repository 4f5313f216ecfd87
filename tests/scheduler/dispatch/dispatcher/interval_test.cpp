// Tests intervals of grains, from which callers take at both ends.
#include "scheduler/dispatch/dispatcher/interval.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_interval_test {

using duomap::scheduler::grain_range;
using duomap::scheduler::interval;

namespace {

bool is(grain_range range, std::uint32_t begin, std::uint32_t end) {
  return range.begin == begin && range.end == end && range.size() == end - begin;
}

}  // namespace

TEST_CASE("grains are taken from both ends until they meet", "[interval]") {
  interval grains(10);
  CHECK(grains.remaining() == 10);
  CHECK(is(grains.take_front(3), 0, 3));
  CHECK(is(grains.take_back(2), 8, 10));
  CHECK(is(grains.take_front(1), 3, 4));
  CHECK(grains.remaining() == 4);
  CHECK(is(grains.take_back(100), 4, 8));
  CHECK(grains.remaining() == 0);
  CHECK(grains.take_front(1).empty());
  CHECK(grains.take_back(1).empty());
  CHECK(grains.remaining() == 0);
}

TEST_CASE("grains from the front are given back and taken again", "[interval]") {
  interval grains(10);
  CHECK(is(grains.take_front(4), 0, 4));
  CHECK(is(grains.take_back(1), 9, 10));
  CHECK(is(grains.take_front(4), 4, 8));
  CHECK(grains.remaining() == 1);
  const grain_range last = grains.take_front(4);
  CHECK(is(last, 8, 9));
  const grain_range none = grains.take_front(4);
  CHECK(none.empty());
  CHECK(grains.take_back(1).empty());
  grains.give_back_front(none);
  CHECK(grains.remaining() == 0);
  grains.give_back_front(last);
  CHECK(grains.remaining() == 1);
  CHECK(is(grains.take_back(1), 8, 9));
}

TEST_CASE("there may be no grain, and none may be taken", "[interval]") {
  interval none(0);
  CHECK(none.remaining() == 0);
  CHECK(none.take_front(1).empty());
  CHECK(none.take_back(1).empty());
  interval grains(3);
  CHECK(grains.take_front(0).empty());
  CHECK(grains.take_back(0).empty());
  CHECK(grains.remaining() == 3);
}

TEST_CASE("there may be 2^32 - 1 grains", "[interval]") {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  interval grains(most);
  CHECK(grains.remaining() == most);
  CHECK(is(grains.take_back(1), most - 1, most));
  CHECK(is(grains.take_front(0x8000'0000), 0, 0x8000'0000));
  CHECK(is(grains.take_back(0x7FFF'FFFD), 0x8000'0001, most - 1));
  CHECK(grains.remaining() == 1);
  CHECK(is(grains.take_front(most), 0x8000'0000, 0x8000'0001));
  CHECK(grains.take_front(most).empty());

  interval all(most);
  CHECK(is(all.take_front(most), 0, most));
  CHECK(all.take_back(most).empty());
}

TEST_CASE("threads at both ends get every grain exactly once", "[interval]") {
  for (const std::uint32_t count : {1U, 7U, 50'000U}) {
    interval grains(count);
    constexpr unsigned takers = 6;
    std::vector<std::vector<grain_range>> taken(takers);
    {
      std::vector<std::jthread> threads;
      for (unsigned taker = 0; taker < takers; ++taker) {
        threads.emplace_back([&, taker] {
          for (std::uint32_t size = taker + 1;; size = size % 7 + 1) {
            const grain_range range = taker % 2 == 0 ? grains.take_front(size) : grains.take_back(size);
            if (range.empty()) return;
            taken[taker].push_back(range);
          }
        });
      }
    }
    std::vector<int> times(count, 0);
    std::uint32_t front_end = 0;
    std::uint32_t back_begin = count;
    for (unsigned taker = 0; taker < takers; ++taker) {
      for (const grain_range& range : taken[taker]) {
        REQUIRE(range.begin < range.end);
        REQUIRE(range.end <= count);
        for (std::uint32_t grain = range.begin; grain < range.end; ++grain) ++times[grain];
        if (taker % 2 == 0) front_end = std::max(front_end, range.end);
        if (taker % 2 == 1) back_begin = std::min(back_begin, range.begin);
      }
      // The claims of a thread go in one direction only.
      CHECK(std::is_sorted(taken[taker].begin(), taken[taker].end(), [&](const auto& a, const auto& b) {
        return taker % 2 == 0 ? a.begin < b.begin : a.begin > b.begin;
      }));
    }
    CHECK((times == std::vector<int>(count, 1)));
    CHECK(front_end == back_begin);
    CHECK(grains.remaining() == 0);
  }
}

}  // namespace duomap::test::scheduler_interval_test
