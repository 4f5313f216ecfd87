// Folds the values of a launch's blocks to one value for each key or slot: the second stage of the dense
// engine.
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

/// A value for each of n keys, and whether it is present, as two arrays. For the results of all blocks of a
/// launch: n * blocks values, with a key's values side by side.
template <class V>
struct value_table {
  V* values = nullptr;
  unsigned char* present = nullptr;

  /// Bytes of the values, padded so that the flags behind them stay aligned.
  [[nodiscard]] static constexpr std::uint64_t value_bytes(std::uint64_t count) {
    return (count * sizeof(V) + 15) / 16 * 16;
  }
  /// The bytes of a table; never 0, so that a table of no keys has memory too.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t count) {
    return value_bytes(count) + count / 16 * 16 + 16;
  }

  value_table() = default;
  /// Uses `memory`: bytes(count) bytes, aligned to 16.
  value_table(void* memory, std::uint64_t count)
    : values(static_cast<V*>(memory)), present(static_cast<unsigned char*>(memory) + value_bytes(count)) {}

  // Also handles values that are not present, so that loading a value need not wait for its flag.
  [[nodiscard]] DUOMAP_HD maybe<V> get(std::uint64_t at) const { return {values[at], present[at] != 0}; }
  DUOMAP_HD void put(std::uint64_t at, const maybe<V>& found) const {
    values[at] = found.value;
    present[at] = found.present ? 1 : 0;
  }
};

/// A copy of a result in page-locked memory: 64-bit words with 32 bits of the result below the step's number.
/// When all words have the step's number, the host has the whole result, without a fence and without asking
/// the driver. If `words` is null, there is no copy.
struct stamped_result {
  volatile unsigned long long* words = nullptr;
  unsigned step = 0;

  /// Writes bytes [begin, end) of the result to `words`; both numbers are multiples of 4. Called by all
  /// threads of the block that has made these bytes.
  __device__ void tell(const void* result, std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t i = begin / 4 + threadIdx.x; i < end / 4; i += blockDim.x)
      words[i] = std::uint64_t{step} << 32 | static_cast<const unsigned*>(result)[i];
  }
};

namespace detail {

/// Called by a warp: folds the values of all blocks, in the order of the blocks. Lane 0 gets the result.
template <class V, class R, class Get>
[[nodiscard]] __device__ maybe<V> fold_blocks(unsigned blocks, const R& reduce, const Get& get) {
  const unsigned lane = threadIdx.x % 32;
  // Each lane takes neighbouring blocks, so that the lanes are in the order of the blocks. A lane loads five
  // values at a time; one at a time would take longer than the rest of the kernel.
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

/// The kernel, with one warp for each key; the last block may have spare warps.
template <class R>
__global__ void __launch_bounds__(combine_threads)
    combine_keys(value_table<typename R::value_type> found, unsigned blocks, std::uint64_t keys, R reduce,
                 value_table<typename R::value_type> into, totals how, stamped_result told) {
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
  // Each block has eight keys, whose flags are whole words for any type of value. The last block also writes
  // the padding.
  const bool is_last = blockIdx.x + 1 == gridDim.x;
  constexpr unsigned here = combine_threads / 32;
  const std::uint64_t flags = value_table<value>::value_bytes(keys);
  told.tell(into.values, first * sizeof(value), is_last ? flags : (first + here) * sizeof(value));
  told.tell(into.values, flags + first, is_last ? value_table<value>::bytes(keys) : flags + first + here);
}

}  // namespace duomap::gpu
