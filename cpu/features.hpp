// Chooses the vector instructions of the CPU code at run time, so that one binary runs on any x86-64 CPU.
#pragma once

#include <string>
#include <string_view>

namespace duomap::cpu {

/// The ways to scan bytes. Each way needs more CPU instructions than the way before it. All ways give the
/// same answers.
enum class vector_path {
  portable,  ///< any CPU
  avx2,      ///< AVX2, BMI1, BMI2
  avx512,    ///< AVX-512 F, BW, VL, VBMI and VBMI2, and all of avx2
};

/// "portable", "avx2" or "avx512".
[[nodiscard]] std::string_view name(vector_path path) noexcept;

/// The best path this CPU and operating system support.
[[nodiscard]] vector_path best_vector_path() noexcept;

/// The path that `wanted` names, or `best` if `wanted` is empty. Throws usage_error if the name is unknown or
/// the path needs more than `best`.
[[nodiscard]] vector_path choose_vector_path(std::string_view wanted, vector_path best);

/// The path of this process: the path that the environment variable DUOMAP_VECTOR names, else the best.
/// Throws usage_error like choose_vector_path. Any thread may call it, and the first call decides for good.
[[nodiscard]] vector_path active_vector_path();

/// Returns the implementation that belongs to a path.
template <class Way>
[[nodiscard]] constexpr Way way_for(vector_path path, Way portable, Way avx2, Way avx512) noexcept {
  return path == vector_path::avx512 ? avx512 : path == vector_path::avx2 ? avx2 : portable;
}

}  // namespace duomap::cpu
