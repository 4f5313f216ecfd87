// Tests the steps of an iterative job. Scripted devices map their data on the host, report a time, and fail
// when the script says so.
#include "scheduler/iterative/iteration.hpp"

#include "core/result.hpp"
#include "core/run_control.hpp"
#include "cpu/cpu_backend.hpp"
#include "duomap.hpp"
#include "scheduler/report/explain.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/dense_tasks.hpp"
#include "tests/scheduler/iterative/scripted_job.hpp"
#include "tests/support/threaded_pool.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace duomap::test::scheduler_iteration_test {
TEST_CASE("iteration: steps give what runs give, and the split is corrected", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  job.start();
  job.steps(30);
  const iterative_report told = job.job->report();
  CHECK(told.steps == 30);
  CHECK(told.units == some_rows * 4);
  REQUIRE(told.parts.size() == 2);
  CHECK(told.parts[0].name == "cpu");
  CHECK(told.parts[1].share > 0.7);
  CHECK(told.parts[1].share < 0.9);
  CHECK(told.parts[1].moved_bytes == job.devices[0].copied);
  // The device keeps its data, so no part of it is copied twice.
  CHECK(told.parts[1].moved_bytes <= told.units);
  CHECK(told.planned_seconds > 0);
  CHECK_FALSE(told.degraded);
}

TEST_CASE("iteration: a device that cannot help gets nothing, and the report says why", "[iteration]") {
  for (const bool slow_device : {true, false}) {
    scripted_job job(some_rows);
    job.devices.resize(1);
    (slow_device ? job.devices[0].seconds_per_unit : job.pool_seconds_per_unit) = per_unit(1e-6);
    job.start();
    job.steps(20);
    const iterative_report told = job.job->report();
    CHECK(told.parts[slow_device ? 1 : 0].share == 0);
    CHECK(told.parts[slow_device ? 1 : 0].reason == "it would make a step less than 2 % shorter");
    CHECK(told.parts[slow_device ? 0 : 1].share == 1);
  }
}

TEST_CASE("iteration: it explains its split in words", "[iteration]") {
  iterative_report told{
      .units = 1000, .steps = 7, .seconds = 0.25, .step_seconds = 0.03125, .split_changes = 2};
  told.degraded = true;
  told.parts.push_back({.name = "cpu", .planned_share = 0.25, .share = 0.5, .steps = 7});
  told.parts.push_back({.name = "gpu 0",
                        .planned_share = 0.75,
                        .reason = "it has failed",
                        .steps = 1,
                        .moved_bytes = 750,
                        .moves = 1,
                        .move_seconds = 0.5,
                        .trouble = "gpu 0 takes no part any more: scripted"});
  CHECK(
      scheduler::explain(told) ==
      std::vector<std::string>{
          "7 steps over 1000 units in 0.25 s, the last in 0.03125 s; the shares changed 2 times",
          "cpu: planned 25.0 %, has 50.0 %, took part in 7 steps",
          "gpu 0: planned 75.0 %, has nothing: it has failed, took part in 1 step, got 750 bytes in 1 move, "
          "0.5 s; "
          "gpu 0 takes no part any more: scripted",
          "degraded: a device stopped; the results are complete"});
}

TEST_CASE("iteration: a device is not looked for while steps without it are cheap", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  job.start_at_once = false;
  job.pool_seconds_per_unit = per_unit(1e-9);  // 1.3 ms a step; starting a device takes 250 ms
  job.start();
  job.steps(20);
  CHECK(job.job->report().parts.size() == 1);
  job.pool_seconds_per_unit = per_unit(1e-7);
  job.steps(3);
  CHECK(job.job->report().parts.size() == 2);
  CHECK(job.devices[0].steps > 0);
}

TEST_CASE("iteration: the split by hand moves the boundary, also back", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.start();
  for (const double share : {0.5, 0.9, 0.1, 0.0, 1.0, 0.3}) {
    CAPTURE(share);
    job.job->share_by_hand(share);
    job.steps(2);
    double devices = 0;
    for (std::size_t i = 1; i < 4; ++i) devices += job.job->report().parts[i].share;
    CHECK(devices == Approx(share).margin(0.08));
  }
  CHECK_THROWS_AS(job.job->share_by_hand(1.5), usage_error);
}

TEST_CASE("iteration: a lost device's part is done in the same step", "[iteration]") {
  for (const bool at_begin : {false, true}) {
    for (const unsigned when : {0u, 1u, 7u}) {
      CAPTURE(at_begin, when);
      scripted_job job(some_rows);
      job.devices.resize(2);
      job.devices[0].fails_at_step = when;
      job.devices[0].at_begin = at_begin;
      job.start();
      job.steps(12);
      const iterative_report told = job.job->report();
      CHECK(told.degraded);
      CHECK(told.parts[1].share == 0);
      CHECK_THAT(told.parts[1].trouble, contains("gpu 0 takes no part any more: scripted"));
      CHECK(told.parts[2].share > 0);
    }
  }
}

TEST_CASE("iteration: a device that hangs is given up, and its part is done in the same step",
          "[iteration]") {
  for (const bool with_pool : {true, false}) {
    for (const unsigned when : {0U, 1U, 7U}) {
      CAPTURE(with_pool, when);
      scripted_job job(some_rows);
      if (!with_pool) job.pool_seconds_per_unit = 0;
      job.devices.resize(2);
      job.devices[0].hangs_at_step = when;
      job.start();
      job.steps(12);
      const iterative_report told = job.job->report();
      CHECK(told.degraded);
      CHECK(job.devices[0].given_up == 1);
      const iterative_part& hanging = told.parts[with_pool ? 1 : 0];
      CHECK(hanging.share == 0);
      CHECK_THAT(hanging.trouble, contains("gpu 0 did not answer"));
    }
  }
}

TEST_CASE("iteration: a device that hangs alone is waited for until the job is cancelled", "[iteration]") {
  run_control control;
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  job.devices.resize(1);
  job.devices[0].hangs_at_step = 2;
  job.devices[0].cancels_after_long = &control;
  job.start({.control = &control});
  CHECK_THROWS_AS(job.steps(12), interrupted);
  CHECK(job.devices[0].given_up == 1);
  CHECK(job.time.now >= 1000);
}

TEST_CASE("iteration: a device lost while it starts or is given its part", "[iteration]") {
  for (const bool at_start : {true, false}) {
    scripted_job job(some_rows);
    job.devices.resize(1);
    job.devices[0].fails_at_start = at_start;
    if (!at_start) job.devices[0].fails_at_hold = 0;
    job.start();
    job.steps(4);
    CHECK(job.job->report().degraded);
    CHECK(job.job->report().parts[0].share == 1);
  }
}

namespace {

/// A second task over the same rows.
struct by_last_digit {
  using format = rows<std::int32_t>;
  using key = dense;
  using reduce = sum<std::int64_t>;
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return 10; }
  DUOMAP_HD void map(const row<std::int32_t>& one, auto& emit) const {
    emit(static_cast<std::uint64_t>(std::abs(std::int64_t{one[0]}) % 10), std::int64_t{one[0]});
  }
};

}  // namespace

TEST_CASE("iteration: another task maps each part where it is, also when a device is lost in it",
          "[iteration]") {
  for (const bool with_pool : {true, false}) {
    for (const bool loses : {false, true}) {
      CAPTURE(with_pool, loses);
      scripted_job job(some_rows);
      if (!with_pool) job.pool_seconds_per_unit = 0;
      job.devices.resize(2);
      job.start();
      script in_pass[2];
      simulated_clock times[2];
      if (loses) in_pass[0].fails_at_step = 0;
      iteration_parts<by_last_digit> how;
      how.make_pool = [](const by_last_digit& with, worker_pool& on) {
        return std::make_unique<cpu::cpu_backend<by_last_digit>>(with, on);
      };
      const auto loop_on = [&](const auto& device) {
        const std::size_t i = device.name == "gpu 0" ? 0 : 1;
        return std::make_unique<scripted_loop<by_last_digit>>(in_pass[i], times[i]);
      };
      const auto check_pass = [&] {
        sequential here;
        const auto found =
            make_result(by_last_digit{}, job.job->pass(job.task(), by_last_digit{}, how, loop_on), here);
        const auto expected = run(by_last_digit{}, job.from, here, {.device = device_choice::cpu});
        REQUIRE(found.size() == expected.size());
        for (std::uint64_t key = 0; key < found.size(); ++key) CHECK(found[key] == expected[key]);
      };
      check_pass();
      CHECK(job.job->report().degraded == loses);
      const std::uint64_t copied = job.devices[0].copied + job.devices[1].copied;
      CHECK(copied >= some_rows * 4);
      job.steps(1);
      // The steps use the data that the pass has copied, and copy nothing more.
      CHECK(job.devices[0].copied + job.devices[1].copied == copied);
      job.steps(5);
      check_pass();
    }
  }
}

TEST_CASE("iteration: devices get their parts of the data at the same time", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  job.devices.resize(3);
  std::mutex mutex;
  std::condition_variable changed;
  unsigned waiting = 0;
  bool met = true;
  for (script& one : job.devices) {
    // Waits until all devices are getting data. Only a failing test reaches the time limit.
    one.while_held = [&] {
      std::unique_lock lock(mutex);
      ++waiting;
      changed.notify_all();
      met = changed.wait_for(lock, std::chrono::seconds(60), [&] { return waiting >= 3 || !met; }) && met;
    };
  }
  job.start();
  job.step();
  CHECK(met);
  for (script& one : job.devices) {
    CHECK(one.holds == 1);
    one.while_held = {};
  }
  job.steps(4);
}

TEST_CASE("iteration: of devices that get parts at the same time two fail, each in its way", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.devices[0].fails_at_hold = 0;
  job.devices[1].real_bytes = some_rows * 4 / 16;
  job.start();
  job.steps(8);
  const iterative_report told = job.job->report();
  CHECK(told.degraded);
  CHECK(told.parts[1].share == 0);
  CHECK(told.parts[2].share <= 1.0 / 16);
  CHECK(told.parts[3].share > 0.3);
}

TEST_CASE("iteration: without a CPU another device does it, and the last loss is thrown", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  job.devices.resize(2);
  job.devices[0].fails_at_step = 3;
  job.devices[1].fails_at_step = 9;
  job.start();
  CHECK_THROWS_WITH(job.steps(20), contains("scripted"));
  CHECK(job.job->report().steps > 3);
  CHECK_THROWS_AS(job.step(), device_lost);
}

TEST_CASE("iteration: a strict job ends with its first device", "[iteration]") {
  for (const bool at_begin : {false, true}) {
    scripted_job job(some_rows);
    job.devices.resize(2);
    job.devices[1].fails_at_step = 2;
    job.devices[1].at_begin = at_begin;
    job.start({.strict = true});
    job.steps(2);
    CHECK_THROWS_AS(job.step(), device_lost);
  }
}

TEST_CASE("iteration: an error of the task ends the step when all devices have ended", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.devices[1].bad_at_step = 1;
  job.start();
  job.step();
  CHECK_THROWS_AS(job.step(), std::logic_error);
  for (const script& one : job.devices) CHECK(one.open == 0);
}

TEST_CASE("iteration: memory that is less than a device says, or than is wished", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = per_unit(100e-9);
  job.devices.resize(1);
  const std::uint64_t all = some_rows * 4;
  job.devices[0].real_bytes = all / 3;
  job.start();
  job.steps(8);
  CHECK(job.job->report().parts[1].share > 0.1);
  CHECK(job.job->report().parts[1].share < 0.34);
  REQUIRE(job.job->report().notes.size() > 0);
  CHECK_THAT(job.job->report().notes[0], contains("gpu 0 gets less of the data: scripted"));

  scripted_job limited(some_rows);
  limited.pool_seconds_per_unit = per_unit(100e-9);
  limited.devices.resize(1);
  limited.start({.steps = {.most_resident_bytes = all / 2}});
  limited.steps(8);
  CHECK(limited.job->report().parts[1].share == Approx(0.5).margin(0.06));

  scripted_job solo(some_rows);
  solo.pool_seconds_per_unit = 0;
  solo.devices.resize(1);
  solo.devices[0].most_bytes = all / 2;
  solo.start();
  CHECK_THROWS_WITH(solo.step(), contains("no memory for its"));
}

TEST_CASE("iteration: no rows, one row, fewer rows than devices", "[iteration]") {
  for (const std::uint64_t rows : {0u, 1u, 2u, 3u}) {
    for (const bool with_pool : {true, false}) {
      CAPTURE(rows, with_pool);
      scripted_job job(rows);
      if (!with_pool) job.pool_seconds_per_unit = 0;
      job.devices.resize(4);
      job.start();
      job.steps(6);
    }
  }
}

TEST_CASE("iteration: cancelled, the step gives nothing, and the job can go on", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  run_control control;
  job.start({.control = &control});
  job.steps(3);
  control.cancelled = true;
  CHECK_THROWS_AS(job.step(), interrupted);
  control.cancelled = false;
  job.steps(3);
}

TEST_CASE("iteration: each step adds all data to the progress, also when a device is lost", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(2);
  job.devices[0].fails_at_step = 3;
  run_control control;
  job.start({.control = &control});
  for (std::uint64_t step = 1; step <= 5; ++step) {
    job.steps(1);
    CHECK(control.units_done == step * some_rows * 4);
    CHECK(control.gpu_units_done > 0);
    CHECK(control.gpu_units_done <= control.units_done);
  }
  CHECK(control.units_total == 0);
}

TEST_CASE("iteration: what cannot be asked of it", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  CHECK_THROWS_WITH(job.start({.share = {.policy = share_policy::by_hand, .gpu_share = 0.5}}),
                    contains("the CPU was given a share"));
  job.pool_seconds_per_unit = per_unit(1e-9);
  job.start({.share = {.policy = share_policy::by_hand, .gpu_share = 0.5}});
  CHECK_THROWS_AS(job.step(), device_unavailable);  // there is no device
  CHECK_THROWS_AS(job.job->share_by_hand(0.5), device_unavailable);
  CHECK_THROWS_WITH(job.job->share_by_hand(0.5), contains("GPUs were given a share, and none takes part"));
}

}  // namespace duomap::test::scheduler_iteration_test
