// Memory for blocks that a device reads fast.
// host only
#pragma once

#include <cstdint>

namespace duomap {

/// Memory that devices read fast (page-locked), for the blocks of an input that only devices read. Any thread
/// may call any method.
class block_memory {
 public:
  struct piece {
    char* data = nullptr;
    std::uint64_t bytes = 0;
  };

  virtual ~block_memory() = default;

  /// Returns `bytes` bytes or more. Returns nothing when none are left; the block then takes ordinary memory.
  [[nodiscard]] virtual piece take(std::uint64_t bytes) noexcept = 0;
  virtual void give(char* data) noexcept = 0;
};

}  // namespace duomap
