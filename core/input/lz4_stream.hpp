// Decompresses lz4 files.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read lz4 files.
[[nodiscard]] bool lz4_supported() noexcept;

/// The library that reads lz4 files, and its loaded version, "lz4 1.9.4"; empty when there is none.
[[nodiscard]] std::string lz4_library();

/// Decompresses `stored`: one or more frames of lz4, and nothing else. Checks checksums. `name` is for
/// messages. The errors are those of open_gzip() (core/input/gzip_stream.hpp).
[[nodiscard]] std::unique_ptr<byte_stream> open_lz4(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
