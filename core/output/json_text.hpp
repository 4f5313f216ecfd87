// Writes texts as JSON strings, and bytes in base64, for texts that are no UTF-8.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/output/byte_sink.hpp"

#include <string>

namespace duomap {

/// Whether `text` is UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(byte_view text) noexcept;

/// A text of UTF-8, escaped for the inside of a JSON string, without the quotes.
[[nodiscard]] std::string json_escaped(byte_view text);

/// Writes `text`, which is UTF-8, as a JSON string with its quotes. Control characters, quotes and
/// backslashes are escaped, everything else is written as it is.
void write_json_string(byte_sink& sink, byte_view text);

/// Writes the RFC 4648 base64 encoding of `bytes`, padded, without quotes.
void write_base64(byte_sink& sink, byte_view bytes);

}  // namespace duomap
