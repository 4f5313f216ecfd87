// Skips gzip's padding, and reads the size of a BGZF member from its header.
#include "core/input/gzip_members.hpp"

#include <algorithm>

namespace duomap {

namespace {

/// A little-endian number of `bytes` bytes.
std::uint64_t number_at(const char* at, int bytes) {
  std::uint64_t number = 0;
  for (int i = bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(at[i]);
  return number;
}

}  // namespace

void skip_gzip_padding(read_ahead& stored) {
  byte_view ready = stored.require(1);
  while (!ready.empty()) {
    const char* const data = std::find_if(ready.data, ready.end(), [](char c) { return c != 0; });
    stored.consume(static_cast<std::uint64_t>(data - ready.data));
    if (data != ready.end()) return;
    ready = stored.require(1);
  }
}

std::optional<member_format::extent> bgzf_member_at(read_ahead& stored, std::uint64_t at) {
  // RFC 1952: the magic bytes, the flags, six bytes that do not matter here, and an extra field with its
  // length. In BGZF that field has one entry "BC" of two bytes: the size of the member less one.
  constexpr std::uint64_t header_bytes = 18;
  constexpr std::uint64_t trailer_bytes = 8;
  constexpr std::uint64_t most_text = std::uint64_t{64} << 10;
  constexpr std::string_view begin("\x1f\x8b\x08\x04", 4);
  constexpr std::string_view extra("\x06\0BC\x02\0", 6);
  const std::string_view header = stored.look(at, header_bytes).text();
  if (header.size() < header_bytes) return std::nullopt;
  if (!header.starts_with(begin) || header.substr(10, extra.size()) != extra) return std::nullopt;
  const std::uint64_t size = number_at(header.data() + 16, 2) + 1;
  if (size < header_bytes + trailer_bytes) return std::nullopt;
  constexpr std::uint64_t length_bytes = 4;
  const byte_view length = stored.look(at + size - length_bytes, length_bytes);
  if (length.size < length_bytes) return std::nullopt;
  const std::uint64_t text = number_at(length.data, length_bytes);
  if (text > most_text) return std::nullopt;
  return member_format::extent{size, text};
}

}  // namespace duomap
