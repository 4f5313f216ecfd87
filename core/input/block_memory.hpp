// Where blocks get memory that a device reads fast.
// host only
#pragma once

#include <cstdint>

namespace duomap {

/// Memory for the blocks of an input that devices alone read. Any thread may call any method.
class block_memory {
 public:
  struct piece {
    char* data = nullptr;
    std::uint64_t bytes = 0;
  };

  virtual ~block_memory() = default;

  /// `bytes` bytes or more; nothing when there is none, and ordinary memory does.
  [[nodiscard]] virtual piece take(std::uint64_t bytes) noexcept = 0;
  virtual void give(char* data) noexcept = 0;
};

}  // namespace duomap
