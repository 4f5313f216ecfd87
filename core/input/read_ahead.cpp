#include "core/input/read_ahead.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace duomap {

read_ahead::read_ahead(std::unique_ptr<byte_stream> stream, std::uint64_t position)
  : stream_(std::move(stream)),
    buffer_(std::make_unique_for_overwrite<char[]>(capacity_)),
    position_(position) {}

byte_view read_ahead::require(std::uint64_t count) {
  if (end_ - begin_ < count && !ended_) {
    if (count > capacity_) {
      capacity_ = std::max(count, 2 * capacity_);
      static_cast<void>(move_to_new_buffer());
    } else {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    while (end_ < count && !ended_) {
      const std::uint64_t most = std::max(count - end_, std::min(usual_bytes, capacity_ - end_));
      const std::uint64_t read = stream_->read(buffer_.get() + end_, most);
      end_ += read;
      ended_ = read == 0;
    }
  }
  return {buffer_.get() + begin_, end_ - begin_};
}

void read_ahead::consume(std::uint64_t count) {
  expects(count <= end_ - begin_, "more bytes consumed than are ready");
  begin_ += count;
  position_ += count;
}

std::unique_ptr<char[]> read_ahead::take(std::uint64_t count) {
  const std::uint64_t skipped = begin_;
  consume(count);
  std::unique_ptr<char[]> taken = move_to_new_buffer();
  std::memmove(taken.get(), taken.get() + skipped, skipped == 0 ? 0 : count);
  return taken;
}

/// Returns the old buffer.
std::unique_ptr<char[]> read_ahead::move_to_new_buffer() {
  auto other = std::make_unique_for_overwrite<char[]>(capacity_);
  std::memcpy(other.get(), buffer_.get() + begin_, end_ - begin_);
  std::swap(buffer_, other);
  end_ -= begin_;
  begin_ = 0;
  return other;
}

}  // namespace duomap
