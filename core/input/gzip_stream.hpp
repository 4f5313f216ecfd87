// Decompresses gzip files.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read gzip files.
[[nodiscard]] bool gzip_supported() noexcept;

/// The library that reads gzip files, and its version: "zlib 1.2.13" as it was loaded, "ISA-L 2.30.0" as it
/// was compiled with; empty when there is none.
[[nodiscard]] std::string gzip_library();

/// Decompresses `stored`: one gzip member or several, one after another, and nothing else. Checksums and
/// lengths are checked. `name` is for messages.
///
/// Reading throws input_error when the file is empty, is not gzip, is damaged, ends inside a member or goes
/// on with other bytes after the last; each names the byte of the stored file (counted from 0). Bytes read
/// before an error may be wrong: use none of them.
///
/// @throws input_error when this build has neither ISA-L nor zlib
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
