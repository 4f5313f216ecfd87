// A stream whose first bytes were looked at already.
// host only
#pragma once

#include "core/input/source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace duomap {

/// Gives `first`, then what `rest` gives.
class resumed_stream final : public byte_stream {
 public:
  resumed_stream(std::unique_ptr<byte_stream> rest, std::string first)
    : rest_(std::move(rest)), first_(std::move(first)) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    if (given_ == first_.size()) {
      return rest_->read(into, capacity);
    }
    const std::uint64_t count = std::min<std::uint64_t>(capacity, first_.size() - given_);
    std::memcpy(into, first_.data() + given_, count);
    given_ += count;
    return count;
  }

  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) override {
    return given_ == first_.size() ? rest_->take_part(wanted) : nullptr;
  }

 private:
  std::unique_ptr<byte_stream> rest_;
  std::string first_;
  std::uint64_t given_ = 0;
};

/// The next `count` bytes of a stream; fewer when it ends before.
[[nodiscard]] inline std::string next_bytes(byte_stream& stream, std::uint64_t count) {
  std::string bytes(count, '\0');
  std::uint64_t size = 0;
  while (size < count) {
    const std::uint64_t got = stream.read(bytes.data() + size, count - size);
    if (got == 0) {
      break;
    }
    size += got;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace duomap
