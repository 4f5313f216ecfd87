// Tells by a file's first bytes whether the file may have binary numbers.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// Throws input_error if a file hardly has binary numbers: an .npy array, a compressed file, an archive, a
/// file of columns, or text. Text is UTF-8, or UTF-16 with a mark, without control characters, and ends a
/// line or fills `first`. `first` has the first recognition_bytes of the file, or all its bytes. `name` is
/// for messages.
void refuse_no_numbers(byte_view first, const std::string& name);

}  // namespace duomap
