// The common code of the gzip decoders: they skip padding, and find members that state their size.
// host only
#pragma once

#include "core/input/decompressing_stream.hpp"
#include "core/input/read_ahead.hpp"

#include <cstdint>
#include <optional>

namespace duomap {

/// Drops zero bytes. Tapes and block devices fill up a file with them, and gzip -d ignores them, too.
void skip_gzip_padding(read_ahead& stored);

/// The size of a member of BGZF, the format of bgzip (SAM specification, section 4.1); the function is a
/// member_format::member_at. Other members of gzip do not state their size.
[[nodiscard]] std::optional<member_format::extent> bgzf_member_at(read_ahead& stored, std::uint64_t at);

}  // namespace duomap
