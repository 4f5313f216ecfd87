// The header of IDX files, MNIST's format.
// Source: the description on MNIST's page (Y. LeCun, C. Cortes, C. Burges).
// host only
#pragma once

#include "apps/algorithms/numeric/array_header.hpp"
#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// Whether a file begins as an IDX file: two bytes of 0, a type, the number of dimensions.
[[nodiscard]] bool begins_as_idx(byte_view file) noexcept;

/// @throws input_error naming the file (`name`) when it does not begin as one, or ends within its header
[[nodiscard]] array_header parse_idx_header(byte_view file, const std::string& name);

}  // namespace duomap
