// The second stage: what the blocks of a launch found becomes one value for each key or slot.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/value_words.cuh"
#include "gpu/runtime/launch.cuh"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace duomap::gpu {

/// A value for each of n keys, and whether it is there, as two arrays. As a launch's results of all blocks:
/// n * blocks of them, those of a key side by side.
template <class V>
struct value_table {
  V* values = nullptr;
  unsigned char* present = nullptr;

  /// Bytes of the values, padded so that the flags behind them stay aligned.
  [[nodiscard]] static constexpr std::uint64_t value_bytes(std::uint64_t count) {
    return (count * sizeof(V) + 15) / 16 * 16;
  }
  /// Never 0, so that a table of no keys has memory too.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t count) {
    return value_bytes(count) + count / 16 * 16 + 16;
  }

  value_table() = default;
  /// In `memory`: bytes(count), aligned to 16.
  value_table(void* memory, std::uint64_t count)
    : values(static_cast<V*>(memory)), present(static_cast<unsigned char*>(memory) + value_bytes(count)) {}

  // Values that are not there are read and written too, whatever they are: a load need not wait for a flag.
  [[nodiscard]] DUOMAP_HD maybe<V> get(std::uint64_t at) const { return {values[at], present[at] != 0}; }
  DUOMAP_HD void put(std::uint64_t at, const maybe<V>& found) const {
    values[at] = found.value;
    present[at] = found.present ? 1 : 0;
  }
};

/// A copy of a result in page-locked memory, with the number of the step above each word of 32 bits. A host
/// that finds the number of its step everywhere has the result: there was no fence, and the driver was not
/// asked. Without `words` nothing is told.
struct told_result {
  volatile unsigned long long* words = nullptr;
  unsigned step = 0;

  /// By all threads of a block that has written those bytes of the result, multiples of 4.
  __device__ void tell(const void* result, std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t i = begin / 4 + threadIdx.x; i < end / 4; i += blockDim.x)
      words[i] = std::uint64_t{step} << 32 | static_cast<const unsigned*>(result)[i];
  }
};

namespace detail {

/// By a warp: the values of all blocks, which stand side by side, in the order of the blocks. Lane 0 has the
/// whole.
template <class V, class R, class Get>
[[nodiscard]] __device__ maybe<V> fold_blocks(unsigned blocks, const R& reduce, const Get& get) {
  const unsigned lane = threadIdx.x % 32;
  // Neighbouring blocks for each lane, so that lanes are in the order of the blocks. A few values are on
  // their way at a time: one after the other would take longer than all the rest of the kernel.
  constexpr unsigned at_once = 5;
  const unsigned each = (blocks + 31) / 32;
  const unsigned end = min((lane + 1) * each, blocks);
  maybe<V> mine{};
  for (unsigned first = lane * each; first < end; first += at_once) {
    maybe<V> some[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) some[i] = get(min(first + i, blocks - 1));
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      if (first + i < end) mine.append(some[i], reduce);
    }
  }
  fold_lanes(mine, 32, reduce);
  return mine;
}

}  // namespace detail

inline constexpr unsigned combine_threads = 256;

/// A warp for each key, and warps to spare.
template <class R>
__global__ void __launch_bounds__(combine_threads)
    combine_keys(value_table<typename R::value_type> found, unsigned blocks, std::uint64_t keys, R reduce,
                 value_table<typename R::value_type> into, totals how, told_result told) {
  using value = typename R::value_type;
  wait_for_earlier_kernels();
  const std::uint64_t first = std::uint64_t{blockIdx.x} * (combine_threads / 32);
  const std::uint64_t key = first + threadIdx.x / 32;
  if (key < keys) {
    const auto get = [&](unsigned b) {
      return found.get(key * blocks + b);
    };
    maybe<value> all = detail::fold_blocks<value>(blocks, reduce, get);
    if (threadIdx.x % 32 == 0 && (how == totals::replace || all.present)) {
      if (how == totals::fold_into) {
        maybe<value> total = into.get(key);
        total.append(all, reduce);
        all = total;
      }
      into.put(key, all);
    }
  }
  if (told.words == nullptr) return;
  __syncthreads();
  // Eight keys begin at a word, whatever their values are. The last block tells the padding, too.
  const bool is_last = blockIdx.x + 1 == gridDim.x;
  constexpr unsigned here = combine_threads / 32;
  const std::uint64_t flags = value_table<value>::value_bytes(keys);
  told.tell(into.values, first * sizeof(value), is_last ? flags : (first + here) * sizeof(value));
  told.tell(into.values, flags + first, is_last ? value_table<value>::bytes(keys) : flags + first + here);
}

}  // namespace duomap::gpu
