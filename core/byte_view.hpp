// A view of bytes that host and device code share.
#pragma once

#include "core/config.hpp"

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace duomap {

/// `size` bytes at `data`, which somebody else owns. Trivially copyable, so that it can go to a kernel.
struct byte_view {
  const char* data = nullptr;
  std::uint64_t size = 0;

  byte_view() = default;
  DUOMAP_HD constexpr byte_view(const char* bytes, std::uint64_t count) : data(bytes), size(count) {}
  /// Implicit on purpose: std::string, std::string_view and literals (without their NUL) are bytes, too.
  template <class Text>
    requires std::is_convertible_v<const Text&, std::string_view>
  constexpr byte_view(const Text& text)
    : data(std::string_view(text).data()), size(std::string_view(text).size()) {}

  [[nodiscard]] DUOMAP_HD constexpr bool empty() const { return size == 0; }
  [[nodiscard]] DUOMAP_HD constexpr const char* begin() const { return data; }
  [[nodiscard]] DUOMAP_HD constexpr const char* end() const { return data + size; }
  [[nodiscard]] DUOMAP_HD constexpr char operator[](std::uint64_t i) const { return data[i]; }
  [[nodiscard]] DUOMAP_HD constexpr byte_view sub(std::uint64_t from, std::uint64_t count) const {
    return {data + from, count};
  }

  [[nodiscard]] constexpr std::string_view text() const { return {data, size}; }
};

}  // namespace duomap
