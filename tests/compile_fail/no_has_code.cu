// first error: the program does not say that it has this GPU code
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

namespace duomap::gpu {

template backends_of<wordcount> make_backends(const wordcount&, const std::vector<int>&,
                                              const backend_options&);

}  // namespace duomap::gpu
