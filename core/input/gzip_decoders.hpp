// The libraries that decompress gzip. open_gzip() (core/input/gzip_stream.hpp) takes the faster one.
// host only
#pragma once

#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// Does what open_gzip() does, by one of the libraries, which the build must have. `position` is the place of
/// the first stored byte in its file.
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip_by_isal(std::unique_ptr<byte_stream> stored,
                                                             std::string name, std::uint64_t position = 0);
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip_by_zlib(std::unique_ptr<byte_stream> stored,
                                                             std::string name, std::uint64_t position = 0);

/// "ISA-L 2.30.0", and "zlib 1.2.13".
[[nodiscard]] std::string isal_version_text();
[[nodiscard]] std::string zlib_version_text();

}  // namespace duomap
