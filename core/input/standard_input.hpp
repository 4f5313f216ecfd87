// Standard input as a source.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/source.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace duomap {

/// The name of standard input in results and messages.
inline constexpr char standard_input_name[] = "standard input";

/// A descriptor that is read once, as a stream, and decompressed when its first bytes say gzip or zstd.
class standard_input final : public source {
 public:
  /// `stored_size`: bytes left to read, when that is known.
  standard_input(file_descriptor file, std::optional<std::uint64_t> stored_size);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return stored_size_; }
  [[nodiscard]] bool addressable() const noexcept override { return false; }

  /// Waits for the first bytes. @throws usage_error when it is called again.
  [[nodiscard]] std::unique_ptr<byte_stream> open() const override;

 private:
  mutable file_descriptor file_;  // handed to the stream by the one open() that finds opened_ false
  mutable std::atomic<bool> opened_{false};
  std::optional<std::uint64_t> stored_size_;
};

}  // namespace duomap
