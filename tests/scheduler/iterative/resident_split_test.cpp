// Tests how the data of an iterative job is split among its executors, step by step in simulated time.
#include "scheduler/iterative/resident_split.hpp"

#include "scheduler/iterative/step_model.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_resident_split_test {
namespace {

using scheduler::resident_split;
using scheduler::step_model;
using shares = std::vector<std::uint32_t>;

/// The true time that an executor needs for a step.
struct real_speed {
  double fixed = 0;
  double per_grain = 0;
  [[nodiscard]] double seconds(std::uint32_t grains) const {
    return grains == 0 ? 0 : fixed + per_grain * grains;
  }
};

/// Simulates steps with the shares that the split sets.
struct simulated_job {
  std::vector<real_speed> real;
  resident_split split;
  std::mt19937_64 random{seed()};
  double noise = 0;  // at most, as a fraction of a time

  double step() {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < real.size(); ++i) {
      const double off = std::uniform_real_distribution<double>(1 - noise, 1 + noise)(random);
      seconds.push_back(real[i].seconds(split.shares()[i]) * off);
    }
    const double all = *std::max_element(seconds.begin(), seconds.end());
    split.finished(seconds, all);
    return all;
  }
  void steps(unsigned count) {
    for (unsigned i = 0; i < count; ++i) step();
  }
  /// The time of a step with the current shares, without noise.
  [[nodiscard]] double now() const {
    double all = 0;
    for (std::size_t i = 0; i < real.size(); ++i) all = std::max(all, real[i].seconds(split.shares()[i]));
    return all;
  }
};

/// A job with a pool, and with devices that start with the first step and have memory for all data.
simulated_job job_of(std::vector<real_speed> real, std::uint32_t grains, double noise = 0) {
  simulated_job job{std::move(real), resident_split(grains, {.start_at_once = true})};
  job.noise = noise;
  for (std::size_t i = 1; i < job.real.size(); ++i) job.split.add_device(grains);
  job.split.devices_started();
  return job;
}

/// The shortest step of all splits between a pool and one device.
double shortest(const std::vector<real_speed>& real, std::uint32_t grains) {
  double best = real[0].seconds(grains);
  for (std::uint32_t device = 1; device <= grains; ++device)
    best = std::min(best, std::max(real[1].seconds(device), real[0].seconds(grains - device)));
  return best;
}

constexpr std::uint32_t many = 3072;  // 200 MB in grains of 64 KiB

}  // namespace

TEST_CASE("step model: a fixed cost is told from a slow device by sizes that differ", "[resident_split]") {
  step_model model;
  CHECK_FALSE(model.known());
  model.add(100, 1.5);
  CHECK(model.known());
  CHECK(model.fixed() == 0);
  CHECK(model.seconds(100) == Approx(1.5));
  model.add(10, 0.6);
  CHECK(model.fixed() == Approx(0.5));
  CHECK(model.seconds(50) == Approx(1.0));
}

TEST_CASE("step model: one odd step of five changes nothing, another device makes it forget",
          "[resident_split]") {
  step_model model;
  for (int i = 0; i < 5; ++i) model.add(10, 0.6);
  for (int i = 0; i < 4; ++i) model.add(100, 1.5);
  model.add(100, 40);
  CHECK(model.seconds(100) == Approx(1.5));
  CHECK(model.fixed() == Approx(0.5));
  for (int i = 0; i < 5; ++i) model.add(100, 4.5);
  CHECK(model.seconds(100) == Approx(4.5));
  // The times of 10 grains before the change tell nothing about the time after it.
  CHECK(model.seconds(50) == Approx(0.5 + 4.0 / 2));
}

TEST_CASE("step model: a fixed cost that shows at a smaller size is no other device", "[resident_split]") {
  step_model model;
  for (int i = 0; i < 2; ++i) model.add(87, 99);
  for (int i = 0; i < 2; ++i) model.add(24, 36);  // 9 more than without any fixed cost
  for (int i = 0; i < 2; ++i) model.add(7, 19);
  CHECK(model.fixed() == Approx(12));
  CHECK(model.per_grain() == Approx(1));
}

TEST_CASE("step model: a first step that loads code does not count", "[resident_split]") {
  step_model model;
  model.add(100, 80);
  model.add(100, 1);
  CHECK(model.seconds(100) == Approx(1));
}

TEST_CASE("resident split: any ratio of speeds is found within a dozen steps", "[resident_split]") {
  for (const double ratio : {60.0, 20.0, 4.0, 1.5, 1.0, 0.7, 0.25, 0.05, 1.0 / 60}) {
    CAPTURE(ratio);
    const std::vector<real_speed> real{{20e-6, 1e-6 * ratio}, {12e-6, 1e-6}};
    simulated_job job = job_of(real, many);
    job.steps(12);
    CHECK(job.now() <= 1.03 * shortest(real, many));
    job.steps(200);
    CHECK(job.now() <= 1.03 * shortest(real, many));
    CHECK(job.split.changes() <= 8);
    REQUIRE(job.split.planned().size() == 2);
    CHECK(job.split.planned_seconds() > 0);
  }
}

TEST_CASE("resident split: a member that is a thousand times slower is left out, at the cost of one probe",
          "[resident_split]") {
  for (const bool pool_is_slow : {true, false}) {
    std::vector<real_speed> real{{20e-6, 1e-3}, {12e-6, 1e-6}};
    if (!pool_is_slow) std::swap(real[0], real[1]);
    simulated_job job = job_of(real, many);
    double total = 0;
    for (int i = 0; i < 20; ++i) total += job.step();
    CHECK(job.now() <= 1.005 * shortest(real, many));
    const std::size_t slow = pool_is_slow ? 0 : 1;
    CHECK(job.split.shares()[slow] == 0);
    CHECK(job.split.shares()[1 - slow] == many);
    CHECK(job.split.reason(slow) == "it would make a step less than 2 % shorter");
    CHECK(job.split.reason(1 - slow) == "");
    // The pool had a 64th of the grains for two steps.
    if (pool_is_slow) CHECK(total < 2 * 1.05 * real[0].seconds(many / 64) + 18 * 1.05 * job.now());
  }
}

TEST_CASE("resident split: finding out that the pool hardly helps costs a run of 20 steps 3 % at most",
          "[resident_split]") {
  // Figures of k-means on an H200 and 16 cores (points of 32 numbers, k = 20, 40, 100), and smaller data.
  for (const auto& [pool, device] : {std::pair{41.8e-3, 1.23e-3}, {49.6e-3, 1.73e-3}, {101e-3, 3.31e-3}}) {
    for (const std::uint32_t grains : {512u, 3072u, 32768u}) {
      CAPTURE(pool, grains);
      const std::vector<real_speed> real{{20e-6, pool / 32768}, {12e-6, device / 32768}};
      simulated_job job = job_of(real, grains);
      CHECK(job.split.shares() == shares{0, grains});  // the device keeps what it has received
      double total = 0;
      for (int i = 0; i < 20; ++i) total += job.step();
      CHECK(total <= 1.03 * 20 * real[1].seconds(grains));
    }
  }
}

TEST_CASE("resident split: a pool that is believed to be no help does what devices cannot hold",
          "[resident_split]") {
  for (const double times : {52.0, 48.0}) {
    CAPTURE(times);
    simulated_job job{{{20e-6, 1e-6}, {12e-6, 1e-6}},
                      resident_split(many, {.start_at_once = true, .pool_seconds = times * many * 1e-6})};
    job.split.add_device(many);
    job.split.devices_started();
    job.steps(20);
    CHECK((job.split.shares() == shares{0, many}) == (times > 50));
    if (times < 50) continue;
    CHECK(job.split.changes() == 0);
    CHECK(job.split.reason(0) == "it is believed to be too slow to help");
    job.split.holds_at_most(1, 1000);
    CHECK(job.split.shares() == shares{many - 1000, 1000});
    job.steps(20);
    CHECK(job.now() <= 1.03 * (many - 1000) * 1e-6);
    job.split.failed(1);
    CHECK(job.split.shares() == shares{many, 0});
  }
}

TEST_CASE("resident split: with noise it is never behind the best alone, and does not flutter",
          "[resident_split]") {
  std::mt19937_64 random(seed());
  for (int trial = 0; trial < 200; ++trial) {
    const double ratio = std::exp(std::uniform_real_distribution<double>(-6, 6)(random));
    const double fixed = std::exp(std::uniform_real_distribution<double>(-14, -9)(random));
    const auto grains =
        static_cast<std::uint32_t>(std::exp(std::uniform_real_distribution<double>(0, 10)(random)));
    CAPTURE(trial, ratio, fixed, grains);
    const std::vector<real_speed> real{{fixed, 1e-6 * ratio}, {12e-6, 1e-6}};
    // Noise can hide a difference of two times.
    const double noise = trial % 2 == 0 ? 0 : 0.03;
    simulated_job job = job_of(real, grains, noise);
    job.random.seed(random());
    job.steps(60);
    // While the split tries other shares, for at most five steps, the best shares are not in use.
    const auto of_best = [&] {
      double least = job.now();
      for (int i = 0; i < 5; ++i) {
        job.step();
        least = std::min(least, job.now());
      }
      return least;
    };
    // If nearly all time is a fixed cost, the time for all grains is known only to a few percent. In 60,000
    // trials there were at most 11 changes at first and 10 later, and each further change was half as likely.
    const double solo = std::min(real[0].seconds(grains), real[1].seconds(grains));
    CHECK(of_best() <= (1.05 + 2 * noise) * solo);
    const auto settled = job.split.changes();
    CHECK(settled <= 20);
    job.steps(400);
    CHECK(job.split.changes() <= settled + 20);
    CHECK(of_best() <= (1.05 + 2 * noise) * solo);
  }
}

TEST_CASE("resident split: small steps to the better are not given up", "[resident_split]") {
  // Only a small share shows the device's fixed cost. Then the pool alone is faster.
  const std::vector<real_speed> real{{1.3169e-6, 0.12929e-6}, {12e-6, 1e-6}};
  simulated_job job = job_of(real, 88);
  job.steps(40);
  CHECK(job.split.shares() == shares{88, 0});
}

TEST_CASE("resident split: a device that becomes three times slower gives its part away, and gets it back",
          "[resident_split]") {
  std::vector<real_speed> real{{20e-6, 4e-6}, {12e-6, 1e-6}};
  simulated_job job = job_of(real, many, 0.02);
  job.steps(40);
  const std::uint32_t before = job.split.shares()[1];
  for (const double slower : {3.0, 1.0}) {
    job.real[1].per_grain = 1e-6 * slower;
    job.steps(25);
    CHECK(job.now() <= 1.05 * shortest(job.real, many));
  }
  CHECK(job.split.shares()[1] == Approx(before).epsilon(0.05));
}

TEST_CASE("resident split: a pool starts alone, and devices when that has cost as much as starting them",
          "[resident_split]") {
  simulated_job job{{{20e-6, 1e-6}, {12e-6, 1e-7}},
                    resident_split(1000, {.start_seconds = 0.01, .copy_seconds_per_grain = 1e-6})};
  int solo = 0;
  for (; !job.split.starts_devices(); ++solo) {
    REQUIRE(job.split.shares() == shares{1000});
    const std::vector<double> seconds{job.real[0].seconds(1000)};
    job.split.finished(seconds, seconds[0]);
  }
  CHECK(solo == 11);  // 11 steps of 1.02 ms pass before the start
  job.split.add_device(1000);
  job.split.devices_started();
  CHECK_FALSE(job.split.starts_devices());
  CHECK(job.split.shares() == shares{0, 1000});
  job.steps(20);
  CHECK(job.now() <= 1.03 * shortest(job.real, 1000));
}

TEST_CASE("resident split: no device is started for the few steps that are left", "[resident_split]") {
  for (const auto& [most_steps, starts] : {std::pair{0U, true}, {30U, true}, {18U, false}, {12U, false}}) {
    CAPTURE(most_steps);
    resident_split split(1000, {.start_seconds = 0.01, .most_steps = most_steps});
    const std::vector<double> step{1e-3};
    bool started = false;
    for (unsigned i = 0; i < 20 && (most_steps == 0 || i < most_steps); ++i) {
      started = started || split.starts_devices();
      split.finished(step, step[0]);
    }
    // Ten steps of 1 ms have wasted the time of one start. A start pays if the steps to come would waste as
    // much again.
    CHECK(started == starts);
  }
}

TEST_CASE("resident split: what a device has no memory for stays with the others", "[resident_split]") {
  simulated_job job{{{20e-6, 50e-6}, {12e-6, 1e-6}}, resident_split(many, {.start_at_once = true})};
  job.split.add_device(1000);
  job.split.devices_started();
  job.steps(10);
  CHECK(job.split.shares() == shares{many - 1000, 1000});
  // The device has less memory than it said.
  job.split.holds_at_most(1, 300);
  CHECK(job.split.shares() == shares{many - 300, 300});
  job.steps(10);
  CHECK(job.split.shares() == shares{many - 300, 300});
  job.split.holds_at_most(1, 0);
  CHECK(job.split.shares() == shares{many, 0});
  CHECK(job.split.reason(1) == "it has no memory for any of the data");
}

TEST_CASE("resident split: a loss leaves the data to the others", "[resident_split]") {
  simulated_job job = job_of({{20e-6, 50e-6}, {12e-6, 1e-6}, {12e-6, 2e-6}}, many);
  job.steps(20);
  CHECK(job.split.shares()[1] > job.split.shares()[2]);
  CHECK(job.now() < 1.03 * many / (1e6 + 0.5e6 + 0.02e6) + 30e-6);
  job.split.failed(1);
  CHECK(job.split.complete());
  CHECK(job.split.shares()[1] == 0);
  CHECK(job.split.reason(1) == "it has failed");
  job.steps(10);
  CHECK(job.split.shares()[2] > many * 9 / 10);
  job.split.failed(2);
  CHECK(job.split.shares() == shares{many, 0, 0});
}

TEST_CASE("resident split: devices alone, until nobody is left", "[resident_split]") {
  simulated_job job{{{12e-6, 1e-6}, {12e-6, 4e-6}}, resident_split(1000, {.pool = false})};
  CHECK(job.split.starts_devices());
  job.split.add_device(1000);
  job.split.add_device(900);
  job.split.devices_started();
  CHECK(job.split.shares() == shares{500, 500});
  job.steps(10);
  CHECK(job.split.shares()[0] == Approx(800).margin(10));
  CHECK(job.split.complete());
  job.split.failed(0);
  CHECK_FALSE(job.split.complete());  // the device that is left holds 900 grains
  job.split.failed(1);
  CHECK_FALSE(job.split.complete());
}

TEST_CASE("resident split: by hand nothing is corrected", "[resident_split]") {
  simulated_job job = job_of({{20e-6, 1e-6}, {12e-6, 1e-6}, {12e-6, 1e-6}}, 1000);
  job.split.share_by_hand(0.8);
  job.steps(10);
  CHECK(job.split.shares() == shares{200, 400, 400});
  CHECK(job.split.changes() == 0);
  job.split.share_by_hand(0);
  job.steps(10);
  CHECK(job.split.shares() == shares{1000, 0, 0});
  CHECK(job.split.reason(1) == "the shares by hand give it nothing");
  job.split.holds_at_most(1, 100);
  job.split.share_by_hand(1);
  CHECK(job.split.shares() == shares{400, 100, 500});
}

TEST_CASE("resident split: no grains, one grain, fewer than devices", "[resident_split]") {
  for (const std::uint32_t grains : {0u, 1u, 2u, 3u, 5u}) {
    CAPTURE(grains);
    const std::vector<real_speed> real{{1e-6, 1e-3}, {12e-6, 1e-6}, {12e-6, 1e-6}, {12e-6, 1e-6}};
    simulated_job job = job_of(real, grains);
    for (int i = 0; i < 30; ++i) {
      if (grains > 0) job.step();
      CHECK(std::accumulate(job.split.shares().begin(), job.split.shares().end(), 0u) == grains);
    }
    if (grains > 0) CHECK(job.split.shares()[0] == 0);
  }
}

TEST_CASE("resident split: a first step that takes longer than its members moves nothing between devices",
          "[resident_split]") {
  resident_split split(many, {.pool = false, .copy_seconds_per_grain = 1.3e-6});
  split.add_device(many);
  split.add_device(many);
  split.devices_started();
  const shares halves{many / 2, many / 2};
  CHECK(split.shares() == halves);
  const std::vector<double> took{2.2e-3, 2.3e-3};
  split.finished(took, 4e-3);  // a slow step, because kernels were loaded
  CHECK(split.shares() == halves);
  for (int i = 0; i < 20; ++i) split.finished(std::vector<double>{1.3e-3, 1.31e-3}, 1.34e-3);
  CHECK(split.shares() == halves);
  CHECK(split.changes() == 0);
}

TEST_CASE("resident split: moving waits until it is worth its copies", "[resident_split]") {
  // The device becomes three times as fast. Then a step of 10 ms is 5 ms too long, and moving data takes 1 s.
  simulated_job job{{{0, 20e-6}, {0, 60e-6}},
                    resident_split(1000, {.start_at_once = true, .copy_seconds_per_grain = 4e-3})};
  job.split.add_device(1000);
  job.split.devices_started();
  job.steps(5000);
  CHECK(job.now() <= 1.03 * shortest(job.real, 1000));
  job.real[1].per_grain = 20e-6;
  const auto before = job.split.changes();
  const std::uint32_t held = job.split.shares()[1];
  job.steps(50);
  CHECK(job.split.changes() == before);
  job.steps(5000);
  CHECK(job.split.shares()[1] > held);
  CHECK(job.now() <= 1.03 * shortest(job.real, 1000));
}

}  // namespace duomap::test::scheduler_resident_split_test
