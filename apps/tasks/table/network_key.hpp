// Replaces an address by the network that it is in, on any device.
#pragma once

#include "apps/tasks/table/ip_address.hpp"
#include "apps/tasks/table/key_sink.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

/// The number of bits of a network's address.
struct network_bits {
  unsigned ipv4 = 0;
  unsigned ipv6 = 0;
};

/// Writes the network of an address: 10.1.2.0/24, or 2001:db8::/32 in the form of RFC 5952. Returns false if
/// the text is no address, or an IPv4 address with fewer bits than are asked for.
[[nodiscard]] DUOMAP_HD inline bool put_network(byte_view text, const network_bits& bits, key_sink& key) {
  if (text.size > 0 && detail::ipv4_bytes(text) == text.size) {
    if (bits.ipv4 > 32) return false;
    std::uint32_t address = 0, part = 0;
    for (std::uint64_t i = 0; i < text.size; ++i) {
      if (text[i] == '.') {
        address = address << 8 | part;
        part = 0;
      } else {
        part = part * 10 + static_cast<unsigned char>(text[i]) - '0';
      }
    }
    address = address << 8 | part;
    address = bits.ipv4 == 0 ? 0 : address >> (32 - bits.ipv4) << (32 - bits.ipv4);
    for (unsigned shift = 32; shift > 0;) {
      shift -= 8;
      key.put_number(address >> shift & 255, 1);
      if (shift > 0) key.put('.');
    }
    key.put('/');
    key.put_number(bits.ipv4, 1);
    return true;
  }
  detail::ipv6_groups groups;
  if (!detail::read_ipv6(text, groups)) return false;
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned kept = bits.ipv6 <= 16 * i ? 0 : bits.ipv6 - 16 * i;
    if (kept < 16) groups.at[i] = static_cast<std::uint16_t>(groups.at[i] & ~(0xFFFFu >> kept));
  }
  detail::put_ipv6(groups, [&key](char c) { key.put(c); });
  key.put('/');
  key.put_number(bits.ipv6, 1);
  return true;
}

}  // namespace duomap::apps
