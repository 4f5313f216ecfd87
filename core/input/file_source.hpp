// A source that is a path read as a stream.
// host only
#pragma once

#include "core/input/compression.hpp"
#include "core/input/source.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// A file that is not mapped: small, compressed, a FIFO, a device. Holds no descriptor; each open() opens the
/// path.
class file_source final : public source {
 public:
  /// `stored_size` is known for regular files. Without one the path is a FIFO or a device, which gives its
  /// bytes only once.
  file_source(std::string path, compression kind, std::optional<std::uint64_t> stored_size);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return stored_size_; }
  [[nodiscard]] bool addressable() const noexcept override { return false; }

  /// @throws input_error when the path cannot be opened any more; usage_error when its bytes can be read only
  /// once and were.
  [[nodiscard]] std::unique_ptr<byte_stream> open() const override;

 private:
  compression kind_;
  std::optional<std::uint64_t> stored_size_;
  mutable std::atomic<bool> opened_{false};
};

}  // namespace duomap
