// Tests that any number of workers finds the first row that is not finite, wherever it stands.
#include "numeric/common/finite.hpp"

#include "core/error.hpp"
#include "cpu/machine_pool.hpp"
#include "tests/catch.hpp"

#include <limits>
#include <vector>

namespace duomap::test::numeric_common_finite_test {

TEMPLATE_TEST_CASE("The first row with NaN or infinity is found", "", float, double) {
  const auto pool = cpu::machine_pool(0);
  for (const std::uint64_t columns : {1U, 3U, 16U, 17U, 1000U}) {
    const std::uint64_t rows = 150'000 / columns;
    std::vector<TestType> numbers(rows * columns, std::numeric_limits<TestType>::max());
    const matrix_view<TestType> values(numbers.data(), rows, columns);
    CHECK(first_row_not_finite(values, *pool) == rows);
    require_finite(values, "numbers", *pool);
    for (const std::uint64_t row : {rows - 1, rows / 2, rows / 3, std::uint64_t{0}}) {
      // Rows are made infinite or NaN from the last one to the first, and stay so.
      numbers[row * columns + columns - 1] = row % 2 == 0 ? std::numeric_limits<TestType>::quiet_NaN()
                                                          : -std::numeric_limits<TestType>::infinity();
      CHECK(first_row_not_finite(values, *pool) == row);
    }
    CHECK_THROWS_AS(require_finite(values, "numbers", *pool), input_error);
  }
  CHECK(first_row_not_finite(matrix_view<TestType>(), *pool) == 0);
}

}  // namespace duomap::test::numeric_common_finite_test
