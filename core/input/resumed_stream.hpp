// A stream whose first bytes somebody has read already. It gives these bytes again, then the others.
// host only
#pragma once

#include "core/input/source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap {

/// Gives `first`, then the bytes of `rest`.
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

  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) override {
    const std::uint64_t left = first_.size() - given_;
    const std::uint64_t mine = ahead < left ? std::min(count, left - ahead) : 0;
    if (mine > 0) std::memcpy(into, first_.data() + given_ + ahead, mine);
    if (mine == count) return count;
    const auto rest = rest_->look(std::max(ahead, left) - left, into + mine, count - mine);
    return rest ? std::optional(mine + *rest) : std::nullopt;
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
