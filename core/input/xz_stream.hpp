// Decompresses xz files.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read xz files.
[[nodiscard]] bool xz_supported() noexcept;

/// The library that reads xz files, and its loaded version, "liblzma 5.4.1"; empty when there is none.
[[nodiscard]] std::string xz_library();

/// Decompresses `stored`: one or more streams of xz, their padding, and nothing else. Checks checksums.
/// `name` is for messages. The errors are those of open_gzip() (core/input/gzip_stream.hpp).
[[nodiscard]] std::unique_ptr<byte_stream> open_xz(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
