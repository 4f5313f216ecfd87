// Tells what format a file of numbers has.
// host only
#pragma once

#include "apps/algorithms/numeric/table_options.hpp"
#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// By its first bytes and its name, as read_table() says.
[[nodiscard]] data_format format_of_file(byte_view content, const std::string& path);

}  // namespace duomap
