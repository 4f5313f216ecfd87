// Reads the header of IDX files, MNIST's format. Source: the description on MNIST's page (Y. LeCun, C.
// Cortes, C. Burges).
// host only
#pragma once

#include "core/byte_view.hpp"
#include "numeric/common/array_header.hpp"

#include <string>

namespace duomap {

/// Whether a file begins like an IDX file: two bytes of 0, a type, and the number of dimensions.
[[nodiscard]] bool begins_as_idx(byte_view file) noexcept;

/// @throws input_error naming the file (`name`) when it does not begin as IDX, or ends within its header
[[nodiscard]] array_header parse_idx_header(byte_view file, const std::string& name);

}  // namespace duomap
