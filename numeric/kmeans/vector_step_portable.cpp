// Runs a step of k-means without vector instructions, and chooses a path.
#define DUOMAP_TARGET

#include "cpu/features.hpp"
#include "numeric/kmeans/vector_step_body.inc"

#include <cmath>

namespace duomap::kmeans_paths {
namespace {

template <class T>
struct lanes {
  static constexpr std::uint32_t width = 1, vectors = 4, centres = 2;
  using vector = T;
  struct nearest {
    T score;
    std::uint32_t index;
  };

  static vector load(const T* from) { return *from; }
  static vector all(T value) { return value; }
  /// Calls std::fma(), because the CPU may lack the instruction: slow, but with the bits of the other paths.
  static vector fused(vector a, vector b, vector c) { return std::fma(a, b, c); }
  static nearest none() { return {std::numeric_limits<T>::infinity(), 0}; }
  static void atomic_min(nearest& best, vector score, std::uint32_t index) {
    if (score < best.score) best = {score, index};
  }
  static void store(const nearest& best, std::uint32_t* to) { *to = best.index; }
};

}  // namespace

const path<float>& portable(float) { return path_of<lanes<float>, float>; }
const path<double>& portable(double) { return path_of<lanes<double>, double>; }

template <class T>
const path<T>& active() {
#if defined(__x86_64__)
  static const path<T>& chosen = *[] {
    const cpu::vector_path best =
        __builtin_cpu_supports("fma") ? cpu::active_vector_path() : cpu::vector_path::portable;
    const bool wide = best == cpu::vector_path::avx512 && __builtin_cpu_supports("avx512dq");
    return best == cpu::vector_path::portable ? &portable(T{}) : wide ? &avx512(T{}) : &avx2(T{});
  }();
  return chosen;
#else
  return portable(T{});
#endif
}

template const path<float>& active();
template const path<double>& active();

}  // namespace duomap::kmeans_paths
