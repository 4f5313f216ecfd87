// A buffer in front of a stream: what decompressors read from.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace duomap {

/// Bytes of a stream that were read but not used yet. Used by one thread at a time.
class read_ahead {
 public:
  /// `position`: of the stream's first byte in the file, for position().
  explicit read_ahead(std::unique_ptr<byte_stream> stream, std::uint64_t position = 0);

  /// Reads until at least `count` bytes are ready or the stream ends; returns the bytes that are ready, fewer
  /// than `count` only at the end. The view is valid until the next call.
  byte_view require(std::uint64_t count);

  /// Drops the first `count` ready bytes.
  void consume(std::uint64_t count);

  /// `count` bytes from `at` bytes behind the next one on; fewer only at the end. Where the stream can look
  /// ahead, nothing between is read. The view is valid until the next call.
  byte_view look(std::uint64_t at, std::uint64_t count);

  /// The next `count` bytes, which look() has seen, for any thread to read. Of a stream that can look ahead,
  /// what is not ready is read by that thread.
  [[nodiscard]] std::unique_ptr<stream_part> take(std::uint64_t count);

  /// Position of the first ready byte in the file.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

  /// What is read at a time, unless more is required. 128 KiB: what Linux reads ahead by default, and a small
  /// part of a core's second-level cache.
  static constexpr std::uint64_t usual_bytes = std::uint64_t{128} << 10;

 private:
  std::unique_ptr<char[]> move_to_new_buffer();
  [[nodiscard]] std::uint64_t ready() const noexcept { return end_ - begin_; }

  std::unique_ptr<byte_stream> stream_;
  std::uint64_t capacity_ = usual_bytes;
  std::unique_ptr<char[]> buffer_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t position_;
  bool ended_ = false;
  // What was looked at last, ahead of what is ready: from this position in the file on.
  std::vector<char> window_;
  std::uint64_t window_at_ = 0;
};

}  // namespace duomap
