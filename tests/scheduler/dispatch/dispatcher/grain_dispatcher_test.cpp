// Tests each decision of the grain dispatcher by itself.
#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/claims.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_grain_dispatcher_test {

using duomap::scheduler::claim;
using duomap::scheduler::dispatch_rule;
using duomap::scheduler::grain_dispatcher;
using duomap::scheduler::grain_range;

TEST_CASE("grain dispatcher: a pool alone gets leaves that shrink towards the end", "[dispatcher]") {
  grain_dispatcher all(1000, {pool_of(4)});
  std::uint32_t last = 16;
  std::uint32_t sum = 0;
  while (true) {
    const claim one = all.next(0, 0);
    if (!takes(one)) break;
    CHECK(one.grains.size() <= last);
    last = one.grains.size();
    sum += last;
  }
  CHECK(last == 1);
  CHECK(sum == 1000);
  CHECK(ends(all.next(0, 0)));
}

TEST_CASE("grain dispatcher: leaves of slow tasks take 2 ms at most", "[dispatcher]") {
  grain_dispatcher all(100'000, {pool_of(4, 1e-3 / 4)});
  CHECK(all.next(0, 0).grains.size() == 2);
}

TEST_CASE("grain dispatcher: devices take from the low end and pools from the high end", "[dispatcher]") {
  grain_dispatcher all(10'000, {device_of(1e-6), pool_of(4, 1e-6)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  const claim low = all.next(0, 0);
  const claim high = all.next(1, 0);
  REQUIRE(takes(low));
  REQUIRE(takes(high));
  CHECK(low.grains.begin == 0);
  CHECK(high.grains.end == 10'000);
}

TEST_CASE("grain dispatcher: an executor too slow for what is left takes none", "[dispatcher]") {
  grain_dispatcher all(8, {device_of(1e-6), pool_of(4, 1.0)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  const claim slow = all.next(1, 0);
  CHECK(waits(slow));
  CHECK(slow.until > 0);
  CHECK(slow.relies_on == 0U);
  CHECK(takes(all.next(0, 0)));
}

TEST_CASE("grain dispatcher: a device is started when that pays", "[dispatcher]") {
  grain_dispatcher small(100, {device_of(1e-6, 0.2), pool_of(4, 1e-4)});
  CHECK_FALSE(small.starts(0, 0));
  CHECK(waits(small.ask_later(0, 0)));
  grain_dispatcher large(100'000, {device_of(1e-6, 0.2), pool_of(4, 1e-4)});
  CHECK(large.starts(0, 0));
  grain_dispatcher solo(1, {device_of(1e-6, 0.2)});
  CHECK(solo.starts(0, 0));
  grain_dispatcher nothing(0, {device_of(1e-6, 0.2), pool_of(4, 1e-4)});
  CHECK_FALSE(nothing.starts(0, 0));
  CHECK(ends(nothing.ask_later(0, 0)));
}

TEST_CASE("grain dispatcher: a run that has taken long enough starts a device that seemed to be of no use",
          "[dispatcher]") {
  const std::vector<scheduler::executor_config> configs{device_of(1, 0.2), pool_of(4, 1e-3)};
  grain_dispatcher never(1000, configs);
  CHECK_FALSE(never.starts(0, 0.1));
  grain_dispatcher later(1000, configs, {.start_after_seconds = 0.1});
  CHECK_FALSE(later.starts(0, 0.09));
  CHECK(later.starts(0, 0.1));
  grain_dispatcher nothing(0, configs, {.start_after_seconds = 0.1});
  CHECK_FALSE(nothing.starts(0, 0.1));
}

TEST_CASE("grain dispatcher: a device nothing is known of waits for the pool's first grain", "[dispatcher]") {
  grain_dispatcher all(100'000, {device_of(), pool_of(4)});
  CHECK_FALSE(all.starts(0, 0));
  const claim first = all.next(1, 0);
  REQUIRE(takes(first));
  CHECK(first.grains.size() == 1);
  all.finished(1, first.grains, 1e-3, 1e-3);
  CHECK(all.starts(0, 1e-3));
  all.started(0, 1e-3);
  // The device's first claim is small, to measure its speed.
  const claim probe = all.next(0, 1e-3);
  REQUIRE(takes(probe));
  CHECK(probe.grains.size() <= 100'000 / 256);
  // The device gets one claim until its speed is measured.
  CHECK(waits(all.next(0, 1e-3)));
  all.finished(0, probe.grains, 1e-4, 2e-3);
  CHECK(takes(all.next(0, 2e-3)));
}

TEST_CASE("grain dispatcher: nobody ends before what devices hold is safe", "[dispatcher]") {
  grain_dispatcher all(100, {device_of(1e-5), pool_of(1, 1e-5)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  const claim held = all.next(0, 0);
  REQUIRE(takes(held));
  take_all(all, 1, 0, 1e-5);
  CHECK(waits(all.next(1, 1)));
  CHECK_FALSE(all.complete());
  SECTION("committed") {
    CHECK(all.finished(0, held.grains, 1e-3, 1e-3));
    // The pool takes all other grains.
    take_all(all, 0, 1);
    REQUIRE(all.commits(0, 1));
    CHECK(waits(all.next(1, 1)));
    CHECK(all.committed(0));
    CHECK(ends(all.next(1, 1)));
    CHECK(all.complete());
  }
  SECTION("lost") {
    all.failed(0);
    CHECK(ends(all.next(0, 1)));
    CHECK_FALSE(all.finished(0, held.grains, 1, 1));
    CHECK_FALSE(all.committed(0));
    std::uint32_t returned = 0;
    for (const grain_range& one : take_all(all, 1, 1)) returned += one.size();
    CHECK(returned >= held.grains.size());
    CHECK(ends(all.next(1, 2)));
    CHECK(all.complete());
  }
}

TEST_CASE("grain dispatcher: grains that found no memory come again, smaller", "[dispatcher]") {
  grain_dispatcher all(1000, {device_of(1e-5)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  std::uint32_t size = 0;
  for (unsigned depth = 3; depth > 0;) {
    const claim one = all.next(0, 0);
    REQUIRE(takes(one));
    if (size > 0) CHECK(one.grains.size() <= size);
    size = one.grains.size();
    const bool goes_on = all.refused(0, one.grains);
    if (size > 1) {
      CHECK(goes_on);
      size = size / 2;
    } else {
      CHECK(all.depth(0) == (depth > 1 ? depth - 1 : 1));
      --depth;
      CHECK(goes_on == (depth > 0));
    }
  }
  CHECK(ends(all.next(0, 0)));
  CHECK(all.free_grains() == 1000);
}

TEST_CASE("grain dispatcher: a device that hangs times out once, and only when it does", "[dispatcher]") {
  grain_dispatcher all(1000, {device_of(1e-5), pool_of(1, 1e-5)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  const claim one = all.next(0, 0);
  REQUIRE(takes(one));
  CHECK_FALSE(all.overdue(4));
  CHECK_FALSE(all.time_out(0, 4));
  CHECK(all.overdue(6) == 0U);
  CHECK(all.time_out(0, 6));
  CHECK_FALSE(all.time_out(0, 6));
  CHECK_FALSE(all.overdue(7));
  CHECK_FALSE(all.finished(0, one.grains, 6, 6));
  CHECK_FALSE(all.complete());
  const std::uint32_t free = all.free_grains();
  all.timed_out(0, 0);
  CHECK(all.free_grains() == free + one.grains.size());
}

TEST_CASE(
    "grain dispatcher: a device that gets its first grains late and hangs times out as soon as one that "
    "commits",
    "[dispatcher]") {
  grain_dispatcher all(1000, {device_of(), pool_of(1, 1e-5)},
                       {.rule = dispatch_rule::split, .shares = {0.5, 0.5}});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  REQUIRE(takes(all.next(0, 100)));
  CHECK_FALSE(all.overdue(129));
  CHECK(all.overdue(131) == 0U);
}

TEST_CASE("grain dispatcher: a commit that ended before its device timed out counts", "[dispatcher]") {
  for (const bool counts : {false, true}) {
    grain_dispatcher all(1000, {device_of(1e-5), pool_of(1, 1e-5)});
    REQUIRE(all.starts(0, 0));
    all.started(0, 0);
    const claim one = all.next(0, 0);
    REQUIRE(takes(one));
    all.finished(0, one.grains, 1e-3, 1e-3);
    REQUIRE(all.commits(0, 1));
    REQUIRE(all.time_out(0, 40));
    const std::uint32_t free = all.free_grains();
    CHECK(all.timed_out(0, counts ? 1 : 0) == counts);
    CHECK(all.free_grains() == free + (counts ? 0 : one.grains.size()));
    CHECK_FALSE(all.committed(0));
  }
}

TEST_CASE("grain dispatcher: workers are throttled while a device is at work, and are called when it is not",
          "[dispatcher]") {
  auto pool = pool_of(4, 3e-6);
  pool.idle = 3;
  grain_dispatcher all(10'000, {device_of(1e-6), pool});
  // Late in the run, when no further device will start.
  std::vector<bool> in(4, false);
  const auto turn = [&](double now) {
    unsigned count = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = all.may_claim(1, in[i], now);
      count += in[i] ? 1U : 0U;
    }
    return count;
  };
  CHECK(turn(1) == 4);
  REQUIRE(all.starts(0, 1));
  all.started(0, 1);
  const claim held = all.next(0, 1);
  REQUIRE(takes(held));
  CHECK(turn(1) == 1);
  CHECK(turn(1) == 1);
  CHECK(all.next_turn(1) > 1);
  SECTION("it has ended nothing for so long that it seems to hang") { CHECK(turn(2) == 4); }
  SECTION("it has failed") {
    all.failed(0);
    CHECK(turn(1) == 4);
  }
  SECTION("it has done everything") {
    CHECK(all.finished(0, held.grains, 1e-3, 1.001));
    take_all(all, 0, 1.001, 1e-6);
    CHECK(turn(1.01) == 4);
  }
}

TEST_CASE("grain dispatcher: workers that are throttled are no help with the end of a run", "[dispatcher]") {
  // All 16 workers would finish the last 200 grains in 0.8 ms, the device with its commit in 1.2 ms. But 10
  // of the workers would have to wake up first.
  auto pool = pool_of(16, 4e-6);
  pool.idle = 10;
  auto gpu = device_of(1e-6);
  gpu.model.end_seconds = 1e-3;
  for (const bool throttled : {false, true}) {
    CAPTURE(throttled);
    grain_dispatcher all(100'000, {gpu, pool});
    REQUIRE(all.starts(0, 0));
    all.started(0, 0);
    const claim first = all.next(0, 0);
    REQUIRE(takes(first));
    REQUIRE(all.finished(0, first.grains, 1e-3, 1e-3));
    const claim second = all.next(0, 1e-3);
    REQUIRE(takes(second));
    // A device without open grains is not at work, so no worker is throttled for it.
    if (!throttled) REQUIRE(all.finished(0, second.grains, 1e-6 * second.grains.size(), 1e-3));
    for (bool in = false; all.free_grains() > 200;) {
      in = all.may_claim(1, in, 1e-3);
      const claim leaf = all.next(1, 1e-3);
      REQUIRE(takes(leaf));
      all.finished(1, leaf.grains, 64e-6 * leaf.grains.size(), 1e-3);
    }
    CHECK(takes(all.next(0, 1e-3)) == throttled);
  }
}

TEST_CASE("grain dispatcher: pools are held back as long as they are to and a device takes part",
          "[dispatcher]") {
  // The device's speed is unknown. It needs no calibration ramp, because it does all work.
  grain_dispatcher all(10'000, {device_of(), pool_of(4, 3e-6)}, {.hold_back_seconds = 1});
  CHECK_FALSE(all.may_claim(1, false, 0));
  CHECK(all.next_turn(0.999) == Approx(1));
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  CHECK_FALSE(all.may_claim(1, false, 0));
  SECTION("the device does everything") {
    std::uint32_t sum = 0;
    for (const grain_range& one : take_all(all, 0, 0, 1e-5)) {
      sum += one.size();
      CHECK_FALSE(all.may_claim(1, false, 1e-3));
    }
    CHECK(sum == 10'000);
    CHECK(waits(all.next(1, 1e-3)));  // no end yet: uncommitted grains may come back
    REQUIRE(all.commits(0, 1e-3));
    REQUIRE(all.committed(0));
    CHECK(ends(all.next(1, 1e-3)));
  }
  SECTION("it takes too long") {
    REQUIRE(takes(all.next(0, 0)));
    CHECK(all.may_claim(1, false, 1.5));
    CHECK(takes(all.next(1, 1.5)));
  }
  SECTION("it has failed") {
    REQUIRE(takes(all.next(0, 0)));
    all.failed(0);
    CHECK(all.may_claim(1, false, 0.1));
    std::uint32_t sum = 0;
    for (const grain_range& one : take_all(all, 1, 0.1)) sum += one.size();
    CHECK(sum == 10'000);
  }
}

TEST_CASE("grain dispatcher: a device that times out while it starts stays lost, whenever it has started",
          "[dispatcher]") {
  for (int round = 0; round < 3000; ++round) {
    grain_dispatcher all(1000, {device_of(1e-6, 1e-3), pool_of(1, 1e-2)});
    REQUIRE(all.starts(0, 0));
    std::atomic<int> ready{0};
    const auto meet = [&] {
      ready.fetch_add(1);
      while (ready.load() < 2) {
      }
    };
    bool timed_out = false;
    {
      const std::jthread other([&] {
        meet();
        timed_out = all.time_out(0, 100);
      });
      meet();
      all.started(0, 100);
    }
    REQUIRE(all.has_failed(0) == timed_out);
  }
}

// The thread sanitizer checks this test: all threads use all shared data.
TEST_CASE("grain dispatcher: threads claim, finish, commit and lose, and every grain is safe once",
          "[dispatcher]") {
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t count = 5000;
    grain_dispatcher all(count, {device_of(1e-6), device_of(1e-6), pool_of(3, 1e-6)});
    std::vector<std::vector<grain_range>> safe(5);
    {
      std::vector<std::jthread> threads;
      for (unsigned index = 0; index < 2; ++index) {
        threads.emplace_back([&, index] {
          if (!all.starts(index, 0)) return;
          all.started(index, 0);
          std::vector<grain_range> held;
          for (int claims = 0;; ++claims) {
            const claim one = all.next(index, 0);
            if (takes(one)) {
              if (index == 0 && claims == 5 + round) return all.failed(index);
              if (all.finished(index, one.grains, 1e-6 * one.grains.size(), 0)) held.push_back(one.grains);
              continue;
            }
            if (all.commits(index, 0) && all.committed(index))
              safe[index].insert(safe[index].end(), held.begin(), held.end());
            held.clear();
            if (ends(one)) return;
            std::this_thread::yield();
          }
        });
      }
      for (unsigned worker = 0; worker < 3; ++worker) {
        threads.emplace_back([&, worker] {
          while (true) {
            const claim one = all.next(2, 0);
            if (ends(one)) return;
            if (waits(one)) {
              std::this_thread::yield();
              continue;
            }
            all.finished(2, one.grains, 1e-6 * one.grains.size(), 0);
            safe[2 + worker].push_back(one.grains);
          }
        });
      }
    }
    CHECK(all.complete());
    std::vector<int> times(count, 0);
    for (const auto& some : safe) {
      for (const grain_range& one : some) {
        for (std::uint32_t grain = one.begin; grain < one.end; ++grain) ++times[grain];
      }
    }
    CHECK((times == std::vector<int>(count, 1)));
  }
}

}  // namespace duomap::test::scheduler_grain_dispatcher_test
