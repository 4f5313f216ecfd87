// A buffer in front of a stream, from which decompressors read.
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
  /// `position` is the place of the stream's first byte in the file, for position().
  explicit read_ahead(std::unique_ptr<byte_stream> stream, std::uint64_t position = 0);

  /// Reads until at least `count` bytes are ready or the stream ends; returns the bytes that are ready, fewer
  /// than `count` only at the end. The view is valid until the next call.
  byte_view require(std::uint64_t count);

  /// Drops the first `count` ready bytes.
  void consume(std::uint64_t count);

  /// Returns the `count` bytes that begin `at` bytes behind the next one; fewer only at the end. Where the
  /// stream can look ahead, the bytes in between are not read. The view is valid until the next call.
  byte_view look(std::uint64_t at, std::uint64_t count);

  /// Takes the next `count` bytes, which look() must have seen, off the stream as a part that any thread may
  /// read. That thread reads the bytes that are not ready, if the stream gives them as a part
  /// (byte_stream::take_part()); else they are read here.
  [[nodiscard]] std::unique_ptr<stream_part> take(std::uint64_t count);

  /// Position of the first ready byte in the file.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

  /// Bytes that are read at a time, unless more are required. 128 KiB is Linux's default read-ahead, and a
  /// small part of a core's second-level cache.
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
  // The bytes that were looked at last, ahead of the ready ones: from this position in the file on.
  std::vector<char> window_;
  std::uint64_t window_at_ = 0;
};

}  // namespace duomap
