// Makes points to cluster, and clusters them by a plain loop.
#pragma once

#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "cpu/features.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/kmeans/first_centres.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/moving_centres.hpp"
#include "numeric/kmeans/vector_step.hpp"
#include "numeric/tests/kmeans/plain_step.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/threaded_pool.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace duomap::test::numeric_kmeans_kmeans_test {

/// Points around `places` places in a cube, `offset` away from the origin.
template <class T>
std::vector<T> synthetic(std::uint64_t points, std::uint32_t columns, std::uint32_t places,
                         std::uint32_t of_seed, T offset = 0) {
  std::mt19937 random(of_seed);
  std::uniform_real_distribution<double> place(-10, 10), near(-1, 1);
  std::vector<double> at(places * columns);
  for (double& one : at) one = place(random);
  std::vector<T> made(points * columns);
  for (std::uint64_t p = 0; p < points; ++p) {
    // The first points take one place each, so that no place is without a point.
    const auto which = static_cast<std::uint32_t>(p < places ? p : random() % places);
    for (std::uint32_t c = 0; c < columns; ++c)
      made[p * columns + c] = static_cast<T>(at[which * columns + c] + near(random)) + offset;
  }
  return made;
}

template <class T>
matrix_view<T> view_of(const std::vector<T>& values, std::uint64_t columns) {
  return {std::span<const T>(values), columns};
}

template <class T>
std::vector<double> first_rows(const std::vector<T>& values, std::uint64_t columns, std::uint32_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(columns * count)};
}

inline bool same_bits(const kmeans_result& a, const kmeans_result& b) {
  const auto centres = [](const kmeans_result& of) {
    return of.centers.view().values();
  };
  return std::ranges::equal(centres(a), centres(b)) && a.sizes == b.sizes && a.labels == b.labels &&
         a.inertia == b.inertia && a.iterations == b.iterations && a.converged == b.converged;
}

/// Checks that a GPU alone, and a GPU with the CPU, give the CPU's bits.
inline void expect_same_on_devices(matrix_view<float> points, kmeans_options options) {
  options.run.device = device_choice::cpu;
  const kmeans_result expected = kmeans(points, options);
  options.run.device = device_choice::gpu;
  CHECK(same_bits(kmeans(points, options), expected));
  options.run.device = device_choice::cpu_gpu;
  options.run.share = {.policy = share_policy::by_hand, .gpu_share = 0.4};
  CHECK(same_bits(kmeans(points, options), expected));
}

/// The sum of squared distances of points to the centres of their labels, in double.
template <class T>
double inertia_by_labels(matrix_view<T> points, const kmeans_result& of) {
  double all = 0;
  for (std::uint64_t p = 0; p < points.rows; ++p) {
    for (std::uint64_t c = 0; c < points.columns; ++c) {
      const double distance = static_cast<double>(points.row(p)[c]) - of.centers.row(of.labels[p])[c];
      all += distance * distance;
    }
  }
  return all;
}

template <class T>
void expect_plain_iterations(std::uint64_t rows, std::uint32_t columns, std::uint32_t clusters, T offset) {
  CAPTURE(rows, columns, clusters, offset, sizeof(T), seed());
  const std::vector<T> values = synthetic<T>(rows, columns, clusters, seed(), offset);
  const matrix_view<T> points = view_of(values, columns);
  const std::vector<double> start = first_rows(values, columns, clusters);
  std::vector<double> centres = start;
  constexpr std::uint32_t iterations = 4;
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const plain_sums step = plain_step(points, {centres.data(), clusters, columns});
    for (std::uint32_t c = 0; c < clusters; ++c) {
      if (step.sizes[c] == 0) continue;
      for (std::uint32_t d = 0; d < columns; ++d)
        centres[c * columns + d] = step.sums[c * columns + d] / static_cast<double>(step.sizes[c]);
    }
  }
  const kmeans_result found = kmeans(points, {.clusters = clusters,
                                              .start = kmeans_start::given,
                                              .initial = {start.data(), clusters, columns},
                                              .max_iterations = iterations,
                                              .tolerance = 0,
                                              .labels = true,
                                              .run = {.device = device_choice::cpu}});
  // The plain loop rounds distances at this offset to T, so points between two centres may change places.
  const double tolerance = 20.0 / static_cast<double>(rows) * clusters + 1e-4;
  for (std::uint64_t i = 0; i < centres.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found.centers.data()[i] - centres[i]) < tolerance);
  }
  CHECK(std::accumulate(found.sizes.begin(), found.sizes.end(), std::uint64_t{0}) == rows);
  std::vector<std::uint64_t> sizes(clusters);
  for (const std::uint32_t label : found.labels) ++sizes.at(label);
  CHECK(sizes == found.sizes);
  // Shifted coordinates are rounded to T.
  CHECK(found.inertia == Approx(inertia_by_labels(points, found)).epsilon(1e-6));
}

}  // namespace duomap::test::numeric_kmeans_kmeans_test
