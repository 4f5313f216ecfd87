// Finds the places where one of many texts may begin, with the vector instructions that the CPU has.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "cpu/features.hpp"
#include "cpu/scan/byte_pair.hpp"

#include <array>
#include <cstdint>

namespace duomap::cpu {

/// The pairs of neighbouring bytes that the wanted texts have at their places 0, 1 and 2. Each place has a
/// bit for every pair. Only the low five bits of each byte count. They tell letters apart but not their case,
/// so the table is right whether case is ignored or not. A short text allows every byte behind its end.
class beginnings {
 public:
  static constexpr unsigned places = 3;

  /// Adds a text that is not empty.
  void add(byte_view text) noexcept;

  /// The bits of a place. For bytes a and b, it is bit b % 8 of byte (a % 32) * 4 + b % 32 / 8.
  [[nodiscard]] const std::array<std::uint8_t, 128>& place(unsigned i) const noexcept { return bits_[i]; }

  /// Whether a text may begin with these four bytes.
  [[nodiscard]] bool allows(const char* text) const noexcept {
    bool all = true;
    for (unsigned i = 0; i < places; ++i) {
      const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
      all = all && (bits_[i][a % 32 * 4u + b % 32 / 8u] >> b % 8 & 1) != 0;
    }
    return all;
  }

 private:
  alignas(64) std::array<std::array<std::uint8_t, 128>, places> bits_{};
};

/// Lists in `positions`, in ascending order, each i in [0, count) at which a text may begin. Requires count
/// <= candidate_tile. Reads no further than text[count + 2], and may write candidate_slack positions behind
/// the last one.
using find_beginnings_function = candidates (*)(const char* text, std::uint32_t count,
                                                const beginnings& wanted, std::uint16_t* positions);

/// The implementation for a path. All implementations give the same positions.
[[nodiscard]] find_beginnings_function find_beginnings_for(vector_path path) noexcept;

}  // namespace duomap::cpu
