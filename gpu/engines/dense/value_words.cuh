// Splits values of any trivially copyable type into 32-bit words, for shuffles and for the banks of shared
// memory.
#pragma once

#include <cstdint>
#include <cstring>

namespace duomap::gpu {

template <class V>
inline constexpr unsigned words_of = (sizeof(V) + 3) / 4;

/// The words of a value; unused bytes of the last word are 0.
template <class V>
struct value_words {
  std::uint32_t word[words_of<V>];

  value_words() = default;
  __device__ explicit value_words(const V& value) {
    word[words_of<V> - 1] = 0;
    memcpy(word, &value, sizeof(V));
  }
  [[nodiscard]] __device__ V value() const {
    V result;
    memcpy(&result, word, sizeof(V));
    return result;
  }
};

/// The bits of a value, with zeros above them.
template <class Bits, class V>
[[nodiscard]] __device__ Bits bits_of_value(const V& value) {
  Bits bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Returns the value of another lane. All lanes of `mask` must call it together.
template <class V>
[[nodiscard]] __device__ V shuffle(unsigned mask, const V& value, unsigned from_lane) {
  value_words<V> words(value);
#pragma unroll
  for (unsigned w = 0; w < words_of<V>; ++w) words.word[w] = __shfl_sync(mask, words.word[w], from_lane);
  return words.value();
}

template <class V>
struct maybe {
  V value;
  bool present;

  /// Folds in a value that comes later in the input.
  template <class R>
  __device__ void append(const maybe& later, const R& reduce) {
    if (!later.present) return;
    value = present ? V(reduce(value, later.value)) : later.value;
    present = true;
  }
};

/// Folds the values of neighbouring lanes in groups of `width` lanes (a power of two), the lower lane's value
/// first. The lowest lane of each group gets the result. All lanes of the warp must call it.
template <class V, class R>
__device__ void fold_lanes(maybe<V>& mine, unsigned width, const R& reduce) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < width; step *= 2) {
    const unsigned from = lane + step < 32 ? lane + step : lane;
    const maybe<V> other{shuffle(~0u, mine.value, from), __shfl_sync(~0u, mine.present ? 1 : 0, from) != 0};
    // The result is used only in lanes that are multiples of 2 * step.
    if (from != lane) mine.append(other, reduce);
  }
}

}  // namespace duomap::gpu
