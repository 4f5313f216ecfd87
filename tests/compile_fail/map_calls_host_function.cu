// first error: map_calls_host_function.cu.[0-9]+.: error: calling a __host__ function.* from a __host__
// __device__ function
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

inline std::uint64_t rating(duomap::byte_view word) { return word.size * word.size; }

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, rating(word)); }
};

__global__ void map_one(refused task, duomap::byte_view word) {
  duomap::archetype_emitter<refused> emit;
  task.map(word, emit);
}
