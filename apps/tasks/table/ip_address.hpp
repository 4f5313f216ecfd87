// Reads IPv4 and IPv6 addresses, and writes IPv6 addresses in one form, on any device.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps::detail {

[[nodiscard]] DUOMAP_HD constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] DUOMAP_HD constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] DUOMAP_HD constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// The value of a hexadecimal digit; 16 for anything else.
[[nodiscard]] DUOMAP_HD constexpr unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char low = to_lower(c);
  return low >= 'a' && low <= 'f' ? static_cast<unsigned>(low - 'a') + 10 : 16;
}

/// The number of bytes of the IPv4 address at the beginning of a text; 0 if there is none. An address with
/// leading zeros does not count, because some programs read 010 as 8.
[[nodiscard]] DUOMAP_HD inline std::uint64_t ipv4_bytes(byte_view text) {
  const auto digit = [text](std::uint64_t at) {
    return at < text.size ? static_cast<unsigned char>(text[at]) - unsigned{'0'} : 10;
  };
  std::uint64_t at = 0;
  for (unsigned part = 0; part < 4; ++part) {
    if (part > 0 && (at >= text.size || text[at++] != '.')) return 0;
    unsigned value = digit(at++);
    if (value > 9) return 0;
    if (digit(at) < 10) {
      if (value == 0) return 0;
      value = value * 10 + digit(at++);
      if (digit(at) < 10) value = value * 10 + digit(at++);
      if (value > 255) return 0;
    }
  }
  return at < text.size && (digit(at) < 10 || text[at] == '.') ? 0 : at;
}

/// The eight numbers of an IPv6 address (RFC 4291, section 2.2).
struct ipv6_groups {
  std::uint16_t at[8] = {};

  /// Whether the address is like ::ffff:192.0.2.1, as sockets for both families write IPv4 clients.
  [[nodiscard]] DUOMAP_HD bool is_mapped() const {
    return (at[0] | at[1] | at[2] | at[3] | at[4]) == 0 && at[5] == 0xFFFF;
  }
};

/// Reads an IPv6 address. Returns false if `text` is no IPv6 address.
[[nodiscard]] DUOMAP_HD inline bool read_ipv6(byte_view text, ipv6_groups& groups) {
  unsigned count = 0;
  unsigned gap = 9;  // the group before which :: stands
  std::uint64_t at = 0;
  if (text.size < 2 || (text[0] == ':' && text[1] != ':')) return false;
  while (at < text.size) {
    if (text[at] == ':' && at + 1 < text.size && text[at + 1] == ':') {
      if (gap <= 8) return false;
      gap = count;
      at += 2;
      continue;
    }
    if (count > 0 && gap != count && text[at++] != ':') return false;
    if (count == 8 || at >= text.size) return false;
    if (count <= 6) {
      const byte_view rest = text.sub(at, text.size - at);
      if (rest.size >= 7 && ipv4_bytes(rest) == rest.size) {
        unsigned bytes[4] = {};
        for (std::uint64_t i = 0, part = 0; i < rest.size; ++i) {
          if (rest[i] == '.') {
            ++part;
          } else {
            bytes[part] = bytes[part] * 10 + static_cast<unsigned>(rest[i] - '0');
          }
        }
        groups.at[count++] = static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
        groups.at[count++] = static_cast<std::uint16_t>(bytes[2] << 8 | bytes[3]);
        at = text.size;
        break;
      }
    }
    unsigned value = 0;
    const std::uint64_t begin = at;
    for (; at < text.size && at < begin + 4 && hex_value(text[at]) < 16; ++at)
      value = value << 4 | hex_value(text[at]);
    if (at == begin || (at < text.size && text[at] != ':')) return false;
    groups.at[count++] = static_cast<std::uint16_t>(value);
  }
  if (gap > 8) return count == 8;
  if (count == 8) return false;
  const unsigned behind = count - gap;
  for (unsigned i = 0; i < behind; ++i) {
    groups.at[7 - i] = groups.at[count - 1 - i];
    groups.at[count - 1 - i] = 0;
  }
  return true;
}

[[nodiscard]] DUOMAP_HD constexpr char hex_digit(unsigned value) { return "0123456789ABCDEF"[value]; }

/// Calls put(c) for each character of an IPv6 address in the form of RFC 5952, without dots.
template <class Put>
DUOMAP_HD void put_ipv6(const ipv6_groups& groups, const Put& put) {
  // The longest run of two or more zeros becomes "::". If runs have the same length, the first one does.
  unsigned run = 8;
  unsigned run_size = 1;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned end = i;
    while (end < 8 && groups.at[end] == 0) ++end;
    if (end - i > run_size) {
      run = i;
      run_size = end - i;
    }
  }
  for (unsigned i = 0; i < 8; ++i) {
    if (i == run) {
      put(':');
      put(':');
      i += run_size - 1;
      continue;
    }
    if (i > 0 && i != run + run_size) put(':');
    const unsigned value = groups.at[i];
    for (unsigned shift = 12 + 4; shift > 0;) {
      shift -= 4;
      if (value >> shift != 0 || shift == 0) put(to_lower(hex_digit(value >> shift & 15)));
    }
  }
}

}  // namespace duomap::apps::detail
