// Collects the bytes of a key in memory of a fixed size, on any device.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

/// Bytes that have no room are left out, and `fits` is false from then on.
struct key_sink {
  char* to = nullptr;
  std::uint64_t room = 0;
  std::uint64_t size = 0;
  bool fits = true;

  DUOMAP_HD bool put(char c) {
    if (size == room) {
      fits = false;
    } else {
      to[size++] = c;
    }
    return fits;
  }
  /// Writes a number with at least `digits` digits.
  DUOMAP_HD void put_number(std::uint64_t number, unsigned digits) {
    char backwards[20];
    unsigned count = 0;
    for (; number > 0 || count < digits; number /= 10)
      backwards[count++] = static_cast<char>('0' + number % 10);
    while (count > 0) put(backwards[--count]);
  }
};

}  // namespace duomap::apps
