// One named input: bytes in memory, a mapped file, a stream, or a range of indices.
#pragma once

#include "core/byte_view.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap {

struct run_control;

/// Bytes of a stream that can be read apart from the bytes behind them. Used by one thread at a time.
class stream_part {
 public:
  virtual ~stream_part() = default;

  /// The room that read() needs: the number of its bytes, or more.
  [[nodiscard]] virtual std::uint64_t most_bytes() const noexcept = 0;

  /// Reads the whole part, and returns the number of its bytes; `into` has room for most_bytes(). Called
  /// once. Throws input_error as byte_stream::read() does.
  [[nodiscard]] virtual std::uint64_t read(char* into) = 0;
};

/// Bytes that can only be read once and in order (a pipe, a compressed file). Used by one thread at a time.
class byte_stream {
 public:
  virtual ~byte_stream() = default;

  /// Reads 1 to `capacity` bytes; 0 means the end. Requires capacity > 0. Throws input_error naming the
  /// source and the byte (of the stored file, counted from 0) when it cannot be read, is truncated or is
  /// corrupt.
  virtual std::uint64_t read(char* into, std::uint64_t capacity) = 0;

  /// Takes the next bytes off the stream as a part: `wanted` bytes or more, unless the stream ends before.
  /// Another thread may read the part, even when the stream is gone. Nothing when the next bytes cannot be
  /// read apart: read() them then.
  /// @throws input_error when the stored bytes cannot be read
  [[nodiscard]] virtual std::unique_ptr<stream_part> take_part(std::uint64_t wanted) {
    static_cast<void>(wanted);
    return nullptr;
  }

  /// Copies the `count` bytes that stand `ahead` bytes behind the next one, and takes none off the stream;
  /// returns how many there were. Nothing when this stream cannot look ahead.
  /// @throws input_error as read() does
  [[nodiscard]] virtual std::optional<std::uint64_t> look(std::uint64_t ahead, char* into,
                                                          std::uint64_t count) {
    static_cast<void>(ahead);
    static_cast<void>(into);
    static_cast<void>(count);
    return std::nullopt;
  }
};

/// The place of a source's first unit in the larger input of which the source is a slice.
struct source_place {
  std::optional<std::uint32_t> source = std::nullopt;  ///< its number there; none: it is no slice
  std::uint64_t offset = 0;                            ///< in units
};

/// One named input. Immutable after construction; any thread may call any method.
class source {
 public:
  explicit source(std::string name) : name_(std::move(name)) {}
  virtual ~source() = default;
  source(const source&) = delete;
  source& operator=(const source&) = delete;

  /// The user's name for the source: a path, or "standard input".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// The stored bytes of the source (the compressed ones of a compressed file), if their number is known.
  [[nodiscard]] virtual std::optional<std::uint64_t> stored_size() const = 0;

  /// Whether all units can be addressed directly, through units() and bytes(). Other sources are read through
  /// open().
  [[nodiscard]] virtual bool addressable() const noexcept = 0;

  /// The number of bytes of an addressable source, or of indices of an index range.
  [[nodiscard]] virtual std::uint64_t units() const { return 0; }

  /// The bytes of an addressable source, followed by `read_padding` readable bytes; data is nullptr for an
  /// index range.
  [[nodiscard]] virtual byte_view bytes() const { return {}; }

  /// Opens the stream of a source that is not addressable, decompressed. A source that can be read only once
  /// (standard input, a FIFO) throws usage_error when it is opened again; a file that cannot be opened any
  /// more throws input_error. `control` may be null and must outlive the stream: an open or a read that waits
  /// for a pipe's writer throws interrupted when the run is cancelled.
  [[nodiscard]] virtual std::unique_ptr<byte_stream> open(const run_control* control = nullptr) const {
    static_cast<void>(control);
    return nullptr;
  }

  /// Whether open() can be called again: true for files, false for pipes.
  [[nodiscard]] virtual bool opens_again() const noexcept { return false; }

  /// The place of a slice in its larger source (core/input/input_slice.hpp). If a slice is addressable, the
  /// bytes of the larger source stand before its own.
  [[nodiscard]] virtual source_place place() const { return {}; }

  /// Whether a byte order mark stood in front of its text: then the mark was left out, or the text converted.
  /// For a stream this is known once it was opened.
  [[nodiscard]] virtual bool marked() const noexcept { return false; }

  /// The number of bytes of the stream, if it was read to its end.
  [[nodiscard]] std::optional<std::uint64_t> stream_end() const noexcept {
    const std::uint64_t end = stream_end_.load(std::memory_order_relaxed);
    return end == not_ended ? std::nullopt : std::optional(end);
  }
  /// The reader of the stream calls it.
  void set_stream_end(std::uint64_t bytes) const noexcept {
    stream_end_.store(bytes, std::memory_order_relaxed);
  }

  /// Call it after the last byte was read. A sentence when the source's file grew since it was opened, else
  /// empty.
  /// @throws input_error when it was cut, rewritten or replaced (core/input/opening_stamp.hpp)
  [[nodiscard]] virtual std::string change() const { return {}; }

 private:
  static constexpr std::uint64_t not_ended = ~std::uint64_t{0};

  std::string name_;
  mutable std::atomic<std::uint64_t> stream_end_{not_ended};
};

/// @throws input_error when a source was opened as text and lost its byte order mark, so that it gives no
/// binary records
void require_binary(const source& one);

}  // namespace duomap
