// Keys at the beginning of larger objects.
#pragma once

#include "core/compact_key.hpp"

#include <cstdint>

namespace duomap::gpu {

/// compact_keys in device memory, `stride` bytes apart.
struct strided_keys {
  const char* first = nullptr;
  std::uint64_t stride = 0;

  [[nodiscard]] __device__ const compact_key& at(std::uint64_t i) const {
    return *reinterpret_cast<const compact_key*>(first + i * stride);
  }
};

/// Keys of 16 bytes (core/compact_key.hpp) in device memory, for writing. Each begins `stride` bytes behind
/// the one before.
struct writable_keys {
  char* first = nullptr;
  std::uint64_t stride = 0;

  [[nodiscard]] __device__ compact_key& at(std::uint64_t i) const {
    return *reinterpret_cast<compact_key*>(first + i * stride);
  }
};

}  // namespace duomap::gpu
