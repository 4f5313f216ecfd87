// Owns a file descriptor.
// host only
#pragma once

#include <string>
#include <utility>

namespace duomap {

/// Owns a descriptor and closes it. Ignores errors of close(), which mean nothing after reading.
class file_descriptor {
 public:
  file_descriptor() = default;
  /// Takes ownership; -1 is "none".
  explicit file_descriptor(int value) noexcept : value_(value) {}
  file_descriptor(file_descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~file_descriptor();

  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] explicit operator bool() const noexcept { return value_ >= 0; }

 private:
  int value_ = -1;
};

/// Opens a path for reading. Child processes do not inherit the descriptor. If the path cannot be opened,
/// returns "none", and errno has the reason. For a FIFO the call waits for a writer, unless `flags` (further
/// flags of open(2)) has O_NONBLOCK.
[[nodiscard]] file_descriptor open_for_reading(const std::string& path, int flags = 0) noexcept;

}  // namespace duomap
