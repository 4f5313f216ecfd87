// Reads a stream into a buffer for decompressors. look() fetches a few bytes farther on, such as the next
// member's header; the bytes in between are read later.
#include "core/input/read_ahead.hpp"

#include "core/config.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace duomap {

namespace {

// The number of bytes that look() reads at a time. It looks for the header of the next member, which in BGZF
// is just behind the previous member.
constexpr std::uint64_t window_bytes = torture ? 4 : 512;

/// Bytes that were read already, followed by a part of the stream.
class taken_part final : public stream_part {
 public:
  taken_part(byte_view first, std::unique_ptr<stream_part> rest)
    : first_(first.data, first.end()), rest_(std::move(rest)) {}

  [[nodiscard]] std::uint64_t most_bytes() const noexcept override {
    return first_.size() + (rest_ ? rest_->most_bytes() : 0);
  }

  std::uint64_t read(char* into) override {
    if (!first_.empty()) std::memcpy(into, first_.data(), first_.size());
    return first_.size() + (rest_ ? rest_->read(into + first_.size()) : 0);
  }

 private:
  std::vector<char> first_;
  std::unique_ptr<stream_part> rest_;
};

}  // namespace

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

byte_view read_ahead::look(std::uint64_t at, std::uint64_t count) {
  if (at + count <= ready() || ended_) {
    const byte_view all{buffer_.get() + begin_, ready()};
    return all.sub(std::min(at, all.size), std::min(count, all.size - std::min(at, all.size)));
  }
  const std::uint64_t from = position_ + at;
  if (from < window_at_ || from + count > window_at_ + window_.size()) {
    window_.resize(std::max(count, window_bytes));
    const std::uint64_t mine = at < ready() ? ready() - at : 0;
    if (mine > 0) std::memcpy(window_.data(), buffer_.get() + begin_ + at, mine);
    const auto more =
        stream_->look(std::max(at, ready()) - ready(), window_.data() + mine, window_.size() - mine);
    window_at_ = from;
    window_.resize(more ? mine + *more : 0);
    if (!more) {
      const byte_view all = require(at + count);
      return all.sub(std::min(at, all.size), std::min(count, all.size - std::min(at, all.size)));
    }
  }
  const std::uint64_t begin = from - window_at_;
  return {window_.data() + begin, std::min(count, window_.size() - begin)};
}

std::unique_ptr<stream_part> read_ahead::take(std::uint64_t count) {
  std::unique_ptr<stream_part> rest;
  if (count > ready()) rest = stream_->take_part(count - ready());
  if (rest == nullptr) require(count);
  const std::uint64_t mine = std::min(count, ready());
  auto taken = std::make_unique<taken_part>(byte_view{buffer_.get() + begin_, mine}, std::move(rest));
  consume(mine);
  position_ += count - mine;
  return taken;
}

/// Moves the ready bytes to a new buffer of `capacity_` bytes. Returns the old buffer.
std::unique_ptr<char[]> read_ahead::move_to_new_buffer() {
  auto other = std::make_unique_for_overwrite<char[]>(capacity_);
  std::memcpy(other.get(), buffer_.get() + begin_, end_ - begin_);
  std::swap(buffer_, other);
  end_ -= begin_;
  begin_ = 0;
  return other;
}

}  // namespace duomap
