// Writes a whole file at once.
// host only
#pragma once

#include "core/output/result_file.hpp"

#include <string>
#include <string_view>

namespace duomap::apps {

/// Writes `text` to standard output if the path is "-", else to a file, which appears only when it is
/// complete. @throws output_error
inline void write_file(const std::string& path, std::string_view text) {
  result_file file(path);
  file.sink().write(byte_view(text));
  file.commit();
}

}  // namespace duomap::apps
