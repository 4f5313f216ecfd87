// Tests which executors take part in a run, judged by the times of earlier whole runs.
#include "scheduler/history/executor_set_history.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::scheduler_executor_set_history_test {
namespace {

using scheduler::executor_set;
using scheduler::executor_set_choice;
using scheduler::executor_set_history;
using scheduler::executor_sets;

constexpr std::uint64_t units = 1 << 20;

/// The part of a run that pools do if executors share it by their speed.
double pools_part(executor_set of, const std::array<double, executor_sets>& seconds) {
  return of == executor_set::both ? seconds[1] / (seconds[1] + seconds[2]) : 0;
}

/// Runs a task often; `seconds` has the time of each set in the order of the enumeration. Returns the number
/// of runs of each set.
std::array<unsigned, executor_sets> run_often(executor_set_history& all, unsigned times,
                                              std::array<double, executor_sets> seconds,
                                              std::optional<double> pools_seconds) {
  std::array<unsigned, executor_sets> took_part{};
  for (unsigned i = 0; i < times; ++i) {
    const executor_set_choice choice = all.choose("task", units, pools_seconds);
    ++took_part[static_cast<std::size_t>(choice.set)];
    double took = seconds[static_cast<std::size_t>(choice.set)];
    // Pools that were held back help after that time.
    if (choice.set == executor_set::devices && took > choice.hold_back_seconds)
      took = choice.hold_back_seconds + (1 - choice.hold_back_seconds / took) * seconds[0];
    all.record("task", units, choice.set, {.seconds = took, .pools_part = pools_part(choice.set, seconds)});
  }
  return took_part;
}

/// A random task: its time with each set, in the order of the enumeration. Devices are 400 times slower to
/// 400 times faster than pools. Sharing may gain fully, or cost up to four times as much, because workers
/// slow down copies.
std::array<double, executor_sets> synthetic(std::mt19937_64& random) {
  const auto log_uniform = [&](double from, double to) {
    return std::exp(std::uniform_real_distribution<double>(std::log(from), std::log(to))(random));
  };
  const double pools = log_uniform(1e-3, 1);
  const double devices = pools * log_uniform(1.0 / 400, 400);
  return {log_uniform(1, 4) / (1 / pools + 1 / devices), devices, pools};
}

/// The runs of a task in one process.
struct sequence {
  unsigned runs = 0;
  bool slower = false;      ///< all devices become slower after half of the runs
  bool slow_first = false;  ///< the first two runs with devices take them up to five times as long
  bool one_chunk = false;   ///< the input is one chunk, which a device gets if all take part
  unsigned judged = 0;      ///< the number of last runs to judge; 0 for all
};

/// The time of all runs, divided by the time with the best set for each run.
double over_best(std::mt19937_64& random, const sequence& of) {
  std::array<double, executor_sets> seconds = synthetic(random);
  if (of.one_chunk) seconds[0] = seconds[1];
  executor_set_history all;
  const std::optional<double> pools_seconds = of.one_chunk ? std::optional(seconds[2]) : std::nullopt;
  double took_all = 0;
  double best_all = 0;
  unsigned with_devices = 0;
  for (unsigned i = 0; i < of.runs; ++i) {
    if (of.slower && i == of.runs / 2) {
      const double times = std::uniform_real_distribution<double>(2, 5)(random);
      seconds[1] *= times;
      seconds[0] = std::min(seconds[0] * times, seconds[2]);
    }
    // One run in ten takes longer for no lasting reason.
    const double disturbed = random() % 10 == 0 ? std::uniform_real_distribution<double>(1, 2)(random) : 1;
    const executor_set_choice choice = all.choose("task", units, pools_seconds);
    std::array<double, executor_sets> now = seconds;
    if (of.slow_first && choice.set != executor_set::pools && with_devices++ < 2) {
      const double times = std::uniform_real_distribution<double>(1, 5)(random);
      now[1] *= times;
      now[0] = std::min(now[0] * times, std::max(now[0], now[2]));
    }
    double took = now[static_cast<std::size_t>(choice.set)];
    if (choice.set == executor_set::devices && took > choice.hold_back_seconds)
      took = choice.hold_back_seconds + (1 - choice.hold_back_seconds / took) * now[0];
    took *= disturbed;
    const double part = of.one_chunk ? 0 : pools_part(choice.set, seconds);
    all.record("task", units, choice.set, {.seconds = took, .pools_part = part});
    if (of.judged != 0 && i + of.judged < of.runs) continue;
    took_all += took;
    best_all += disturbed * *std::min_element(seconds.begin(), seconds.end());
  }
  return took_all / best_all;
}

}  // namespace

TEST_CASE("executor sets: the first run is for all, and the best is kept", "[executor_set]") {
  executor_set_history all;
  CHECK(all.choose("task", units, 1.0).set == executor_set::both);
  SECTION("devices") {
    const auto runs = run_often(all, 12, {35e-3, 7e-3, 32e-3}, 32e-3);
    CHECK(runs == std::array<unsigned, executor_sets>{1, 11, 0});
    const executor_set_choice choice = all.choose("task", units, 32e-3);
    CHECK(choice.seconds == Approx(7e-3));
    CHECK(choice.otherwise == Approx(35e-3));
    CHECK(choice.hold_back_seconds == Approx(14e-3));
    CHECK(reason_of(choice) ==
          "the CPU was held back: runs of this size took 7 ms without it and 35 ms otherwise");
  }
  SECTION("pools") {
    const auto runs = run_often(all, 12, {1.7e-3, 5e-3, 1.2e-3}, 1.2e-3);
    CHECK(runs == std::array<unsigned, executor_sets>{2, 1, 9});
    CHECK(reason_of(all.choose("task", units, {})).starts_with("no GPU used: "));
  }
  SECTION("pools, where both are hardly quicker") {
    const auto runs = run_often(all, 12, {55.5e-3, 78e-3, 56e-3}, 56e-3);
    CHECK(runs == std::array<unsigned, executor_sets>{2, 2, 8});
  }
  SECTION("both") {
    const auto runs = run_often(all, 12, {5e-3, 7e-3, 8e-3}, 8e-3);
    CHECK(runs == std::array<unsigned, executor_sets>{10, 2, 0});
    CHECK(reason_of(all.choose("task", units, {})).empty());
  }
}

TEST_CASE("executor sets: a task has one first run with devices", "[executor_set]") {
  executor_set_history all;
  CHECK(all.is_first_with_devices("task"));
  CHECK_FALSE(all.is_first_with_devices("task"));
  CHECK(all.is_first_with_devices("another"));
  CHECK_FALSE(all.is_first_with_devices("task"));
}

TEST_CASE("executor sets: where devices do all of each co-run, pools and devices are compared",
          "[executor_set]") {
  executor_set_history all;
  const auto run = [&] {
    const executor_set_choice choice = all.choose("task", units, 0.6e-3);
    all.record("task", units, choice.set, {.seconds = choice.set == executor_set::pools ? 0.5e-3 : 0.9e-3});
    return choice.set;
  };
  CHECK(run() == executor_set::both);
  for (int i = 0; i < 10; ++i) CHECK(run() == executor_set::pools);
}

TEST_CASE("executor sets: a try costs little", "[executor_set]") {
  SECTION("pools are not tried when they are known to be slow, or not known") {
    for (const std::optional<double> pools_seconds : {std::optional<double>(1.0), std::optional<double>()}) {
      executor_set_history all;
      CHECK(run_often(all, 100, {10e-3, 9e-3, 1.0}, pools_seconds)[2] == 0);
    }
  }
  SECTION("pools are tried when what they did beside devices promises something") {
    for (const double part : {0.95, 0.1}) {
      CAPTURE(part);
      executor_set_history all;
      all.record("task", units, executor_set::both, {2.1e-3, part});
      all.record("task", units, executor_set::devices, {6.6e-3});
      CHECK(all.choose("task", units, {}).set == (part > 0.5 ? executor_set::pools : executor_set::both));
    }
  }
  SECTION("pools are held back for devices no longer than the best has taken") {
    executor_set_history all;
    all.record("task", units, executor_set::both, {.seconds = 10e-3, .pools_part = 0.1});
    const executor_set_choice choice = all.choose("task", units, {});
    CHECK(choice.set == executor_set::devices);
    CHECK(choice.hold_back_seconds == Approx(10e-3));
    CHECK_FALSE(choice.seconds.has_value());
    // One slow run may be a disturbance; two are not.
    for (int i = 0; i < 2; ++i) all.record("task", units, executor_set::devices, {20e-3});
    for (int i = 0; i < 1000; ++i) {
      REQUIRE(all.choose("task", units, {}).set == executor_set::both);
      all.record("task", units, executor_set::both, {.seconds = 10e-3, .pools_part = 0.1});
    }
  }
  SECTION("the next best is tried rarely") {
    executor_set_history all;
    const auto runs = run_often(all, 1000, {10e-3, 12e-3, 1.0}, {});
    CHECK(runs[0] > 985);
    CHECK(runs[1] > 3);
  }
}

TEST_CASE("executor sets: what has changed is found out", "[executor_set]") {
  executor_set_history all;
  run_often(all, 20, {10e-3, 12e-3, 1.0}, {});
  SECTION("the best became slow") {
    run_often(all, 10, {50e-3, 12e-3, 1.0}, {});
    CHECK(all.choose("task", units, {}).set == executor_set::devices);
  }
  SECTION("another became fast") {
    run_often(all, 200, {10e-3, 3e-3, 1.0}, {});
    CHECK(all.choose("task", units, {}).set == executor_set::devices);
  }
  SECTION("a few runs that were disturbed change nothing") {
    for (int i = 0; i < 6; ++i)
      all.record("task", units, executor_set::both, {.seconds = 1.0, .pools_part = 0.1});
    CHECK(all.choose("task", units, {}).set == executor_set::both);
  }
}

TEST_CASE("executor sets: what pools take alone is known after a few runs", "[executor_set]") {
  executor_set_history all;
  CHECK_FALSE(all.pools("task", units).has_value());
  all.record("task", units, executor_set::both, {1.0, 1.0, 7e-9});
  for (const double seconds : {9e-3, 2e-3, 3e-3}) {
    CHECK_FALSE(all.pools("task", units).has_value());
    all.record("task", units, executor_set::pools, {.seconds = seconds, .seconds_per_unit = 1e-9});
  }
  // After a run of a fifth of the time, the history forgets the longer run.
  CHECK_FALSE(all.pools("task", units).has_value());
  all.record("task", units, executor_set::pools, {.seconds = 2.5e-3});  // too short to measure a rate
  REQUIRE(all.pools("task", units).has_value());
  CHECK(all.pools("task", units)->seconds == Approx(2e-3));
  CHECK(all.pools("task", units)->seconds_per_unit == 1e-9);
  CHECK(all.pools("task", units + units / 10)->seconds == Approx(2.2e-3));
}

TEST_CASE("executor sets: what devices took alone is the least that they were busy for", "[executor_set]") {
  executor_set_history all;
  CHECK_FALSE(all.devices("task", units).has_value());
  all.record("task", units, executor_set::both, {.seconds = 2e-3, .pools_part = 0.5, .device_seconds = 1e-3});
  all.record("task", units, executor_set::devices, {.seconds = 2e-3});
  CHECK_FALSE(all.devices("task", units).has_value());
  for (const double seconds : {6e-3, 5e-3, 7e-3})
    all.record("task", units, executor_set::devices, {.seconds = 9e-3, .device_seconds = seconds});
  REQUIRE(all.devices("task", units).has_value());
  CHECK(*all.devices("task", units) == Approx(5e-3));
  CHECK_FALSE(all.devices("task", 4 * units).has_value());
}

TEST_CASE("executor sets: tasks and sizes are told from each other", "[executor_set]") {
  executor_set_history all;
  run_often(all, 5, {35e-3, 7e-3, 32e-3}, 32e-3);
  CHECK(all.choose("task", units + units / 10, {}).set == executor_set::devices);
  CHECK(all.choose("task", units + units / 10, {}).seconds == Approx(7.7e-3));
  CHECK(all.choose("task", 4 * units, {}).set == executor_set::both);
  CHECK(all.choose("another", units, {}).set == executor_set::both);
  all.record("task", 0, executor_set::pools, {1.0});  // an empty run teaches nothing
  CHECK(all.choose("task", 0, {}).set == executor_set::both);
}

TEST_CASE("executor sets: synthetic tasks take little longer than with the best set for each run",
          "[executor_set][bars]") {
  std::mt19937_64 random(22);
  struct {
    sequence of;
    double usual;
    double nine_in_ten;
    double mean;
  } const bars[] = {
      {{.runs = 12}, 1.2, 1.6, 1.25},
      {{.runs = 100}, 1.04, 1.1, 1.06},
      {{.runs = 100, .slower = true}, 1.08, 1.25, 1.12},
      {{.runs = 40, .slow_first = true, .judged = 7}, 1.001, 1.05, 1.03},
      {{.runs = 40, .one_chunk = true, .judged = 7}, 1.001, 1.05, 1.03},
  };
  for (const auto& bar : bars) {
    CAPTURE(bar.of.runs, bar.of.slower, bar.of.slow_first, bar.of.one_chunk);
    std::vector<double> all;
    for (int i = 0; i < 4000; ++i) all.push_back(over_best(random, bar.of));
    std::sort(all.begin(), all.end());
    CHECK(all[all.size() / 2] < bar.usual);
    CHECK(all[all.size() * 9 / 10] < bar.nine_in_ten);
    CHECK(std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()) < bar.mean);
  }
}

}  // namespace duomap::test::scheduler_executor_set_history_test
