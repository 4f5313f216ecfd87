// Makes texts with the same hash.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace duomap::test {

/// Texts of 16 bytes with the same libstdc++ hash, each step of which can be inverted.
inline std::vector<std::string> texts_of_one_hash(std::uint64_t count) {
  constexpr std::uint64_t factor = (std::uint64_t{0xc6a4a793} << 32) + 0x5bd1e995;
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  const auto mixed = [](std::uint64_t word) {
    return word ^ word >> 47;
  };
  const std::uint64_t start = 0xc70f6907 ^ 16 * factor;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t after_first = (start ^ mixed(i * factor) * factor) * factor;
    const std::uint64_t second = mixed((after_first ^ 12345) * inverse) * inverse;
    std::string text(16, '\0');
    std::memcpy(text.data(), &i, sizeof i);
    std::memcpy(text.data() + 8, &second, sizeof second);
    texts.push_back(text);
  }
  return texts;
}

}  // namespace duomap::test
