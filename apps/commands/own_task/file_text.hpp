// Small files, as a whole.
// host only
#pragma once

#include <optional>
#include <string>

namespace duomap::apps {

/// The bytes of a file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> file_text_if_any(const std::string& path);

/// @throws input_error for a file that cannot be read
[[nodiscard]] std::string file_text(const std::string& path);

/// Writes the file, or leaves none.
/// @throws output_error
void write_file_text(const std::string& path, const std::string& text);

}  // namespace duomap::apps
