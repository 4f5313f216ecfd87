// Declares the task that adds up the number, the sums and the sums of products of rows about an origin, for
// means and covariances.
#pragma once

#include "core/chunk.hpp"
#include "core/deterministic.hpp"
#include "core/emitter.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/pca/moment_cells.hpp"
#include "numeric/pca/run_moments.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace duomap {

/// Records are rows as wide as the origin; keys are those of moment_cells. The map takes whole chunks, run by
/// run (numeric/pca/run_moments.hpp), and adds the sums of runs up in float64. With `FixedRuns`, runs begin
/// at multiples of rows_of_run wherever the input is cut, so that deterministic<moments> gives the same bits
/// everywhere. Otherwise the last run of a chunk may be shorter, so that grains are small: 256 rows of 784
/// floats take a core 2 ms.
template <class T, bool FixedRuns>
struct moments {
  using format = rows<T>;
  using key = dense;
  using reduce = sum<double>;

  broadcast<T> origin;

  [[nodiscard]] rows<T> records() const {
    const auto columns = static_cast<std::uint32_t>(origin.size);
    // A grain has about 128 KiB.
    std::uint64_t some = std::max<std::uint64_t>(1, (128u << 10) / (sizeof(T) * columns));
    if (FixedRuns || some > rows_of_run) some = std::max<std::uint64_t>(1, some / rows_of_run) * rows_of_run;
    return {.width = columns, .rows_per_grain = some};
  }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return moment_cells{origin.size}.count(); }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(origin); }

  /// The time for a byte depends on the number of columns.
  [[nodiscard]] std::string profile_parameters() const { return std::to_string(origin.size) + " columns"; }

  /// In a second, 16 cores with AVX-512 add up 5 * 10^11 products of floats, or read 106 GB of 8 columns.
  [[nodiscard]] double cpu_seconds(std::uint64_t bytes, unsigned workers) const {
    return std::max(products(bytes) / (sizeof(T) == 4 ? 30e9 : 15e9), static_cast<double>(bytes) / 7e9) /
           workers;
  }
  /// An H200 takes 10 to 12 ms for 200 MB of 512 and 784 columns, and adds up 8 * 10^12 products each second.
  [[nodiscard]] double gpu_seconds(std::uint64_t bytes) const {
    return 1e-3 +
           std::max(products(bytes) / (sizeof(T) == 4 ? 8e12 : 3e12), static_cast<double>(bytes) / 20e9);
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

 private:
  [[nodiscard]] double products(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / sizeof(T) * (static_cast<double>(origin.size) + 1) / 2;
  }
};

}  // namespace duomap

// The two tasks that centred_sums_of() runs.
template <class T>
inline constexpr bool duomap::gpu::has_code<duomap::moments<T, false>> = DUOMAP_HAS_CUDA;
template <class T>
inline constexpr bool duomap::gpu::has_code<duomap::deterministic<duomap::moments<T, true>>> =
    DUOMAP_HAS_CUDA;
template <class T>
inline constexpr bool duomap::gpu::has_custom_engine<duomap::moments<T, false>> = true;
template <class T>
inline constexpr bool duomap::gpu::has_custom_engine<duomap::deterministic<duomap::moments<T, true>>> = true;
