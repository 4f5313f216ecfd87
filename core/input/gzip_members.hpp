// The common part of the gzip decoders: padding, and members that tell their size.
// host only
#pragma once

#include "core/input/decompressing_stream.hpp"
#include "core/input/read_ahead.hpp"

#include <cstdint>
#include <optional>

namespace duomap {

/// Drops zero bytes, with which tapes and block devices fill up a file; gzip -d ignores them, too.
void skip_gzip_padding(read_ahead& stored);

/// The size of a member of BGZF, the format of bgzip (SAM specification, section 4.1), as
/// member_format::member_at. Other members of gzip do not tell their size.
[[nodiscard]] std::optional<member_format::extent> bgzf_member_at(read_ahead& stored, std::uint64_t at);

}  // namespace duomap
