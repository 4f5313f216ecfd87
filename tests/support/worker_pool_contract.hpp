// The contract of duomap::worker_pool, as tests. Each implementation's test instantiates it.
#pragma once

#include "core/worker_pool.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace duomap::test {

inline void check_runs_each_worker_once(worker_pool& pool) {
  for (int round = 0; round < 20; ++round) {
    // Plain integers, so that the thread sanitizer reports a worker that runs twice or a body that the caller
    // cannot yet see.
    std::vector<int> runs(pool.workers(), 0);
    pool.run_workers([&](unsigned worker) { ++runs.at(worker); });
    CHECK(runs == std::vector<int>(pool.workers(), 1));
  }
}

inline void check_visits_each_index_once(worker_pool& pool) {
  const std::uint64_t workers = pool.workers();
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, workers - 1,
                                    workers, workers + 1, std::uint64_t{1000}}) {
    INFO("count " << count);
    std::vector<int> visits(count, 0);
    pool.for_each_index(count, [&](std::uint64_t index) { ++visits.at(index); });
    CHECK(visits == std::vector<int>(count, 1));
  }
}

inline void check_shares_indices(worker_pool& pool) {
  constexpr std::uint64_t count = 1000;
  std::vector<std::vector<std::uint64_t>> taken(pool.workers());  // only worker i writes element i
  pool.share_indices(count, [&](unsigned worker, std::uint64_t index) { taken.at(worker).push_back(index); });
  std::vector<int> visits(count, 0);
  for (const auto& of_worker : taken) {
    for (const std::uint64_t index : of_worker) ++visits.at(index);
  }
  CHECK(visits == std::vector<int>(count, 1));
}

inline void check_rethrows_after_all_bodies(worker_pool& pool) {
  for (unsigned thrower = 0; thrower < pool.workers(); ++thrower) {
    std::atomic<unsigned> runs = 0;
    CHECK_THROWS_WITH(pool.run_workers([&](unsigned worker) {
      ++runs;
      if (worker == thrower) throw std::runtime_error("worker " + std::to_string(worker));
    }),
                      "worker " + std::to_string(thrower));
    CHECK(runs == pool.workers());
  }
  // All workers throw. The caller gets one exception, and the next call gets none.
  CHECK_THROWS_WITH(pool.run_workers([](unsigned) { throw std::runtime_error("any"); }), "any");
  CHECK_NOTHROW(pool.run_workers([](unsigned) {}));
}

inline void check_stops_handing_out_indices(worker_pool& pool) {
  std::atomic<std::uint64_t> visits = 0;
  constexpr std::uint64_t count = 1'000'000;
  CHECK_THROWS_WITH(pool.for_each_index(count,
                                        [&](std::uint64_t index) {
                                          ++visits;
                                          if (index == 10) throw std::runtime_error("index 10");
                                        }),
                    "index 10");
  CHECK(visits >= 1);
  CHECK(visits < count);
  CHECK_THROWS_WITH(pool.for_each_index(1, [](std::uint64_t) { throw std::runtime_error("only one"); }),
                    "only one");
}

inline void check_worker_pool_contract(worker_pool& pool) {
  REQUIRE(pool.workers() >= 1);
  check_runs_each_worker_once(pool);
  check_visits_each_index_once(pool);
  check_shares_indices(pool);
  check_rethrows_after_all_bodies(pool);
  check_stops_handing_out_indices(pool);
}

}  // namespace duomap::test
