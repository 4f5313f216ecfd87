#include "core/input/read_ahead.hpp"

#include "core/error.hpp"

#include <cstring>
#include <utility>

namespace duomap {

read_ahead::read_ahead(std::unique_ptr<byte_stream> stream) : stream_(std::move(stream)), buffer_(capacity) {}

byte_view read_ahead::require(std::uint64_t count) {
  expects(count <= capacity, "more bytes required than the buffer holds");
  if (end_ - begin_ < count && !ended_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    while (end_ < count && !ended_) {
      const std::uint64_t read = stream_->read(buffer_.data() + end_, capacity - end_);
      end_ += read;
      ended_ = read == 0;
    }
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

void read_ahead::consume(std::uint64_t count) {
  expects(count <= end_ - begin_, "more bytes consumed than are ready");
  begin_ += count;
  position_ += count;
}

}  // namespace duomap
