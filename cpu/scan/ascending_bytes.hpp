// 0, 1, 2 ... 63, aligned for a register: what compressing by a mask makes a list of the mask's bits of.
// host only
#pragma once

#include <array>
#include <cstddef>

namespace duomap::cpu {

alignas(64) inline constexpr auto ascending_bytes = [] {
  std::array<unsigned char, 64> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
  return bytes;
}();

}  // namespace duomap::cpu
