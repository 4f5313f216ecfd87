// A view of bytes that host and device code share.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/config.hpp"

namespace duomap {

/// `size` bytes at `data`, owned by someone else. Trivially copyable, so that it can be a kernel argument.
struct byte_view {
  const char* data = nullptr;
  std::uint64_t size = 0;

  byte_view() = default;
  DUOMAP_HD constexpr byte_view(const char* bytes, std::uint64_t count) : data(bytes), size(count) {}
  // Implicit on purpose: text literals and std::string are keys too.
  constexpr byte_view(std::string_view text) : data(text.data()), size(text.size()) {}

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
