// Tests which of several devices start, and when.
#include "scheduler/dispatch/dispatcher/device_start.hpp"

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/claims.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <cstdint>

namespace duomap::test::scheduler_device_start_test {

using duomap::scheduler::claim;
using duomap::scheduler::grain_dispatcher;

TEST_CASE("device start: of several devices that need a start one begins, the next when its speed is known",
          "[dispatcher]") {
  // 1000 grains of 10 ms; a start takes 0.1 s.
  grain_dispatcher all(1000, {device_of(0, 0.1), device_of(0, 0.1), device_of(0, 0.1)});
  CHECK_FALSE(all.starts(1, 0));
  REQUIRE(all.starts(0, 0));
  CHECK_FALSE(all.starts(1, 0.01));
  CHECK(all.starts(0, 0.05));  // a second question, while the start goes on
  all.started(0, 0.1);
  CHECK_FALSE(all.starts(1, 0.1));
  const claim first = all.next(0, 0.1);
  REQUIRE(takes(first));
  CHECK_FALSE(all.starts(1, 0.11));
  REQUIRE(all.finished(0, first.grains, 10e-3 * first.grains.size(), 0.1 + 10e-3 * first.grains.size()));
  const double later = 0.11 + 10e-3 * first.grains.size();
  CHECK(all.starts(2, later));
  CHECK_FALSE(all.starts(1, later));
}

TEST_CASE("device start: a first chunk that takes longer than a start is not waited for", "[dispatcher]") {
  grain_dispatcher all(4, {device_of(0, 0.1), device_of(0, 0.1)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0.1);
  REQUIRE(takes(all.next(0, 0.1)));
  CHECK_FALSE(all.starts(1, 0.15));
  CHECK(all.starts(1, 0.5));
}

TEST_CASE("device start: no further device is started for what one does sooner", "[dispatcher]") {
  // 1000 grains of 20 us.
  grain_dispatcher all(1000, {device_of(0, 0.1), device_of(0, 0.1)});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0.1);
  const claim first = all.next(0, 0.1);
  REQUIRE(takes(first));
  REQUIRE(all.finished(0, first.grains, 20e-6 * first.grains.size(), 0.101));
  CHECK_FALSE(all.starts(1, 0.102));
}

TEST_CASE("device start: a further device saves what the end of its context costs, too", "[dispatcher]") {
  // For 300 grains, one device takes 0.3 s. A second one cuts that to 0.175 s, plus 0.1 s at the end.
  const auto starts_with = [](std::uint32_t grains) {
    grain_dispatcher all(grains, {device_of(1e-3, 0.05), device_of(1e-3, 0.05)});
    REQUIRE(all.starts(0, 0));
    all.started(0, 0.05);
    return all.starts(1, 0.05);
  };
  CHECK(starts_with(300));
  CHECK_FALSE(starts_with(200));
}

TEST_CASE("device start: devices that have only to be prepared wait for no other", "[dispatcher]") {
  grain_dispatcher all(1000, {device_of(1e-3, 0.5e-3), device_of(1e-3, 0.5e-3)});
  CHECK(all.starts(1, 0));
  CHECK(all.starts(0, 0));
}

}  // namespace duomap::test::scheduler_device_start_test
