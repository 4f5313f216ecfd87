// Keys of at most eight bytes as unsigned words, their spread over tables, and the words that mark empty
// slots. host safe
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace duomap::gpu {

/// The word of a key: four bytes if that is enough, else eight. Different keys have different words, because
/// all keys of a task have one size.
template <class Key>
using key_bits = std::conditional_t<sizeof(Key) <= 4, unsigned int, unsigned long long>;

template <fixed_size_key Key>
[[nodiscard]] DUOMAP_HD key_bits<Key> bits_of_key(Key key) {
  static_assert(sizeof(Key) <= 8);
  key_bits<Key> bits = 0;
  memcpy(&bits, &key, sizeof key);
  return bits;
}

template <fixed_size_key Key>
[[nodiscard]] DUOMAP_HD Key key_of_bits(key_bits<Key> bits) {
  Key key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/// Turns keys of any pattern into evenly spread 32-bit numbers. Different 32-bit keys give different numbers.
/// It takes two multiplications, fewer than core/hash.hpp's 64-bit hash. At full memory bandwidth, a
/// multiprocessor has time for about 50 instructions for each emit of 8 bytes, and spreads its key up to four
/// times.
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t spread(unsigned int key) {
  std::uint32_t h = key * 0x9E3779B1u;
  h ^= h >> 16;
  return h * 0x85EBCA6Bu;
}
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t spread(unsigned long long key) {
  const unsigned long long mixed = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
  auto h = static_cast<std::uint32_t>(mixed >> 32);
  h ^= h >> 16;
  return (h ^ static_cast<std::uint32_t>(mixed)) * 0x85EBCA6Bu;
}

/// Scales `spread` from [0, 2^32) to [0, count) with one multiplication, by its top bits; `count` may be any
/// number.
[[nodiscard]] DUOMAP_HD constexpr std::uint32_t scale(std::uint32_t spread, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
  if (!std::is_constant_evaluated()) return __umulhi(spread, count);
#endif
  return static_cast<std::uint32_t>((std::uint64_t{spread} * count) >> 32);
}

/// The two keys that mark empty slots; both may still occur in the input. `usual` marks all places but its
/// own home. `at_home`, which has another home, marks that place. So neither key may be stored away from its
/// home.
template <class Bits>
struct empty_marks {
  Bits usual = 0;
  Bits at_home = 0;        ///< the mark of the home of `usual`
  std::uint32_t home = 0;  ///< the home of `usual`

  [[nodiscard]] DUOMAP_HD constexpr Bits at(std::uint32_t place) const {
    return place == home ? at_home : usual;
  }
  [[nodiscard]] DUOMAP_HD constexpr bool contains(Bits key) const { return key == usual || key == at_home; }
};

/// Makes the marks of a table in which home_of(key) is a key's home. There must be at least two homes.
template <class Bits, class Home>
[[nodiscard]] DUOMAP_HD constexpr empty_marks<Bits> make_marks(const Home& home_of) {
  empty_marks<Bits> marks{0, 1, home_of(Bits{0})};
  while (home_of(marks.at_home) == marks.home) ++marks.at_home;
  return marks;
}

}  // namespace duomap::gpu
