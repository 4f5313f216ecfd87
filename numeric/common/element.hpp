// Converts numbers of binary files, of any type, to floats or doubles.
// host only
#pragma once

#include <cstdint>

namespace duomap {

enum class number_kind { unsigned_integer, signed_integer, floating };

/// A type of number: 1, 2, 4 or 8 bytes (floating: 4 or 8) in either byte order.
struct element_type {
  number_kind kind = number_kind::floating;
  unsigned bytes = 4;
  bool big_endian = false;

  friend bool operator==(const element_type&, const element_type&) = default;
};

/// The element type of T on this machine.
template <class T>
inline constexpr element_type native_element{number_kind::floating, sizeof(T), false};

/// Converts `count` consecutive elements at any address by C++'s conversions of numbers. Writes them `stride`
/// numbers apart.
template <class T>
void convert_elements(const char* from, element_type type, std::uint64_t count, T* to,
                      std::uint64_t stride = 1);

}  // namespace duomap
