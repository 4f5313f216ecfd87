// One named input: bytes in memory, a mapped file, a stream, or a range of indices.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap {

/// Bytes that can only be read once and in order (a pipe, a compressed file). Used by one thread at a time.
class byte_stream {
 public:
  virtual ~byte_stream() = default;

  /// Reads 1 to `capacity` bytes; 0 means the end. Requires capacity > 0. Throws input_error naming the
  /// source and the byte (of the stored file, counted from 0) when it cannot be read, is truncated or is
  /// corrupt.
  virtual std::uint64_t read(char* into, std::uint64_t capacity) = 0;
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
  /// input_error.
  [[nodiscard]] virtual std::unique_ptr<byte_stream> open() const { return nullptr; }

 private:
  std::string name_;
};

}  // namespace duomap
