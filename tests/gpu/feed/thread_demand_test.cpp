// Tests how many threads bring input to a device.
#include "gpu/feed/thread_demand.hpp"

#include "gpu/feed/feed_policy.hpp"
#include "tests/catch.hpp"

#include <algorithm>

namespace duomap::test::gpu_feed_thread_demand_test {
namespace {

/// Simulates 1600 parts. A thread needs 1 ms for a part, and the link takes a part every `link_ms`. Returns
/// the time of the end.
double feed(gpu::thread_demand& demand, double link_ms, double now) {
  for (unsigned i = 0; i < 1600; ++i) {
    now += std::max(link_ms, 1.0 / demand.threads());
    static_cast<void>(demand.read(1.0, now));
  }
  return now;
}

}  // namespace

TEST_CASE("feeding takes five of eight cores, and ten for a GPU", "[gpu][staging]") {
  CHECK(gpu::staging_threads(1, 1) == 1);
  CHECK(gpu::staging_threads(2, 1) == 1);
  CHECK(gpu::staging_threads(8, 1) == 5);
  CHECK(gpu::staging_threads(16, 1) == 10);
  CHECK(gpu::staging_threads(128, 1) == 10);
  CHECK(gpu::staging_threads(64, 8) == 5);
  CHECK(gpu::staging_threads(4, 8) == 1);
  CHECK(gpu::staging_threads(0, 0) == 1);
  CHECK(gpu::usable_cores() >= 1);
}

TEST_CASE("feeding takes more cores where no workers want them", "[gpu][staging]") {
  CHECK(gpu::lone_staging_threads(16, 1) == 14);
  CHECK(gpu::lone_staging_threads(32, 2) == 14);
  CHECK(gpu::lone_staging_threads(24, 2) == 10);
  CHECK(gpu::lone_staging_threads(8, 2) == 2);
  CHECK(gpu::lone_staging_threads(128, 8) == 14);
  CHECK(gpu::lone_staging_threads(128, 2) == 14);
  CHECK(gpu::lone_staging_threads(2, 1) == 1);
  CHECK(gpu::lone_staging_threads(4, 8) == 1);
  CHECK(gpu::lone_staging_threads(0, 0) == 1);
}

TEST_CASE("what a device needed is expected of the next run", "[gpu][staging]") {
  gpu::remember_staging_threads(0);  // as in a new process
  CHECK(gpu::expected_staging_threads(16, 1) == 10);
  gpu::remember_staging_threads(7);
  CHECK(gpu::expected_staging_threads(16, 1) == 7);
  CHECK(gpu::expected_staging_threads(16, 4) == 2);
  gpu::remember_staging_threads(7);  // as many as there are
  CHECK(gpu::expected_staging_threads(16, 1) == 8);
  gpu::remember_staging_threads(3);
  CHECK(gpu::expected_staging_threads(16, 1) == 7);
  gpu::remember_staging_threads(0);
}

TEST_CASE("as many threads feed as the link needs, and one more", "[gpu][staging]") {
  gpu::thread_demand demand(10);
  CHECK(demand.threads() == 10);
  CHECK_FALSE(demand.measured().has_value());
  demand.begins(1000);
  double now = feed(demand, 0.155, 1000);  // the link takes 6.45 parts in 1 ms, so it needs 6.45 threads
  CHECK(demand.threads() == 8);
  CHECK(demand.measured() == 8u);
  now = feed(demand, 0.05, now);  // needs 20 threads
  CHECK(demand.threads() == 10);
  now = feed(demand, 2, now);  // needs half a thread
  CHECK(demand.threads() == 2);
  now = feed(demand, 0.05, now);
  CHECK(demand.threads() == 10);
  now = feed(demand, 0.155, now);
  CHECK(demand.threads() == 8);
  // The first parts do not count, because threads and buffers are still being made.
  gpu::thread_demand fresh(10);
  fresh.begins(0);
  for (unsigned i = 1; i <= 640; ++i) REQUIRE_FALSE(fresh.read(0.1, i));
  CHECK_FALSE(fresh.measured().has_value());
  for (unsigned i = 641; i <= 1280; ++i) static_cast<void>(fresh.read(0.1, i));
  CHECK(fresh.measured() == 2u);
  gpu::thread_demand one(1);
  feed(one, 0.1, 0);
  CHECK(one.threads() == 1);
}

TEST_CASE("time without anything to read says nothing about how many threads are needed", "[gpu][staging]") {
  gpu::thread_demand demand(6);  // decides after 384 parts, which are 128 rounds here
  double now = 5;
  for (unsigned i = 0; i < 1024; ++i) {
    // Two threads are always busy; one of them finishes its parts in the pause.
    demand.begins(now);
    now += 1;
    static_cast<void>(demand.read(1.25, now));
    demand.runs_dry(now);
    static_cast<void>(demand.read(0.5, now + 1));
    static_cast<void>(demand.read(0.25, now + 2));
    now += 100;
  }
  CHECK(demand.measured() == 3u);
}

}  // namespace duomap::test::gpu_feed_thread_demand_test
