// Decompression and nothing else: what no program that reads a compressed text can be faster than.
// host only
#pragma once

#include "apps/bench/data/compressed_files.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// The library that decompress_alone() uses for a form: "ISA-L"; empty where this build has none.
[[nodiscard]] std::string_view decompressor_of(stored_as form);

/// Decompresses a stored text into buffers that are used again, members or frames by up to `threads` threads,
/// and returns how many bytes it has. Requires decompressor_of(form). @throws error when the data is damaged
[[nodiscard]] std::uint64_t decompress_alone(stored_as form, byte_view stored, unsigned threads);

}  // namespace duomap::apps
