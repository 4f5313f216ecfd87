// Makes standard input a source.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/file_state.hpp"
#include "core/input/input_content.hpp"
#include "core/input/source.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// The name of standard input in results and messages.
inline constexpr char standard_input_name[] = "standard input";

/// @throws usage_error when more than one of the paths is "-"
void require_one_standard_input(const std::vector<std::string>& paths);

/// Reads the descriptor of standard input as a stream, once.
class standard_input final : public source {
 public:
  /// `stored_size`: the bytes left to read, known for a regular file only. Such a file has a stamp, too.
  standard_input(file_descriptor file, input_content content, std::optional<std::uint64_t> stored_size,
                 std::optional<file_state> stamp);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return stored_size_; }
  [[nodiscard]] bool addressable() const noexcept override { return false; }

  /// Opens the stream and waits for its first bytes. @throws usage_error on a second call
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control = nullptr) const override;

  [[nodiscard]] bool marked() const noexcept override { return marked_; }
  [[nodiscard]] std::string change() const override { return stamp_ ? stamp_->change() : std::string(); }

 private:
  mutable file_descriptor file_;  // the first open() moves it to the stream
  mutable std::atomic<bool> opened_{false};
  mutable std::atomic<bool> marked_{false};
  input_content content_;
  std::optional<std::uint64_t> stored_size_;
  mutable std::optional<file_state> stamp_;  // the stream tells it which bytes were read
};

}  // namespace duomap
