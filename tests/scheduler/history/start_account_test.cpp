// Tests when a process starts its devices, in synthetic processes, against the best moment in hindsight.
#include "scheduler/history/start_account.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace duomap::test::scheduler_start_account_test {
namespace {

using scheduler::devices_that_pay;
using scheduler::start_account;
using scheduler::start_outlook;
using scheduler::start_pays;
using scheduler::worked_before_another;

/// A process: the time of each run on the pool and on a started device, and the time of a start.
struct process {
  struct run {
    double pool;
    double device;
    bool known = true;  ///< whether the pool's time is known before the run
    [[nodiscard]] double both() const { return 1 / (1 / pool + 1 / device); }
  };
  std::vector<run> runs;
  double start = 0.25;
};

/// The moment of a start: `within` seconds after the begin of run `run`.
struct moment {
  std::size_t run;
  double within = 0;
};

/// The time of the process if the start begins at `begin`. The pool goes on, and the device joins when it is
/// ready. At its end, a process waits until the devices are found, and for a context that is being made.
double seconds_of(const process& one, moment begin) {
  double now = 0;
  double found = std::numeric_limits<double>::infinity();
  double ready = found;
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    const process::run& run = one.runs[i];
    if (i == begin.run) {
      found = now + begin.within + 0.4 * one.start;
      ready = now + begin.within + one.start;
    }
    const double by_pool = std::clamp(ready - now, 0.0, run.pool);
    now += by_pool + (1 - by_pool / run.pool) * run.both();
  }
  if (std::isinf(ready)) return now;
  return now < found ? found : std::max(now, ready);
}

double best_seconds(const process& one) {
  double best = seconds_of(one, {one.runs.size()});
  for (std::size_t i = 0; i < one.runs.size(); ++i) best = std::min(best, seconds_of(one, {i}));
  return best;
}

/// The moment that the account chooses. Before its first run, a device is assumed to need no time.
moment start_of(const process& one) {
  start_account account;
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    const auto& [pool, device, known] = one.runs[i];
    if (start_pays({.start = one.start, .missed = account.missed(), .coming = known ? pool : 0})) return {i};
    const double pays_after =
        scheduler::saved_before_start(scheduler::start_cost(one.start)) - account.missed();
    if (!known && pool > pays_after) return {i, pays_after};
    account.missed(pool);
  }
  return {one.runs.size()};
}

/// The time of the process, divided by that of the pool alone or of the device alone with its start,
/// whichever is shorter.
double against_one_solo(const process& one) {
  double pool = 0;
  double device = one.start;
  for (const auto& run : one.runs) {
    pool += run.pool;
    device += run.device;
  }
  return seconds_of(one, start_of(one)) / std::min(pool, device);
}

/// Runs of a few tasks; the first of each is of unknown length. Devices are 400 times slower to 400 times
/// faster than the pool. Starts take up to 2 s, and runs 1 ms to 10 s.
process synthetic(std::mt19937_64& random) {
  const auto uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  const auto log_uniform = [&](double from, double to) {
    return std::exp(uniform(std::log(from), std::log(to)));
  };
  std::vector<process::run> kinds(static_cast<std::size_t>(uniform(1, 5)));
  for (auto& kind : kinds) {
    kind.pool = log_uniform(1e-3, 10);
    kind.device = kind.pool * log_uniform(1.0 / 400, 400);
    kind.known = false;
  }
  process one{.runs = {}, .start = uniform(0.01, 2)};
  const auto count = static_cast<std::size_t>(log_uniform(1, 400));
  for (std::size_t i = 0; i < count; ++i) {
    auto& kind = kinds[random() % kinds.size()];
    one.runs.push_back(kind);
    kind.known = true;
  }
  return one;
}

}  // namespace

TEST_CASE("a start saves of a run what is left after it, shared by speed", "[start_account]") {
  // 0.2 s of the 0.4 s are left after the start. A device as fast as the pool does half of them.
  CHECK(scheduler::saved_during_start(0.4, 0.4, 0.2) == Approx(0.1));
  CHECK(scheduler::saved_during_start(0.4, 0.1, 0.2) == Approx(0.16));
  CHECK(scheduler::saved_during_start(0.1, 0.1, 0.2) < 0);
  // The start is unknown, so it counts with the usual time.
  CHECK(scheduler::saved_during_start(1, 1, 0, {.machine = {.background_start_seconds = 0.5}}) ==
        Approx(0.25));
}

TEST_CASE("start account: what was missed, what this run would, and what an earlier process gained",
          "[start-account]") {
  constexpr scheduler::planner_thresholds by{.start_cost_part = 0.5};
  CHECK_FALSE(start_pays({.start = 0.3, .missed = 0.05, .coming = 0.09}, by));
  CHECK(start_pays({.start = 0.3, .missed = 0.05, .coming = 0.11}, by));
  CHECK(start_pays({.missed = 0.05, .coming = 0.06}, by));
  CHECK_FALSE(start_pays({.start = 0.3, .coming = 10}, by));
  // Finding the devices takes less time than making a context.
  CHECK_FALSE(start_pays({.start = 0.25, .missed = 0.05, .coming = 0.04}));
  CHECK(start_pays({.start = 0.25, .missed = 0.05, .coming = 0.06}));
  CHECK_FALSE(start_pays({.start = 0.3, .expected = 0.09}, by));
  CHECK(start_pays({.start = 0.3, .expected = 0.1}, by));

  start_account account;
  account.missed(0.1);
  CHECK(account.worth() == 0);  // there may be no further run
  account.missed(0.2);
  account.saved(0.5);
  CHECK(account.missed() == Approx(0.3));
  CHECK(account.worth() == Approx(0.6));
  CHECK(account.before("a task", 3) == 3);
  CHECK(account.before("a task", 4) == 3);
  CHECK(account.before("another task", 4) == 4);
  CHECK(account.start_seconds([] { return 0.5; }) == 0.5);
  CHECK(account.start_seconds([] { return 0.7; }) == 0.5);
  CHECK(account.learns_start());
  CHECK_FALSE(account.learns_start());
}

TEST_CASE("start account: a process takes at most twice as long as with the best moment to start",
          "[start-account]") {
  std::mt19937_64 random(20);
  std::vector<double> regrets;
  for (int i = 0; i < 20'000; ++i) {
    const process one = synthetic(random);
    const double took = seconds_of(one, start_of(one));
    const double best = best_seconds(one);
    CHECK(took <= 2 * best + 1e-9);
    regrets.push_back(took / best);
  }
  std::sort(regrets.begin(), regrets.end());
  const auto at = [&](double part) {
    return regrets[static_cast<std::size_t>(part * static_cast<double>(regrets.size() - 1))];
  };
  CAPTURE(at(0.5), at(0.9), at(0.99), at(1));
  CHECK(at(0.5) < 1.05);
  CHECK(at(0.9) < 1.7);
}

TEST_CASE("start account: twelve runs of a task that no process has seen", "[start-account]") {
  // Figures of an H200: a histogram of 480 MB, then sums of a CSV file of 86 MB.
  const auto twelve = [](double pool, double device) {
    process one{.runs = std::vector<process::run>(12, {pool, device}), .start = 0.2};
    one.runs[0].known = false;
    return one;
  };
  CHECK(against_one_solo(twelve(57e-3, 11e-3)) < 1.5);
  CHECK(against_one_solo(twelve(57e-3, 8.3e-3)) < 1.5);
  // Monte Carlo with 8 million indices: the first run is long enough to start the device.
  CHECK(against_one_solo(twelve(250e-3, 1e-3)) < 1.5);
  // The process ends before a start would have paid.
  CHECK(against_one_solo(twelve(4e-3, 1e-3)) == Approx(1));
}

TEST_CASE("devices are started one after another, each when the others have worked for it", "[planner]") {
  constexpr double cost = 0.12;
  // A second device saves half of the time, a third device a third of it, and a fourth device a quarter.
  CHECK(devices_that_pay(0, cost) == 1);
  CHECK(devices_that_pay(1.99 * cost, cost) == 1);
  CHECK(devices_that_pay(2 * cost, cost) == 2);
  CHECK(devices_that_pay(4.99 * cost, cost) == 2);
  CHECK(devices_that_pay(5 * cost, cost) == 3);
  CHECK(devices_that_pay(9 * cost, cost) == 4);
  for (unsigned devices = 1; devices < 20; ++devices)
    CHECK(devices_that_pay(worked_before_another(devices, cost), cost) == devices + 1);
}

TEST_CASE("a process takes at most twice as long as with the best number of devices from the beginning",
          "[planner]") {
  // `work` is the time of one device for the whole process. Each start, the first one too, costs 1.
  for (double work = 0.1; work < 1000; work *= 1.1) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned devices = 1; devices < 50; ++devices) best = std::min(best, work / devices + devices);
    double took = 1, left = work, worked = 0;
    for (unsigned devices = 1; left > 0; ++devices) {
      const double until = std::min(worked_before_another(devices, 1) - worked, left / devices);
      took += until;
      left -= until * devices;
      worked += until;
      if (left > 1e-9) took += 1;
    }
    CAPTURE(work, best, took);
    CHECK(took <= 2 * best);
  }
}

}  // namespace duomap::test::scheduler_start_account_test
