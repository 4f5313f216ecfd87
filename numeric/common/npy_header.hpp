// Reads and writes the header of NumPy's array files (.npy, versions 1 to 3). Source: numpy.lib.format in
// NumPy's reference.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "numeric/common/array_header.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads the header at the beginning of a file. Does not check that the elements are complete.
/// @throws input_error naming the file (`name`) and the part of the header that is wrong or not supported:
/// complex numbers, strings, records, objects, half and long double
[[nodiscard]] array_header parse_npy_header(byte_view file, const std::string& name);

/// The header of a little-endian array in C order, padded so that the elements begin at a multiple of 64.
/// `type`: NumPy's name of the element type ("<f4").
[[nodiscard]] std::string make_npy_header(std::string_view type, const std::vector<std::uint64_t>& shape);

}  // namespace duomap
