// A reusable, growable buffer that holds whole records of a stream.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/input/block_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace duomap {

/// Bytes of a stream and their position in it, followed by `read_padding` zero bytes. A block keeps its
/// memory when it is filled again. Not thread-safe. Moving a block keeps the address of its bytes.
class block {
 public:
  block() = default;
  /// The block takes its memory from `from` until `from` has none left, and then from malloc; null means
  /// malloc. `from` must outlive the block.
  explicit block(block_memory* from) : from_(from) {}

  [[nodiscard]] char* data() noexcept { return data_.get() + front_; }
  [[nodiscard]] const char* data() const noexcept { return data_.get() + front_; }
  /// Bytes in use.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The number of bytes that fit without a new allocation. It does not count the padding.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_ - front_; }
  /// Position of the first byte in its stream, after decompression.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] byte_view bytes() const noexcept { return {data(), size_}; }

  /// The content as a chunk of source number `source`; valid until the block changes.
  [[nodiscard]] chunk records(std::uint32_t source) const noexcept {
    return {data(), size_, offset_, source};
  }

  /// Empties the block, and leaves room for `front` bytes in front of data(). prepend() can then use this
  /// room without moving the content.
  /// @throws std::bad_alloc as reserve()
  void clear(std::uint64_t front = 0);

  /// Puts bytes in front of the content.
  /// @throws std::bad_alloc as reserve()
  void prepend(byte_view bytes);

  /// Makes room for `capacity` bytes and the padding. Keeps all bytes below the old capacity. So a reader may
  /// write behind size() first, and call resize() afterwards.
  /// @throws std::bad_alloc if there is too little memory; the block is then unchanged.
  void reserve(std::uint64_t capacity);

  /// Sets size() and zeroes the padding after it. Requires size <= capacity().
  void resize(std::uint64_t size);

  void set_offset(std::uint64_t offset) noexcept { offset_ = offset; }

 private:
  struct release {
    release() noexcept : from(nullptr) {}
    explicit release(block_memory* its) noexcept : from(its) {}
    block_memory* from;
    void operator()(char* memory) const noexcept { from != nullptr ? from->give(memory) : std::free(memory); }
  };

  [[nodiscard]] bool reserve_special(std::uint64_t capacity);

  block_memory* from_ = nullptr;
  std::unique_ptr<char[], release> data_;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;  // of data_, without the padding
  std::uint64_t front_ = 0;     // bytes of data_ in front of the content
  std::uint64_t offset_ = 0;
};

}  // namespace duomap
