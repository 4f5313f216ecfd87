// Tests scheduler/iterative/iteration.hpp: a call that runs while the scripted devices get the data of an
// iterative job.
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "scheduler/iterative/iteration.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/iterative/scripted_job.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace duomap::test::scheduler_iteration_test {

TEST_CASE("iteration: something is done on the caller's thread while devices get their parts",
          "[iteration]") {
  for (const unsigned devices : {0u, 1u, 3u}) {
    CAPTURE(devices);
    scripted_job job(some_rows);
    job.devices.resize(devices);
    std::mutex mutex;
    std::condition_variable changed;
    bool met = false;
    unsigned given = 0;
    for (script& one : job.devices) {
      one.while_held = [&] {
        std::unique_lock lock(mutex);
        ++given;
        changed.notify_all();
        // Only a failing test reaches this time limit.
        changed.wait_for(lock, std::chrono::seconds(60), [&] { return met; });
      };
    }
    job.start_at_once = true;
    job.start();
    unsigned calls = 0;
    job.job->place(job.task(), [&, caller = std::this_thread::get_id()](const std::atomic<unsigned>& left) {
      CHECK(std::this_thread::get_id() == caller);
      std::unique_lock lock(mutex);
      CHECK(changed.wait_for(lock, std::chrono::seconds(60), [&] { return given == devices; }));
      CHECK(left == devices);
      met = true;
      ++calls;
      changed.notify_all();
      lock.unlock();
      for (int i = 0; i < 60'000 && left > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      CHECK(left == 0);
    });
    CHECK(calls == 1);
    job.steps(1);
    CHECK(given == devices);  // no part moves to another device before the first step
    job.steps(2);
  }
}

TEST_CASE("iteration: placing the data fails, or what is done meanwhile does", "[iteration]") {
  scripted_job job(some_rows);
  job.start_at_once = true;
  job.devices.resize(2);
  job.devices[0].fails_at_hold = 0;
  job.start();
  unsigned calls = 0;
  // A device is lost and the other gets its part, but the call is not repeated.
  job.job->place(job.task(), [&](const auto&) { ++calls; });
  CHECK(calls == 1);
  CHECK(job.job->report().degraded);
  CHECK_THROWS_AS(job.job->place(job.task(), [](const auto&) { throw std::runtime_error("meanwhile"); }),
                  std::runtime_error);
  job.steps(3);

  scripted_job both(some_rows);
  both.start_at_once = true;
  both.devices.resize(2);
  both.devices[1].fails_at_hold = 0;
  both.start();
  CHECK_THROWS_AS(both.job->place(both.task(), [](const auto&) { throw std::runtime_error("meanwhile"); }),
                  std::runtime_error);
  CHECK(both.job->report().degraded);
  both.steps(3);

  scripted_job strict(some_rows);
  strict.start_at_once = true;
  strict.devices.resize(1);
  strict.devices[0].fails_at_hold = 0;
  strict.start({.strict = true});
  CHECK_THROWS_AS(
      strict.job->place(strict.task(), [](const auto&) { throw std::runtime_error("meanwhile"); }),
      device_lost);

  run_control control;
  scripted_job cancelled(some_rows);
  cancelled.start({.control = &control});
  control.cancelled = true;
  CHECK_THROWS_AS(cancelled.job->place(cancelled.task(), [&](const auto&) { ++calls; }), interrupted);
  CHECK(calls == 1);
}

}  // namespace duomap::test::scheduler_iteration_test
