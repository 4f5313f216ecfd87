// Converts elements of any type and byte order to float or double.
#include "numeric/common/element.hpp"

#include "core/error.hpp"

#include <bit>
#include <cstring>

namespace duomap {
namespace {

static_assert(std::endian::native == std::endian::little);

[[nodiscard]] std::uint8_t swapped(std::uint8_t word) { return word; }
[[nodiscard]] std::uint16_t swapped(std::uint16_t word) { return __builtin_bswap16(word); }
[[nodiscard]] std::uint32_t swapped(std::uint32_t word) { return __builtin_bswap32(word); }
[[nodiscard]] std::uint64_t swapped(std::uint64_t word) { return __builtin_bswap64(word); }

template <class Stored, class Word, bool Swap, class T>
void convert(const char* from, std::uint64_t count, T* to, std::uint64_t stride) {
  for (std::uint64_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    if constexpr (Swap) word = swapped(word);
    to[i * stride] = static_cast<T>(std::bit_cast<Stored>(word));
  }
}

template <class Stored, class Word, class T>
void convert(const char* from, bool swap, std::uint64_t count, T* to, std::uint64_t stride) {
  if (swap) {
    convert<Stored, Word, true>(from, count, to, stride);
  } else {
    convert<Stored, Word, false>(from, count, to, stride);
  }
}

}  // namespace

template <class T>
void convert_elements(const char* from, element_type type, std::uint64_t count, T* to, std::uint64_t stride) {
  const bool swap = type.big_endian;
  switch (type.kind) {
    case number_kind::unsigned_integer:
      if (type.bytes == 1) return convert<std::uint8_t, std::uint8_t>(from, swap, count, to, stride);
      if (type.bytes == 2) return convert<std::uint16_t, std::uint16_t>(from, swap, count, to, stride);
      if (type.bytes == 4) return convert<std::uint32_t, std::uint32_t>(from, swap, count, to, stride);
      if (type.bytes == 8) return convert<std::uint64_t, std::uint64_t>(from, swap, count, to, stride);
      break;
    case number_kind::signed_integer:
      if (type.bytes == 1) return convert<std::int8_t, std::uint8_t>(from, swap, count, to, stride);
      if (type.bytes == 2) return convert<std::int16_t, std::uint16_t>(from, swap, count, to, stride);
      if (type.bytes == 4) return convert<std::int32_t, std::uint32_t>(from, swap, count, to, stride);
      if (type.bytes == 8) return convert<std::int64_t, std::uint64_t>(from, swap, count, to, stride);
      break;
    case number_kind::floating:
      if (type.bytes == 4) return convert<float, std::uint32_t>(from, swap, count, to, stride);
      if (type.bytes == 8) return convert<double, std::uint64_t>(from, swap, count, to, stride);
      break;
  }
  expects(false, "an element has 1, 2, 4 or 8 bytes, a floating one 4 or 8");
}

template void convert_elements(const char* from, element_type type, std::uint64_t count, float* to,
                               std::uint64_t stride);
template void convert_elements(const char* from, element_type type, std::uint64_t count, double* to,
                               std::uint64_t stride);

}  // namespace duomap
