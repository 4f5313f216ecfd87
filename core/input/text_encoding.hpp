// The encodings of text that a byte order mark names, and their conversion to UTF-8.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// `as_it_is` is UTF-8, or any other encoding in which an ASCII character is one byte.
enum class text_encoding { as_it_is, utf16_le, utf16_be, utf32_le, utf32_be };

/// The byte order mark of a text.
struct byte_order_mark {
  text_encoding encoding = text_encoding::as_it_is;
  std::uint64_t bytes = 0;  ///< of the mark itself; 0: there is none
};

/// The number of a text's first bytes that tell its mark.
inline constexpr std::uint64_t mark_bytes = 4;

/// The mark at the beginning of a text (Unicode 15, section 23.8, table 23-5). FF FE 00 00 means UTF-32.
[[nodiscard]] byte_order_mark mark_of(byte_view first) noexcept;

/// Throws input_error if a text is plainly UTF-16 without a mark: each of its first characters, at least two,
/// is printable ASCII beside a zero byte. `first` has the first bytes of the text. `name` is for messages.
void refuse_unmarked(byte_view first, const std::string& name);

/// Converts a text to UTF-8 and drops its mark. Reading throws input_error at bytes that are wrong in the
/// encoding; the message has their position. `name` is for messages.
[[nodiscard]] std::unique_ptr<byte_stream> utf8_stream(std::unique_ptr<byte_stream> text,
                                                       text_encoding encoding, std::string name);

}  // namespace duomap
