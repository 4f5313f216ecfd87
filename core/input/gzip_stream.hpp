// Decompresses gzip files.
// host only
#pragma once

#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

/// Whether this build can read gzip files.
[[nodiscard]] bool gzip_supported() noexcept;

/// The library that reads gzip files, with the loaded version of zlib ("zlib 1.2.13"), or the compiled
/// version of ISA-L ("ISA-L 2.30.0"). Empty if there is none.
[[nodiscard]] std::string gzip_library();

/// Decompresses `stored`: one or more gzip members, and nothing else. Checks checksums and lengths. `name` is
/// for messages.
///
/// Reading throws input_error if the file is empty, is no gzip file, is damaged, ends inside a member, or has
/// other bytes behind the last member. The message names the byte of the stored file, counted from 0. Bytes
/// that were read before an error may be wrong: use none of them.
///
/// @throws input_error when this build has neither ISA-L nor zlib
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip(std::unique_ptr<byte_stream> stored, std::string name);

}  // namespace duomap
