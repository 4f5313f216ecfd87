// Values of any trivially copyable type as 32-bit words: how they are shuffled and laid out in banks.
#pragma once

#include <cstdint>
#include <cstring>

namespace duomap::gpu {

template <class V>
inline constexpr unsigned words_of = (sizeof(V) + 3) / 4;

/// The words of a value; bytes behind it are 0.
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

/// The bits of a value, and 0 above them.
template <class Bits, class V>
[[nodiscard]] __device__ Bits bits_of_value(const V& value) {
  Bits bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The value of another lane. All lanes of `mask` call it together.
template <class V>
[[nodiscard]] __device__ V shuffle(unsigned mask, const V& value, unsigned from_lane) {
  value_words<V> words(value);
#pragma unroll
  for (unsigned w = 0; w < words_of<V>; ++w) words.word[w] = __shfl_sync(mask, words.word[w], from_lane);
  return words.value();
}

/// A value that may be missing.
template <class V>
struct maybe {
  V value;
  bool present;

  /// Folds in what comes after it in the input.
  template <class R>
  __device__ void append(const maybe& later, const R& reduce) {
    if (!later.present) return;
    value = present ? V(reduce(value, later.value)) : later.value;
    present = true;
  }
};

/// Folds the values of neighbouring lanes, each group of `width` (a power of two) by itself, the lower lane's
/// value first. The lowest lane of each group ends up with the whole. All lanes of the warp call it.
template <class V, class R>
__device__ void fold_lanes(maybe<V>& mine, unsigned width, const R& reduce) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < width; step *= 2) {
    const unsigned from = lane + step < 32 ? lane + step : lane;
    const maybe<V> other{shuffle(~0u, mine.value, from), __shfl_sync(~0u, mine.present ? 1 : 0, from) != 0};
    // Lanes that are no multiple of 2 * step fold values that nobody reads again.
    if (from != lane) mine.append(other, reduce);
  }
}

}  // namespace duomap::gpu
