// A stream over bytes in memory.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace duomap {

/// The bytes must stay as they are while the stream is used.
class view_stream final : public byte_stream {
 public:
  explicit view_stream(byte_view bytes) : left_(bytes) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    const std::uint64_t count = std::min(capacity, left_.size);
    if (count > 0) std::memcpy(into, left_.data, count);
    left_ = left_.sub(count, left_.size - count);
    return count;
  }

 private:
  byte_view left_;
};

}  // namespace duomap
