#include "core/output/json_text.hpp"

#include <cstdint>
#include <string_view>

namespace duomap {

namespace {

std::uint8_t byte_at(byte_view text, std::uint64_t i) { return static_cast<std::uint8_t>(text[i]); }

bool continues(byte_view text, std::uint64_t i) {
  return i < text.size && (byte_at(text, i) & 0xC0U) == 0x80U;
}

// Length of the well-formed sequence that starts at `i` with a byte >= 0x80; 0 when there is none. The
// second byte's range is what excludes overlong forms, surrogates and too large values.
std::uint64_t sequence_length(byte_view text, std::uint64_t i) {
  const std::uint8_t lead = byte_at(text, i);
  if (!continues(text, i + 1)) {
    return 0;
  }
  const std::uint8_t second = byte_at(text, i + 1);
  if (lead >= 0xC2 && lead <= 0xDF) {
    return 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second_fits = lead == 0xE0 ? second >= 0xA0 : lead == 0xED ? second <= 0x9F : true;
    return second_fits && continues(text, i + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second_fits = lead == 0xF0 ? second >= 0x90 : lead == 0xF4 ? second <= 0x8F : true;
    return second_fits && continues(text, i + 2) && continues(text, i + 3) ? 4 : 0;
  }
  return 0;
}

void write_escape(byte_sink& sink, char byte) {
  switch (byte) {
    case '"':
      return sink.write(std::string_view("\\\""));
    case '\\':
      return sink.write(std::string_view("\\\\"));
    case '\b':
      return sink.write(std::string_view("\\b"));
    case '\f':
      return sink.write(std::string_view("\\f"));
    case '\n':
      return sink.write(std::string_view("\\n"));
    case '\r':
      return sink.write(std::string_view("\\r"));
    case '\t':
      return sink.write(std::string_view("\\t"));
    default: {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto code = static_cast<std::uint8_t>(byte);
      sink.write(std::string_view("\\u00"));
      sink.write(digits[code >> 4U]);
      sink.write(digits[code & 0xFU]);
    }
  }
}

}  // namespace

bool is_utf8(byte_view text) noexcept {
  std::uint64_t i = 0;
  while (i < text.size) {
    if (byte_at(text, i) < 0x80) {
      ++i;
      continue;
    }
    const std::uint64_t length = sequence_length(text, i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

void write_json_string(byte_sink& sink, byte_view text) {
  sink.write('"');
  std::uint64_t plain = 0;  // start of the bytes that are copied as they are
  for (std::uint64_t i = 0; i < text.size; ++i) {
    const char byte = text[i];
    if (static_cast<std::uint8_t>(byte) < 0x20 || byte == '"' || byte == '\\') {
      sink.write(text.sub(plain, i - plain));
      write_escape(sink, byte);
      plain = i + 1;
    }
  }
  sink.write(text.sub(plain, text.size - plain));
  sink.write('"');
}

void write_base64(byte_sink& sink, byte_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::uint64_t i = 0; i < bytes.size; i += 3) {
    const std::uint64_t left = bytes.size - i;
    const std::uint32_t group = std::uint32_t{byte_at(bytes, i)} << 16U |
                                (left > 1 ? std::uint32_t{byte_at(bytes, i + 1)} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{byte_at(bytes, i + 2)} : 0U);
    sink.write(alphabet[group >> 18U]);
    sink.write(alphabet[group >> 12U & 63U]);
    sink.write(left > 1 ? alphabet[group >> 6U & 63U] : '=');
    sink.write(left > 2 ? alphabet[group & 63U] : '=');
  }
}

}  // namespace duomap
