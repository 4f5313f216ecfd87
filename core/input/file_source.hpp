// A source that opens its path and reads it as a stream.
// host only
#pragma once

#include "core/input/file_state.hpp"
#include "core/input/input_content.hpp"
#include "core/input/source.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// A file that is not mapped: a small or compressed file, a FIFO, a device. The source holds no descriptor:
/// each open() opens the path.
class file_source final : public source {
 public:
  /// A regular file has a stamp. A FIFO or a device has none, and gives its bytes only once.
  file_source(std::string path, input_content content, std::optional<file_state> stamp);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override;
  [[nodiscard]] bool addressable() const noexcept override { return false; }

  [[nodiscard]] bool opens_again() const noexcept override { return stamp_.has_value(); }

  /// @throws input_error when the path can no longer be opened; usage_error when its bytes can be read only
  /// once, and somebody has read them
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control = nullptr) const override;

  [[nodiscard]] bool marked() const noexcept override { return marked_; }
  [[nodiscard]] std::string change() const override;

 private:
  input_content content_;
  mutable std::optional<file_state> stamp_;  // the source's stream tells it which bytes were read
  mutable std::atomic<bool> opened_{false};
  mutable std::atomic<bool> marked_{false};
};

}  // namespace duomap
