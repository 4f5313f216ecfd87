#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/small_copy.cuh"

namespace duomap::gpu {
namespace {

__global__ void copy_words(std::uint64_t* to, const std::uint64_t* from, std::uint64_t words) {
  for (std::uint64_t i = first_element(); i < words; i += element_step()) to[i] = from[i];
}

}  // namespace

void copy_small(std::uint64_t* to, const std::uint64_t* from, std::uint64_t words, const stream& on) {
  launch(copy_words, element_grid(words, on), to, from, words);
}

}  // namespace duomap::gpu
