// Makes the ASCII capital letters of a chunk in device memory small, in place.
#pragma once

#include "core/text/letter_case.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

namespace detail {

template <class Word>
__global__ void lower_case_words(Word* words, std::uint64_t count) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    Word word = words[i];
    word = {to_lower_ascii(word.x), to_lower_ascii(word.y), to_lower_ascii(word.z), to_lower_ascii(word.w)};
    words[i] = word;
  }
}

}  // namespace detail

/// Queues it for `bytes` bytes; up to 15 more are changed in the same way.
inline void lower_case(char* data, std::uint64_t bytes, const stream& on) {
  constexpr unsigned threads = 256;
  const std::uint64_t words = (bytes + sizeof(uint4) - 1) / sizeof(uint4);
  const std::uint64_t blocks = (words + threads - 1) / threads;
  launch(detail::lower_case_words<uint4>,
         {static_cast<unsigned>(blocks < 2048 ? blocks : 2048), threads, 0, on.get()},
         reinterpret_cast<uint4*>(data), words);
}

}  // namespace duomap::gpu
