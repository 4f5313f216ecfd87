// Tests sums of squares that are too small for the type of the numbers.
#include "core/report.hpp"
#include "numeric/pca/pca.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

namespace duomap::numeric_pca_centred_sums_test {
namespace {

const run_options on_cpu{.device = device_choice::cpu};

TEST_CASE("pca: squares below float32 are an error that says so, and of some columns a note") {
  const auto of = [&](const std::vector<float>& values, std::uint64_t columns) {
    return pca(matrix_view<float>(values, columns), {.run = on_cpu});
  };
  for (const float tiny : {1e-20f, 1e-24f, 1e-40f}) {
    CHECK_THROWS_WITH(of({tiny, -tiny}, 1),
                      test::contains("too small for float32") && test::contains("--float64"));
    CHECK_THROWS_WITH(of({5, tiny, 5, 2 * tiny, 5, 4 * tiny}, 2), test::contains("too small for float32"));
  }
  CHECK(of({1e-18f, -1e-18f}, 1).variance[0] == Approx(2e-36));
  const auto of_doubles = [&](const std::vector<double>& values) {
    return pca(matrix_view<double>(values, 1), {.run = on_cpu}).variance[0];
  };
  CHECK(of_doubles({1e-24, -1e-24}) == Approx(2e-48));
  CHECK_THROWS_WITH(of_doubles({1e-160, -1e-160}), test::contains("too small for float64; scale"));
  // Equal numbers have no squares to lose.
  CHECK(of({1e-30f, 1e-30f, 1e-30f}, 1).variance[0] == 0);
  CHECK(of_doubles({1e-200, 1e-200, 1e-200}) == 0);
  CHECK(of_doubles(std::vector<double>(300, 1.1e-150)) == 0);

  run_report report;
  const std::vector<float> mixed{1, 1e-25f, 0, 2, 3e-25f, 0, 3, 2e-25f, 0};
  const pca_result found = pca(matrix_view<float>(mixed, 3),
                               {.name = "'t'", .run = {.device = device_choice::cpu, .report = &report}});
  CHECK(found.variance[0] == Approx(1));
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] ==
        "'t': products of column 2 are too small for float32; use float64 (--float64), or scale the columns");
}

}  // namespace
}  // namespace duomap::numeric_pca_centred_sums_test
