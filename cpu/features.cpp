// Finds the CPU's vector instructions with __builtin_cpu_supports, which also checks that the operating
// system saves the vector registers.
#include "cpu/features.hpp"

#include "core/error.hpp"

#include <cstdlib>
#include <string>

namespace duomap::cpu {

std::string_view name(vector_path path) noexcept {
  switch (path) {
    case vector_path::portable:
      return "portable";
    case vector_path::avx2:
      return "avx2";
    case vector_path::avx512:
      return "avx512";
  }
  return "unknown";
}

vector_path best_vector_path() noexcept {
#if defined(__x86_64__)
  const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  if (has_avx512) return vector_path::avx512;
  if (has_avx2) return vector_path::avx2;
#endif
  return vector_path::portable;
}

vector_path choose_vector_path(std::string_view wanted, vector_path best) {
  if (wanted.empty()) return best;
  for (auto path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
    if (wanted != name(path)) continue;
    if (path <= best) return path;
    throw usage_error("DUOMAP_VECTOR=" + std::string(wanted) + ": this CPU supports at most " +
                      std::string(name(best)) + "; set that, a smaller one, or unset DUOMAP_VECTOR");
  }
  throw usage_error("DUOMAP_VECTOR=" + std::string(wanted) +
                    ": unknown vector path; known are portable, avx2 and avx512, and this CPU supports at "
                    "most " +
                    std::string(name(best)));
}

vector_path active_vector_path() {
  static const vector_path active = [] {
    const char* const wanted = std::getenv("DUOMAP_VECTOR");
    return choose_vector_path(wanted != nullptr ? wanted : "", best_vector_path());
  }();
  return active;
}

}  // namespace duomap::cpu
