// Escapes texts for JSON, and encodes bytes in base64.
#include "core/output/json_text.hpp"

#include "core/text/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap {

namespace {

std::uint8_t byte_at(byte_view text, std::uint64_t i) { return static_cast<std::uint8_t>(text[i]); }

bool needs_escape(char byte) { return static_cast<std::uint8_t>(byte) < 0x20 || byte == '"' || byte == '\\'; }

std::string escape_of(char byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default: {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto code = static_cast<std::uint8_t>(byte);
      return std::string("\\u00") + digits[code >> 4U] + digits[code & 0xFU];
    }
  }
}

}  // namespace

bool is_utf8(byte_view text) noexcept {
  std::uint64_t i = 0;
  while (i < text.size) {
    const std::uint64_t length = utf8_length(text, i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

std::string json_escaped(byte_view text) {
  std::string escaped;
  for (const char byte : text) escaped += needs_escape(byte) ? escape_of(byte) : std::string(1, byte);
  return escaped;
}

void write_json_string(byte_sink& sink, byte_view text) {
  sink.write('"');
  std::uint64_t plain = 0;  // the first byte that is not written yet
  for (std::uint64_t i = 0; i < text.size; ++i) {
    const char byte = text[i];
    if (needs_escape(byte)) {
      sink.write(text.sub(plain, i - plain));
      sink.write(byte_view(escape_of(byte)));
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
