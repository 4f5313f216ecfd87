// One step of k-means as a plain task for the general engines, which are measured and tested with it; what
// the application runs is lloyd_step.hpp.
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

/// A centre c, and |c|^2 / 2, so that the nearest centre of x is the one with the smallest |c|^2 / 2 - c x:
/// one multiplication a dimension instead of a subtraction too. The smaller a cloud's distance to the origin
/// is against its width, the less is lost to rounding: shift the points if it is far away.
template <std::uint32_t Dimensions>
struct kmeans_centre {
  float at[Dimensions];
  float half_square;

  kmeans_centre() = default;
  explicit kmeans_centre(const float* from) : half_square(0) {
    for (std::uint32_t d = 0; d < Dimensions; ++d) {
      at[d] = from[d];
      half_square += from[d] * from[d] / 2;
    }
  }
};

/// The points of a centre: their sum and their number.
template <std::uint32_t Dimensions>
struct kmeans_sum {
  float at[Dimensions];
  std::uint64_t points;
};

/// Points are rows of floats; the key is the nearest centre, of equally near ones the first.
template <std::uint32_t Dimensions>
struct kmeans_step {
  using format = rows<float>;
  using key = dense;
  using reduce = sum_fields<&kmeans_sum<Dimensions>::at, &kmeans_sum<Dimensions>::points>;

  broadcast<kmeans_centre<Dimensions>> centres;

  [[nodiscard]] static constexpr rows<float> records() { return {.width = Dimensions}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return centres.size; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(centres); }

  DUOMAP_HD void map(const row<float>& point, auto& emit) const {
    const row<float> one[1] = {point};
    map_batch(one, emit);
  }

  /// Several points share each reading of a centre.
  template <std::size_t Several>
  DUOMAP_HD void map_batch(const row<float> (&points)[Several], auto& emit) const {
    float smallest[Several];
    std::uint32_t nearest[Several];
    for (std::size_t p = 0; p < Several; ++p) {
      smallest[p] = std::numeric_limits<float>::infinity();
      nearest[p] = 0;
    }
    const auto count = static_cast<std::uint32_t>(centres.size);
    const auto try_centre = [&](std::uint32_t c) {
      const kmeans_centre<Dimensions>& centre = centres[c];
      for (std::size_t p = 0; p < Several; ++p) {
        float score = centre.half_square;
        for (std::uint32_t d = 0; d < Dimensions; ++d) score -= centre.at[d] * points[p][d];
        if (score < smallest[p]) {
          smallest[p] = score;
          nearest[p] = c;
        }
      }
    };
    // Four at a time: their scores do not depend on each other, and the loop itself costs something.
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
