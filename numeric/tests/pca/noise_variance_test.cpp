// Tests numeric/pca/pca.hpp: the noise variance of tall, wide and square tables, and of a table that varies
// along one axis.
#include "numeric/pca/pca.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace duomap::numeric_pca_noise_variance_test {
namespace {

std::vector<double> normal_rows(std::mt19937_64& random, std::uint64_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(normal(random));
  return values;
}

TEST_CASE("pca: the noise variance is the mean along the axes that were left out, of min(rows, columns)") {
  std::mt19937_64 random(test::seed());
  const run_options cpu{.device = device_choice::cpu, .threads = 1};
  for (const auto& [rows, columns] : {std::pair{40u, 6u}, {6u, 40u}, {9u, 9u}, {2u, 3u}, {5u, 1u}}) {
    const std::vector<double> values = normal_rows(random, rows * columns);
    for (const bool correlation : {false, true}) {
      for (std::uint32_t kept = 1; kept <= columns; ++kept) {
        CAPTURE(rows, columns, kept, correlation);
        const pca_result found = pca(std::span<const double>(values), columns,
                                     {.components = kept, .correlation = correlation, .run = cpu});
        double left = 0;
        for (std::uint64_t i = 0; i < columns; ++i) left += correlation ? 1 : found.covariance.row(i)[i];
        for (const double variance : found.variance) left -= variance;
        const std::uint32_t most = std::min(rows, columns);
        CHECK(found.noise_variance == Approx(kept < most ? left / (most - kept) : 0).margin(1e-12));
        CHECK(found.noise_variance >= 0);
      }
    }
  }
  const std::vector<double> one_axis = {1, 2, 3, 2, 4, 6, 3, 6, 9, 5, 10, 15};
  for (std::uint32_t kept = 1; kept <= 3; ++kept) {
    const pca_result found = pca(std::span<const double>(one_axis), 3, {.components = kept, .run = cpu});
    CHECK(found.noise_variance >= 0);
    CHECK(found.noise_variance < 1e-12);
  }
}

}  // namespace
}  // namespace duomap::numeric_pca_noise_variance_test
