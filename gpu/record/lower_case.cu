#include "core/text/letter_case.hpp"
#include "gpu/record/lower_case.cuh"
#include "gpu/runtime/launch.cuh"

namespace duomap::gpu {

namespace {

__global__ void lower_case_words(uint4* words, std::uint64_t count) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    uint4 word = words[i];
    word = {to_lower_ascii(word.x), to_lower_ascii(word.y), to_lower_ascii(word.z), to_lower_ascii(word.w)};
    words[i] = word;
  }
}

}  // namespace

void lower_case(char* data, std::uint64_t bytes, const stream& on) {
  constexpr unsigned threads = 256;
  const std::uint64_t words = (bytes + sizeof(uint4) - 1) / sizeof(uint4);
  const std::uint64_t blocks = (words + threads - 1) / threads;
  launch(lower_case_words, {static_cast<unsigned>(blocks < 2048 ? blocks : 2048), threads, 0, on.get()},
         reinterpret_cast<uint4*>(data), words);
}

}  // namespace duomap::gpu
