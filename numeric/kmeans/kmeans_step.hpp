// Declares one step of k-means as a plain task, with which the general engines are measured and tested. The
// application runs lloyd_step.hpp.
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/make_resident.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace duomap::apps {

/// A centre c, and |c|^2 / 2. The nearest centre of x has the smallest |c|^2 / 2 - c x, which takes one
/// multiplication for each dimension and no subtraction. Points far from the origin, compared with their
/// spread, lose digits by rounding, so the caller should shift such points.
template <std::uint32_t Dimensions>
struct kmeans_center {
  float at[Dimensions];
  float half_square;

  kmeans_center() = default;
  explicit kmeans_center(const float* from) : half_square(0) {
    for (std::uint32_t d = 0; d < Dimensions; ++d) {
      at[d] = from[d];
      half_square += from[d] * from[d] / 2;
    }
  }
};

/// The sum and the number of the points of a centre.
template <std::uint32_t Dimensions>
struct kmeans_sum {
  float at[Dimensions];
  std::uint64_t points;
};

/// Points are rows of floats. The key is the nearest centre, the first of equally near ones.
template <std::uint32_t Dimensions>
struct kmeans_step {
  using format = rows<float>;
  using key = dense;
  using reduce = sum_fields<&kmeans_sum<Dimensions>::at, &kmeans_sum<Dimensions>::points>;

  broadcast<kmeans_center<Dimensions>> centers;

  [[nodiscard]] static constexpr rows<float> records() { return {.width = Dimensions}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return centers.size; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(centers); }

  DUOMAP_HD void map(const row<float>& point, auto& emit) const {
    const row<float> one[1] = {point};
    map_batch(one, emit);
  }

  /// Maps several points at once, which share each load of a centre.
  template <std::size_t Several>
  DUOMAP_HD void map_batch(const row<float> (&points)[Several], auto& emit) const {
    float smallest[Several];
    std::uint32_t nearest[Several];
    for (std::size_t p = 0; p < Several; ++p) {
      smallest[p] = std::numeric_limits<float>::infinity();
      nearest[p] = 0;
    }
    const auto count = static_cast<std::uint32_t>(centers.size);
    const auto try_centre = [&](std::uint32_t c) {
      const kmeans_center<Dimensions>& centre = centers[c];
      for (std::size_t p = 0; p < Several; ++p) {
        float score = centre.half_square;
        for (std::uint32_t d = 0; d < Dimensions; ++d) score -= centre.at[d] * points[p][d];
        if (score < smallest[p]) {
          smallest[p] = score;
          nearest[p] = c;
        }
      }
    };
    // Tries four centres at a time: their scores do not wait for each other, and the loop has fewer rounds.
    std::uint32_t c = 0;
    for (; c + 4 <= count; c += 4) {
      for (std::uint32_t i = 0; i < 4; ++i) try_centre(c + i);
    }
    for (; c < count; ++c) try_centre(c);
    for (std::size_t p = 0; p < Several; ++p) {
      kmeans_sum<Dimensions> sum;
      for (std::uint32_t d = 0; d < Dimensions; ++d) sum.at[d] = points[p][d];
      sum.points = 1;
      emit(nearest[p], sum);
    }
  }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::kmeans_step<3>> = DUOMAP_HAS_CUDA;

template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::apps::kmeans_step<3>> = DUOMAP_HAS_CUDA;
