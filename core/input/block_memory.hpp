// Memory for blocks, which a device reads fast.
// host only
#pragma once

#include <cstdint>

namespace duomap {

/// Page-locked memory, which devices read fast, for blocks that only devices read. Any thread may call it.
class block_memory {
 public:
  struct piece {
    char* data = nullptr;
    std::uint64_t bytes = 0;
  };

  virtual ~block_memory() = default;

  /// Returns `bytes` bytes or more; null if too few are left. The block then takes ordinary memory.
  [[nodiscard]] virtual piece take(std::uint64_t bytes) noexcept = 0;
  virtual void give(char* data) noexcept = 0;
};

}  // namespace duomap
