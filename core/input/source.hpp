// One named input: bytes in memory, a mapped file, a stream, or a range of indices.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap {

struct run_control;

/// Bytes of a stream that can be read apart from what follows them. Used by one thread at a time.
class stream_part {
 public:
  virtual ~stream_part() = default;

  /// As many bytes as it has and works with, or more.
  [[nodiscard]] virtual std::uint64_t most_bytes() const noexcept = 0;

  /// Reads all of it, and returns the number of bytes; `into` has room for most_bytes(). Called once. Throws
  /// input_error as byte_stream::read() does.
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

  /// The next bytes of the stream, which goes on behind them: `wanted` or more if there are so many. Another
  /// thread may read them, also when the stream is gone. Nothing when the next bytes are no part of their
  /// own: read() them then.
  /// @throws input_error when what is stored cannot be read
  [[nodiscard]] virtual std::unique_ptr<stream_part> take_part(std::uint64_t wanted) {
    static_cast<void>(wanted);
    return nullptr;
  }

  /// Copies the `count` bytes that stand `ahead` bytes behind the next one, and takes none of the stream;
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

/// Where the first unit of a source stands in the input of which it is a slice.
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

  /// What the user called it: a path, or "standard input".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Bytes it occupies where it is stored (compressed size for a compressed file), when that is known.
  [[nodiscard]] virtual std::optional<std::uint64_t> stored_size() const = 0;

  /// Whether every unit can be addressed directly, through units() and bytes(). If not, open() it.
  [[nodiscard]] virtual bool addressable() const noexcept = 0;

  /// Addressable sources: number of bytes, or of indices for an index range.
  [[nodiscard]] virtual std::uint64_t units() const { return 0; }

  /// Addressable sources: their bytes, followed by `read_padding` readable ones; data is nullptr for an
  /// index range.
  [[nodiscard]] virtual byte_view bytes() const { return {}; }

  /// Other sources: the stream of their bytes, decompressed. What can be read only once (standard input, a
  /// FIFO) throws usage_error when it is opened again; a file that cannot be opened any more throws
  /// input_error. `control`, which may be null and must outlive the stream: opening and reading that wait for
  /// a pipe's writer throw interrupted when the run is cancelled.
  [[nodiscard]] virtual std::unique_ptr<byte_stream> open(const run_control* control = nullptr) const {
    static_cast<void>(control);
    return nullptr;
  }

  /// Whether open() can be called again: of files, not of pipes.
  [[nodiscard]] virtual bool opens_again() const noexcept { return false; }

  /// Slices of larger sources (core/input/input_slice.hpp) say where they stand there. Of an addressable one
  /// the bytes of the larger source stand before its own.
  [[nodiscard]] virtual source_place place() const { return {}; }

  /// Whether a byte order mark stood in front of its text: then the mark was left out, or the text converted.
  /// Of a stream: known once it was opened.
  [[nodiscard]] virtual bool marked() const noexcept { return false; }

  /// Asked after the last byte was read: a sentence when the source's file grew since it was opened, else
  /// nothing.
  /// @throws input_error when it was cut, rewritten or replaced (core/input/opening_stamp.hpp)
  [[nodiscard]] virtual std::string change() const { return {}; }

 private:
  std::string name_;
};

/// @throws input_error when binary records cannot be what a source gives, because it was read as text
void require_binary(const source& one);

}  // namespace duomap
