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

/// Bytes of a stream that can be read without reading the others. Used by one thread at a time.
class stream_part {
 public:
  virtual ~stream_part() = default;

  /// The number of bytes of room that read() needs: the size of the part, or more.
  [[nodiscard]] virtual std::uint64_t most_bytes() const noexcept = 0;

  /// Reads the whole part, and returns the number of its bytes; `into` has room for most_bytes(). Called
  /// once. Throws input_error as byte_stream::read() does.
  [[nodiscard]] virtual std::uint64_t read(char* into) = 0;
};

/// Bytes that can only be read once and in order (a pipe, a compressed file). Used by one thread at a time.
class byte_stream {
 public:
  virtual ~byte_stream() = default;

  /// Reads 1 to `capacity` bytes; 0 means the end. Requires capacity > 0. Throws input_error if the source
  /// cannot be read, is truncated or is corrupt, and names the source and the byte of the stored file,
  /// counted from 0.
  virtual std::uint64_t read(char* into, std::uint64_t capacity) = 0;

  /// Takes the next bytes off the stream as a part of `wanted` bytes or more, unless the stream ends earlier.
  /// Another thread may read the part, even after the stream is destroyed. Returns nothing if the stream can
  /// only be read in order: use read() then.
  /// @throws input_error when the stored bytes cannot be read
  [[nodiscard]] virtual std::unique_ptr<stream_part> take_part(std::uint64_t wanted) {
    static_cast<void>(wanted);
    return nullptr;
  }

  /// Copies the `count` bytes that begin `ahead` bytes behind the next one, but leaves them on the stream.
  /// Returns the number of bytes copied; nothing if this stream cannot look ahead.
  /// @throws input_error as read() does
  [[nodiscard]] virtual std::optional<std::uint64_t> look(std::uint64_t ahead, char* into,
                                                          std::uint64_t count) {
    static_cast<void>(ahead);
    static_cast<void>(into);
    static_cast<void>(count);
    return std::nullopt;
  }
};

/// A source may be a slice of a larger input. Then this is the place of its first unit in that input.
struct source_place {
  std::optional<std::uint32_t> source = std::nullopt;  ///< its number in that input; none: no slice
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

  /// The number of stored bytes, if it is known. A compressed file stores compressed bytes.
  [[nodiscard]] virtual std::optional<std::uint64_t> stored_size() const = 0;

  /// Whether all units can be addressed, by units() and bytes(). Other sources are read by open().
  [[nodiscard]] virtual bool addressable() const noexcept = 0;

  /// The number of bytes of an addressable source, or of indices of an index range.
  [[nodiscard]] virtual std::uint64_t units() const { return 0; }

  /// The bytes of an addressable source, with `read_padding` readable bytes behind; a null view for an index
  /// range.
  [[nodiscard]] virtual byte_view bytes() const { return {}; }

  /// Opens the stream of a source that is not addressable. The stream gives decompressed bytes. Throws
  /// usage_error if the source can be read only once (standard input, a FIFO) and is opened again. Throws
  /// input_error if a file can no longer be opened. `control` may be null and must outlive the stream: if the
  /// run is cancelled, an open or a read that waits for a pipe's writer throws `interrupted`.
  [[nodiscard]] virtual std::unique_ptr<byte_stream> open(const run_control* control = nullptr) const {
    static_cast<void>(control);
    return nullptr;
  }

  /// Whether open() can be called again: true for files, false for pipes.
  [[nodiscard]] virtual bool opens_again() const noexcept { return false; }

  /// The place of a slice in its larger source (core/input/input_slice.hpp). An addressable slice has the
  /// bytes of the larger source in front of its own.
  [[nodiscard]] virtual source_place place() const { return {}; }

  /// Whether the text began with a byte order mark. The mark is left out, or the text is converted to UTF-8.
  /// For a stream the answer is known only after it was opened.
  [[nodiscard]] virtual bool marked() const noexcept { return false; }

  /// The size of the stream in bytes, if somebody has read it to its end.
  [[nodiscard]] std::optional<std::uint64_t> stream_end() const noexcept {
    const std::uint64_t end = stream_end_.load(std::memory_order_relaxed);
    return end == not_ended ? std::nullopt : std::optional(end);
  }
  /// For the reader of the stream, at its end.
  void set_stream_end(std::uint64_t bytes) const noexcept {
    stream_end_.store(bytes, std::memory_order_relaxed);
  }

  /// Call it after the last byte was read. Returns a sentence if the source's file has grown, else an empty
  /// text.
  /// @throws input_error when the file was cut, rewritten or replaced (core/input/file_state.hpp)
  [[nodiscard]] virtual std::string change() const { return {}; }

 private:
  static constexpr std::uint64_t not_ended = ~std::uint64_t{0};

  std::string name_;
  mutable std::atomic<std::uint64_t> stream_end_{not_ended};
};

/// @throws input_error when `one` was opened as text and lost a byte order mark: its bytes are no binary
/// records
void require_binary(const source& one);

}  // namespace duomap
