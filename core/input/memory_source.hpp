// Sources whose units are in memory already: a text, a view of the caller's bytes, a range of indices.
// host only
#pragma once

#include "core/input/source.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap {

/// Owns a text and the padding behind the text.
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

/// Bytes that the caller keeps alive and unchanged. The `read_padding` bytes behind them are readable.
class view_source final : public source {
 public:
  view_source(byte_view bytes, std::string name);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return bytes_.size; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return bytes_.size; }
  [[nodiscard]] byte_view bytes() const override { return bytes_; }
  /// If the bytes are a mapped file: whether that file has changed.
  [[nodiscard]] std::string change() const override;

 private:
  byte_view bytes_;
};

/// The indices 0 .. count - 1. bytes() returns a null view.
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
