// Tests the CPU's worker pool, which runs on oneTBB.
#include "cpu/tbb_pool.hpp"

#include "cpu/affinity.hpp"
#include "tests/catch.hpp"
#include "tests/support/worker_pool_contract.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace duomap::test::cpu_tbb_pool_test {

using duomap::cpu::allowed_cpus;
using duomap::cpu::numa_node;
using duomap::cpu::spread_workers;
using duomap::cpu::tbb_pool;
using duomap::cpu::threads_have_started;

namespace {

/// Makes one NUMA node for each size; CPUs are numbered from node to node.
std::vector<numa_node> nodes_of(const std::vector<unsigned>& sizes) {
  std::vector<numa_node> nodes;
  unsigned cpu = 0;
  for (const unsigned size : sizes) {
    numa_node node{static_cast<unsigned>(nodes.size()), std::vector<unsigned>(size), 0};
    std::iota(node.cpus.begin(), node.cpus.end(), cpu);
    cpu += size;
    nodes.push_back(node);
  }
  return nodes;
}

/// Pretends that the first and the last CPU of this process are two nodes. They may be the same CPU.
std::vector<numa_node> pretended_nodes() {
  const auto cpus = allowed_cpus();
  return {{0, {cpus.front()}, 0}, {1, {cpus.back()}, 0}};
}

}  // namespace

TEST_CASE("tbb_pool keeps the contract of parallel", "[tbb_pool]") {
  for (const unsigned workers : {1U, 2U, 3U, 4U, 9U}) {
    INFO(workers << " workers");
    tbb_pool unbound(workers);
    CHECK(unbound.workers() == workers);
    duomap::test::check_worker_pool_contract(unbound);

    tbb_pool bound(workers, pretended_nodes());
    CHECK(bound.workers() == workers);
    duomap::test::check_worker_pool_contract(bound);
  }
}

TEST_CASE("threads have started when a pool of several workers has run", "[tbb_pool]") {
  tbb_pool(2).run_workers([](unsigned) {});
  CHECK(threads_have_started());
}

TEST_CASE("one worker wakes nobody", "[tbb_pool]") {
  CHECK(tbb_pool(1).wake_seconds() == 0);
  tbb_pool two(2);
  CHECK(two.wake_seconds() > 0);
}

TEST_CASE("no workers count as one", "[tbb_pool]") {
  tbb_pool pool(0);
  CHECK(pool.workers() == 1);
}

TEST_CASE("one worker is the calling thread", "[tbb_pool]") {
  for (const auto& nodes : {std::vector<numa_node>{}, pretended_nodes()}) {
    tbb_pool pool(1, nodes);
    const auto caller = std::this_thread::get_id();
    const auto cpus = allowed_cpus();
    pool.run_workers([&](unsigned) {
      CHECK(std::this_thread::get_id() == caller);
      CHECK(allowed_cpus() == cpus);
    });
    pool.for_each_index(100, [&](std::uint64_t) {
      if (std::this_thread::get_id() != caller) FAIL("not the calling thread");
    });
  }
}

TEST_CASE("as many threads run at once as there are workers, however few cores there are", "[tbb_pool]") {
  const tbb_pool other(2);  // the limit of this pool must not hold for the pools below
  for (const auto& nodes : {std::vector<numa_node>{}, pretended_nodes()}) {
    for (const unsigned workers : {2U, 4U, 8U}) {
      tbb_pool pool(workers, nodes);
      std::atomic<unsigned> running = 0;
      // A body may wait for the others for ever, which the pool's contract forbids, so the wait ends after 60
      // s.
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      pool.run_workers([&](unsigned) {
        ++running;
        while (running < workers && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      });
      INFO(workers << " workers");
      CHECK(std::chrono::steady_clock::now() < limit);
    }
  }
}

TEST_CASE("workers run bound to their node, and their threads are free again afterwards", "[tbb_pool]") {
  const auto before = allowed_cpus();
  const auto nodes = pretended_nodes();
  for (const unsigned workers : {2U, 4U, 5U}) {
    tbb_pool pool(workers, nodes);
    std::vector<std::vector<unsigned>> seen(workers);
    pool.run_workers([&](unsigned worker) { seen[worker] = allowed_cpus(); });
    for (unsigned worker = 0; worker < workers; ++worker)
      CHECK(seen[worker] == nodes[pool.node_of(worker)].cpus);
    CHECK(allowed_cpus() == before);
    CHECK_THROWS(pool.run_workers([](unsigned) { throw 1; }));
    CHECK(allowed_cpus() == before);
  }
  tbb_pool unbound(4);
  std::vector<std::vector<unsigned>> seen(4);
  unbound.run_workers([&](unsigned worker) { seen[worker] = allowed_cpus(); });
  for (const auto& cpus : seen) CHECK(cpus == before);
}

TEST_CASE("nodes that the system does not let us bind to still get their work done", "[tbb_pool]") {
  tbb_pool pool(4, {{0, {100'000}, 0}, {1, {100'001}, 0}});
  duomap::test::check_runs_each_worker_once(pool);
}

TEST_CASE("pools of several threads work side by side", "[tbb_pool]") {
  std::vector<std::uint64_t> sums(4, 0);
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&sums, caller] {
      tbb_pool pool(1 + caller, caller % 2 == 0 ? std::vector<numa_node>{} : pretended_nodes());
      for (int round = 0; round < 20; ++round) {
        std::atomic<std::uint64_t> sum = 0;
        pool.for_each_index(100, [&](std::uint64_t index) { sum += index; });
        sums[caller] += sum;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  for (const auto sum : sums) CHECK(sum == 20U * 4950U);
}

TEST_CASE("pools that come one after the other, and pools of the same size at once, have all their workers",
          "[tbb_pool]") {
  const auto counted = [](worker_pool& pool) {
    std::atomic<unsigned> bodies = 0;
    pool.run_workers([&](unsigned) { ++bodies; });
    return bodies.load();
  };
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned workers = 2; workers < 14; ++workers) {
      cpu::tbb_pool pool(workers);
      cpu::tbb_pool same(workers);
      CHECK(counted(pool) == workers);
      pool.run_workers([&](unsigned worker) {
        if (worker == 0) CHECK(counted(same) == workers);
      });
    }
  }
}

TEST_CASE("workers belong to nodes in proportion to their CPUs", "[tbb_pool]") {
  using counts = std::vector<unsigned>;
  CHECK(spread_workers(8, nodes_of({4, 4})) == counts{4, 4});
  CHECK(spread_workers(4, nodes_of({4, 4})) == counts{2, 2});
  CHECK(spread_workers(5, nodes_of({4, 4})) == counts{3, 2});
  CHECK(spread_workers(1, nodes_of({4, 4})) == counts{1, 0});
  CHECK(spread_workers(4, nodes_of({6, 2})) == counts{3, 1});
  CHECK(spread_workers(3, nodes_of({6, 2})) == counts{2, 1});
  CHECK(spread_workers(16, nodes_of({1, 3})) == counts{4, 12});
  CHECK(spread_workers(6, nodes_of({0, 3})) == counts{0, 6});
  CHECK(spread_workers(6, nodes_of({0, 0})) == counts{6, 0});
  CHECK(spread_workers(6, {}).empty());

  const tbb_pool pool(5, nodes_of({4, 0, 4}));
  CHECK(pool.node_of(0) == 0);
  CHECK(pool.node_of(2) == 0);
  CHECK(pool.node_of(3) == 2);
  CHECK(pool.node_of(4) == 2);
  CHECK_THROWS_AS(pool.node_of(5), std::logic_error);
}

TEST_CASE("shares add up and are within one of the exact proportion", "[tbb_pool]") {
  std::mt19937 random(duomap::test::seed());
  for (int round = 0; round < 200; ++round) {
    std::vector<unsigned> sizes(1 + random() % 8);
    for (auto& size : sizes) size = static_cast<unsigned>(random() % 130);
    const auto nodes = nodes_of(sizes);
    const auto workers = static_cast<unsigned>(1 + random() % 300);
    const auto cpus = std::accumulate(sizes.begin(), sizes.end(), 0U);
    const auto share = spread_workers(workers, nodes);
    CHECK(std::accumulate(share.begin(), share.end(), 0U) == workers);
    for (std::size_t i = 0; cpus != 0 && i < sizes.size(); ++i) {
      const double exact = static_cast<double>(workers) * sizes[i] / cpus;
      CHECK(share[i] > exact - 1);
      CHECK(share[i] < exact + 1);
      if (sizes[i] == 0) CHECK(share[i] == 0);
    }
  }
}

TEST_CASE("the version of oneTBB is a version", "[tbb_pool]") {
  CHECK(duomap::cpu::tbb_version().find_first_of("0123456789") == 0);
}

}  // namespace duomap::test::cpu_tbb_pool_test
