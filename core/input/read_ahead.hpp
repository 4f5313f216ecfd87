// A buffer for the next bytes of a stream, from which decompressors read.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace duomap {

/// Bytes that were read from a stream but not used yet are called ready. Used by one thread at a time.
class read_ahead {
 public:
  /// `position` is the place in the file of the stream's first byte.
  explicit read_ahead(std::unique_ptr<byte_stream> stream, std::uint64_t position = 0);

  /// Reads until `count` bytes are ready or the stream ends. Returns all ready bytes; these are fewer than
  /// `count` only at the end. The view is valid until the next call.
  byte_view require(std::uint64_t count);

  /// Drops the first `count` ready bytes.
  void consume(std::uint64_t count);

  /// Returns the `count` bytes that begin `at` bytes behind the first ready byte; fewer only at the end. If
  /// the stream can look ahead, the bytes in between are not read. The view is valid until the next call.
  byte_view look(std::uint64_t at, std::uint64_t count);

  /// Takes the next `count` bytes off the stream as a part, which any thread may read. look() must have seen
  /// them. If the stream gives parts (byte_stream::take_part()), that thread reads the bytes that are not
  /// ready; if not, this call reads them.
  [[nodiscard]] std::unique_ptr<stream_part> take(std::uint64_t count);

  /// Position of the first ready byte in the file.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

  /// The number of bytes of one read, unless the caller requires more. 128 KiB is Linux's default read-ahead,
  /// and a small part of a core's second-level cache.
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
  // The bytes that look() has read last. window_at_ is their position in the file.
  std::vector<char> window_;
  std::uint64_t window_at_ = 0;
};

}  // namespace duomap
