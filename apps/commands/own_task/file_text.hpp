// Reads and writes small files as a whole.
// host only
#pragma once

#include <string>

namespace duomap::apps {

/// The text of a file. @throws input_error for a file that cannot be read
[[nodiscard]] std::string file_text(const std::string& path);

/// Writes the whole file, or leaves none.
/// @throws output_error
void write_file_text(const std::string& path, const std::string& text);

}  // namespace duomap::apps
