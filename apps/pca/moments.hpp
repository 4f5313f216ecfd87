// The count, sums and sums of products of rows about an origin, as a task: what means and covariances are
// made of.
#pragma once

#include "apps/pca/moment_cells.hpp"
#include "apps/pca/run_moments.hpp"
#include "core/chunk.hpp"
#include "core/deterministic.hpp"
#include "core/emitter.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/chunk_engine.hpp"
#include "gpu/make_backend.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap {

/// Records are rows of as many numbers as the origin has; keys are those of moment_cells. Whole chunks are
/// mapped, run by run (apps/pca/run_moments.hpp), and the sums of runs added up in float64. `FixedRuns`: runs
/// begin at multiples of rows_of_run wherever the input is cut, for deterministic<moments>, which then is the
/// same bit for bit everywhere. Otherwise a chunk's last run may be shorter, so that grains are small: 256
/// rows of 784 floats take a core 2 ms, and all of MNIST a GPU 11.
template <class T, bool FixedRuns>
struct moments {
  using format = rows<T>;
  using key = dense;
  using reduce = sum<double>;

  broadcast<T> origin;

  [[nodiscard]] rows<T> records() const {
    const auto columns = static_cast<std::uint32_t>(origin.size);
    // About 128 KiB.
    std::uint64_t some = std::max<std::uint64_t>(1, (128u << 10) / (sizeof(T) * columns));
    if (FixedRuns || some > rows_of_run) some = std::max<std::uint64_t>(1, some / rows_of_run) * rows_of_run;
    return {.width = columns, .rows_per_grain = some};
  }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return moment_cells{origin.size}.count(); }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(origin); }

  /// One core of an EPYC (Zen 5) added up 20 to 60 times 10^9 products of floats in a second.
  [[nodiscard]] double estimated_seconds(std::uint64_t bytes, unsigned workers) const {
    const auto numbers = static_cast<double>(bytes) / sizeof(T);
    const double products = numbers * (static_cast<double>(origin.size) + 1) / 2;
    return products / (30e9 * sizeof(float) / sizeof(T) * workers);
  }

  void map_chunk(const chunk& part, auto& emit) const {
    const auto columns = static_cast<std::uint32_t>(origin.size);
    run_moments<T>& sums = run_moments<T>::of_this_thread(columns, origin.data);
    const std::uint64_t count = part.size / (columns * sizeof(T));
    const T* const first = reinterpret_cast<const T*>(part.data);
    for (std::uint64_t r = 0; r < count; r += rows_of_run) {
      const auto& cells = sums.of(first + r * columns, std::min<std::uint64_t>(rows_of_run, count - r));
      emit_block(emit, 0, cells.data(), cells.size());
    }
  }
};

}  // namespace duomap

// The two that centred_sums_of() runs.
template <class T>
inline constexpr bool duomap::gpu::has_code<duomap::moments<T, false>> = DUOMAP_HAS_CUDA;
template <class T>
inline constexpr bool duomap::gpu::has_code<duomap::deterministic<duomap::moments<T, true>>> =
    DUOMAP_HAS_CUDA;
template <class T>
inline constexpr bool duomap::gpu::has_chunk_engine<duomap::moments<T, false>> = true;
template <class T>
inline constexpr bool duomap::gpu::has_chunk_engine<duomap::deterministic<duomap::moments<T, true>>> = true;
