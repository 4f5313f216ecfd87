// Refuses text and packed files where a task expects binary numbers.
#include "core/input/number_records.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/text_encoding.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace duomap {

namespace {

bool is_control(unsigned char c) { return (c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7F; }

/// Whether the bytes are UTF-8 without control characters. The last character may be incomplete.
bool is_plain_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    if (is_control(first) || (first >= 0x80 && first < 0xC2) || first > 0xF4) return false;
    const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    for (int i = 0; i < more && at < text.size(); ++i, ++at)
      if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) return false;
  }
  return true;
}

/// The low bytes of UTF-16. Empty if any high byte is not 0.
std::string low_bytes(std::string_view text, bool high_first) {
  std::string low;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    if (text[at + (high_first ? 0 : 1)] != '\0') return {};
    low += text[at + (high_first ? 1 : 0)];
  }
  return low;
}

bool begins_like_text(std::string_view first) {
  const byte_order_mark mark = mark_of(first);
  const bool wide = mark.encoding == text_encoding::utf16_le || mark.encoding == text_encoding::utf16_be;
  const std::string narrow =
      wide ? low_bytes(first.substr(mark.bytes), mark.encoding == text_encoding::utf16_be) : std::string();
  const std::string_view text = wide ? narrow : first;
  const bool enough = text.find_first_of("\r\n") != text.npos || first.size() == recognition_bytes;
  return !text.empty() && enough && is_plain_utf8(text);
}

}  // namespace

void refuse_no_numbers(byte_view first, const std::string& name) {
  const auto refuse = [&](const std::string& what, const std::string& cure) {
    throw input_error("cannot read binary numbers from " + name + ": it is " + what + "; " + cure +
                      ", or read its bytes as they are with --no-decompress (duomap::input_content::stored)");
  };
  const std::string_view text = first.text().substr(0, recognition_bytes);
  if (text.starts_with("\x93NUMPY"))
    refuse("an .npy array, whose header would be read as numbers",
           "store its numbers alone, as numpy.tofile() does");
  if (const packed_kind packed = surely_packed(text); !packed.name.empty()) refuse(packed.name, packed.cure);
  if (begins_like_text(text)) refuse("a text", "store its numbers in binary, as numpy.tofile() does");
}

}  // namespace duomap
