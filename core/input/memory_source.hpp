// Sources that are in memory already: a text, a view of someone's bytes, a range of indices.
// host only
#pragma once

#include "core/input/source.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap {

/// Owns a text and the padding behind it.
class text_source final : public source {
 public:
  text_source(std::string text, std::string name);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return size_; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return size_; }
  [[nodiscard]] byte_view bytes() const override { return {padded_.data(), size_}; }

 private:
  std::uint64_t size_;
  std::string padded_;
};

/// Bytes that the caller keeps alive, unchanged and readable to `read_padding` bytes after their end.
class view_source final : public source {
 public:
  view_source(byte_view bytes, std::string name);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return bytes_.size; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return bytes_.size; }
  [[nodiscard]] byte_view bytes() const override { return bytes_; }
  /// If the bytes are in a mapped file, the change of that file.
  [[nodiscard]] std::string change() const override;

 private:
  byte_view bytes_;
};

/// The indices 0 .. count - 1. Its bytes are a null view.
class index_source final : public source {
 public:
  explicit index_source(std::uint64_t count);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return 0; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return count_; }

 private:
  std::uint64_t count_;
};

}  // namespace duomap
