// Encodes numbers and texts as bytes, and decodes them.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

namespace duomap {

static_assert(std::endian::native == std::endian::little, "stored partials are little-endian");

/// Appends encoded values to a string.
class encoder {
 public:
  /// A whole number in LEB128: seven bits per byte, the lowest first; all bytes but the last have bit 7 set.
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  void raw(byte_view bytes) { bytes_.append(bytes.data, bytes.size); }
  /// The bytes of an object, lowest first.
  template <class T>
  void object(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// The number of bytes, then the bytes.
  void text(byte_view bytes) {
    number(bytes.size);
    raw(bytes);
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  void clear() noexcept { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// Decodes values from bytes that may be damaged or forged. Never reads behind their end.
class decoder {
 public:
  /// `what` names the bytes in messages: "partition 7 of 'a.part'".
  decoder(byte_view bytes, std::string what) : rest_(bytes), what_(std::move(what)) {}

  /// @throws input_error, like all functions of this class, when the bytes end too early or are no such value
  [[nodiscard]] std::uint64_t number();
  /// A number that is at most `most`.
  [[nodiscard]] std::uint64_t number(std::uint64_t most);
  /// A number of elements, each of which takes at least `bytes_each` (at least 1) bytes. It is checked
  /// against the number of bytes that are left.
  [[nodiscard]] std::uint64_t count(std::uint64_t bytes_each = 1);
  [[nodiscard]] byte_view raw(std::uint64_t size);
  template <class T>
  void object(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const byte_view bytes = raw(sizeof value);
    __builtin_memcpy(&value, bytes.data, sizeof value);
  }
  [[nodiscard]] byte_view text() { return raw(number()); }

  /// Throws input_error if bytes are left.
  void expect_end() const;
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  byte_view rest_;
  std::string what_;
};

}  // namespace duomap
