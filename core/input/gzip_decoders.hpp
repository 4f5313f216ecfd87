// The libraries that decompress gzip. open_gzip() (core/input/gzip_stream.hpp) uses the faster library of the
// build.
// host only
#pragma once

#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// Do the work of open_gzip(), each by its own library, which the build must have. `position` is the place of
/// the first stored byte in its file.
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip_by_isal(std::unique_ptr<byte_stream> stored,
                                                             std::string name, std::uint64_t position = 0);
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip_by_zlib(std::unique_ptr<byte_stream> stored,
                                                             std::string name, std::uint64_t position = 0);

/// The library and its version: "ISA-L 2.30.0", "zlib 1.2.13".
[[nodiscard]] std::string isal_version_text();
[[nodiscard]] std::string zlib_version_text();

}  // namespace duomap
