// Whether a file can be binary numbers, by its first bytes.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// Throws input_error when a file is hardly binary numbers. `first` has its first recognition_bytes, or all
/// of its bytes. Refused are UTF-8 without control characters that has an end of a line or fills these bytes,
/// such UTF-16 with a mark, an .npy array, a compressed file, an archive and a file of columns. `name` is for
/// messages.
void refuse_no_numbers(byte_view first, const std::string& name);

}  // namespace duomap
