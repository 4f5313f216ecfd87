// Recognises the format of a file of numbers.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "numeric/common/table_options.hpp"

#include <string>

namespace duomap {

/// Decides by the first bytes and the name, as read_table() describes.
[[nodiscard]] data_format format_of_file(byte_view content, const std::string& path);

}  // namespace duomap
