// Tests sorting on any number of workers.
#include "core/parallel_sort.hpp"

#include "core/config.hpp"
#include "core/worker_pool.hpp"
#include "tests/catch.hpp"
#include "tests/support/threaded_pool.hpp"
#include "tests/support/worker_pool_contract.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::core_parallel_sort_test {

namespace {

std::vector<std::uint32_t> random_values(std::mt19937& random, std::size_t count, std::uint32_t distinct) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random()) % distinct;
  return values;
}

// The sort uses 2, 4 and 8 pieces from certain sizes on. These sizes lie around them, in torture builds too.
const std::vector<std::size_t> sizes = {0,      1,      2,      3,      4,       5,      7,      8,
                                        9,      31,     100,    16'383, 16'384,  16'385, 32'767, 32'768,
                                        32'769, 65'535, 65'536, 65'541, 131'072, 131'073};

}  // namespace

TEST_CASE("the tests' own pool does what a pool must", "[worker_pool]") {
  for (const unsigned workers : {1U, 2U, 5U}) {
    test::threaded_pool pool(workers);
    test::check_worker_pool_contract(pool);
  }
}

TEST_CASE("values are sorted by any number of workers", "[parallel_sort]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const unsigned workers : {1U, 2U, 3U, 4U, 7U, 8U}) {
    test::threaded_pool pool(workers);
    for (const std::size_t size : sizes) {
      if (torture && size > 1000) continue;  // a torture build would make size / 2 pieces, each for a thread
      for (const std::uint32_t distinct : {1U, 3U, 1'000'000'000U}) {
        CAPTURE(workers, size, distinct);
        std::vector<std::uint32_t> values = random_values(random, size, distinct);
        std::vector<std::uint32_t> expected = values;
        std::sort(expected.begin(), expected.end());
        parallel_sort(values, std::less<>(), pool);
        CHECK((values == expected));
      }
    }
  }
}

TEST_CASE("values in order, in reverse order and by another order are sorted", "[parallel_sort]") {
  const std::size_t size = torture ? 100 : 70'000;
  test::threaded_pool pool(4);
  std::vector<std::uint32_t> ascending(size);
  for (std::size_t i = 0; i < size; ++i) ascending[i] = static_cast<std::uint32_t>(i);
  const std::vector<std::uint32_t> descending(ascending.rbegin(), ascending.rend());

  std::vector<std::uint32_t> values = ascending;
  parallel_sort(values, std::less<>(), pool);
  CHECK((values == ascending));
  values = descending;
  parallel_sort(values, std::less<>(), pool);
  CHECK((values == ascending));
  parallel_sort(values, std::greater<>(), pool);
  CHECK((values == descending));
}

TEST_CASE("values that own memory are sorted", "[parallel_sort]") {
  const std::size_t size = torture ? 100 : 40'000;
  std::mt19937 random(test::seed());
  std::vector<std::string> values(size);
  for (std::string& value : values) value = std::string(random() % 40, 'p') + std::to_string(random());
  std::vector<std::string> expected = values;
  std::sort(expected.begin(), expected.end());
  test::threaded_pool pool(3);
  parallel_sort(values, std::less<>(), pool);
  CHECK((values == expected));
}

TEST_CASE("what a comparison throws comes out of the sort", "[parallel_sort]") {
  test::threaded_pool pool(4);
  std::vector<std::uint32_t> values(torture ? 100 : 70'000, 1);
  CHECK_THROWS_WITH(
      parallel_sort(
          values, [](std::uint32_t, std::uint32_t) -> bool { throw std::runtime_error("less"); }, pool),
      "less");
}

}  // namespace duomap::test::core_parallel_sort_test
