// The bytes of a gzip file.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read gzip files.
[[nodiscard]] bool gzip_supported() noexcept;

/// The library that does it and the version that was loaded, "zlib 1.2.13"; empty when there is none.
[[nodiscard]] std::string gzip_library();

/// Decompresses `stored`: one gzip member or several, one after another, and nothing else. Checksums and
/// lengths are checked. `name` is for messages.
///
/// Reading throws input_error when the file is empty, is not gzip, is damaged, ends inside a member or goes
/// on with other bytes after the last; each names the byte of the stored file (counted from 0). Bytes read
/// before an error may be wrong: use none of them.
///
/// @throws input_error when this build has no zlib
[[nodiscard]] std::unique_ptr<byte_stream> gzip_stream(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
