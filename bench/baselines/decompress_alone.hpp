// Decompresses a text and does nothing else. No program that reads a compressed text can be faster.
// host only
#pragma once

#include "bench/data/compressed_files.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// The library that decompress_alone() uses for a form, such as "ISA-L"; empty if this build has none.
[[nodiscard]] std::string_view decompressor_of(stored_as form);

/// Decompresses a stored text into reused buffers and returns the number of bytes of the text. Up to
/// `threads` threads share the members or frames. Requires that decompressor_of(form) is not empty.
/// @throws error when the data is damaged
[[nodiscard]] std::uint64_t decompress_alone(stored_as form, byte_view stored, unsigned threads);

}  // namespace duomap::apps
