// compiles
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"

#include <cstdint>

struct wordcount {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

template <>
inline constexpr bool duomap::gpu::has_code<wordcount> = DUOMAP_HAS_CUDA;

namespace duomap::gpu {

template backends_of<wordcount> make_backends(const wordcount&, const std::vector<int>&,
                                              const backend_options&);

}  // namespace duomap::gpu
