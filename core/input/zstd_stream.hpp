// Decompresses Zstandard files.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read Zstandard files.
[[nodiscard]] bool zstd_supported() noexcept;

/// The library that reads Zstandard files, and its loaded version, "zstd 1.5.4"; empty when there is none.
[[nodiscard]] std::string zstd_library();

/// Decompresses `stored`: one or more frames, also skippable ones, and nothing else. Checks the checksums
/// that the frames have. `name` is for messages.
///
/// Reading throws input_error if the file is empty, is no zstd file, is damaged, ends inside a frame, has
/// other bytes behind the last frame, or needs a window beyond 128 MiB. The message names the byte of the
/// stored file, counted from 0. Bytes that were read before an error may be wrong: use none of them.
///
/// @throws input_error when this build has no zstd
[[nodiscard]] std::unique_ptr<byte_stream> open_zstd(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
