// The libraries that decompress gzip. gzip_stream() (core/input/gzip_stream.hpp) takes the faster one.
// host only
#pragma once

#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// As gzip_stream(), by one of the libraries; `position`: of the first stored byte in its file. Only for
/// builds that have that library.
[[nodiscard]] std::unique_ptr<byte_stream> isal_gzip_stream(std::unique_ptr<byte_stream> stored,
                                                            std::string name, std::uint64_t position = 0);
[[nodiscard]] std::unique_ptr<byte_stream> zlib_gzip_stream(std::unique_ptr<byte_stream> stored,
                                                            std::string name, std::uint64_t position = 0);

/// "ISA-L 2.30.0", and "zlib 1.2.13".
[[nodiscard]] std::string isal_version_text();
[[nodiscard]] std::string zlib_version_text();

}  // namespace duomap
