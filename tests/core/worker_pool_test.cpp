// Tests the worker pool that runs on one thread.
#include "core/worker_pool.hpp"

#include "tests/catch.hpp"
#include "tests/support/worker_pool_contract.hpp"

#include <cstdint>
#include <thread>
#include <vector>

namespace duomap::test::core_worker_pool_test {

TEST_CASE("sequential keeps the contract of worker_pool", "[worker_pool]") {
  duomap::sequential pool;
  CHECK(pool.workers() == 1);
  duomap::test::check_worker_pool_contract(pool);
}

TEST_CASE("sequential runs on the calling thread, in order", "[worker_pool]") {
  duomap::sequential pool;
  pool.run_workers(
      [caller = std::this_thread::get_id()](unsigned) { CHECK(std::this_thread::get_id() == caller); });
  std::vector<std::uint64_t> seen;
  pool.for_each_index(4, [&](std::uint64_t index) { seen.push_back(index); });
  CHECK(seen == std::vector<std::uint64_t>{0, 1, 2, 3});
}

}  // namespace duomap::test::core_worker_pool_test
