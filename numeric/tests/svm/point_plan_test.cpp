// Tests numeric/svm/device_row_form.hpp: rows are cut into panels where a GPU has no room for all of them.
#include "core/error.hpp"
#include "numeric/svm/device_row_form.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace duomap::test::numeric_svm_point_plan_test {
namespace {

using gpu::device_row_form;
using gpu::point_plan;

svm_rows dense_rows(const std::vector<float>& values, std::uint64_t columns) {
  return {.rows = values.size() / columns, .columns = columns, .dense = values};
}

}  // namespace

TEST_CASE("svm: rows stay on a GPU that has room, and come in panels to others") {
  const std::vector<float> values(5000 * 40, 1.0f);
  const svm_rows rows = dense_rows(values, 40);
  const point_plan whole(rows, 1000, std::uint64_t{1} << 40, "the test");
  CHECK_FALSE(whole.streams());
  CHECK(whole.panels == std::vector<std::uint64_t>{0, 5000});
  // If memory is one byte too small for this plan, the plan has fewer products at once.
  CHECK(point_plan(rows, 1000, 1000 + whole.bytes, "the test").bytes == whole.bytes);
  const point_plan short_of(rows, 1000, 999 + whole.bytes, "the test");
  CHECK_FALSE(short_of.streams());
  CHECK(short_of.bytes < whole.bytes);

  const std::uint64_t limit = 1000000;
  const point_plan parts(rows, 1000, limit, "the test");
  REQUIRE(parts.streams());
  CHECK(parts.panels.front() == 0);
  CHECK(parts.panels.back() == 5000);
  CHECK(1000 + parts.bytes <= limit);
  CHECK(4 * parts.part_bytes <= parts.bytes);
  for (std::size_t panel = 0; panel + 1 < parts.panels.size(); ++panel) {
    const std::uint64_t count = parts.panels[panel + 1] - parts.panels[panel];
    REQUIRE(count > 0);
    REQUIRE(count * parts.form.bytes_of(rows, 0) <= parts.part_bytes);
    REQUIRE(count * sizeof(double) <= parts.product_bytes);
  }
  std::vector<std::uint32_t> which(5000);
  std::iota(which.begin(), which.end(), 0u);
  const std::uint64_t at_once = parts.part_of(rows, which);
  CHECK(at_once >= 1);
  CHECK(at_once <= parts.rows_at_once);
  CHECK(at_once * parts.form.bytes_of(rows, 0) <= parts.part_bytes);
  CHECK(parts.part_of(rows, std::vector<std::uint32_t>{3}) == 1);

  CHECK_THROWS_AS(point_plan(rows, 1000, 1000, "the test"), out_of_memory);
  CHECK_THROWS_WITH(point_plan(rows, 1000, 20000, "training"), contains("training takes at least") &&
                                                                   contains("5000 rows of 40 columns") &&
                                                                   contains("20000 bytes are free"));
}

TEST_CASE("svm: sparse rows are cut by their entries") {
  // Row r has r % 300 entries of 100,000 columns.
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> columns;
  for (std::uint64_t row = 0; row < 2000; ++row) {
    for (std::uint32_t k = 0; k < row % 300; ++k) columns.push_back(k * 7);
    starts.push_back(columns.size());
  }
  const std::vector<float> values(columns.size(), 1.0f);
  const svm_rows rows{
      .rows = 2000, .columns = 100000, .row_start = starts, .column_of = columns, .values = values};
  CHECK(device_row_form::of(rows).sparse);
  // All rows in dense form would be 800 MB.
  CHECK_FALSE(point_plan(rows, 0, std::uint64_t{64} << 20, "the test").streams());
  const point_plan parts(rows, 0, std::uint64_t{13} << 20, "the test");
  REQUIRE(parts.streams());
  CHECK(parts.bytes <= std::uint64_t{13} << 20);
  for (std::size_t panel = 0; panel + 1 < parts.panels.size(); ++panel) {
    std::uint64_t bytes = 0;
    for (std::uint64_t row = parts.panels[panel]; row < parts.panels[panel + 1]; ++row)
      bytes += parts.form.bytes_of(rows, row);
    REQUIRE(bytes <= parts.part_bytes);
  }
}

}  // namespace duomap::test::numeric_svm_point_plan_test
