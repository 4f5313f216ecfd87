#include "core/input/block.hpp"

#include "core/error.hpp"

#include <cstring>
#include <limits>
#include <new>

namespace duomap {

void block::clear(std::uint64_t front) {
  size_ = 0;
  front_ = 0;
  if (front > 0) reserve(front);
  front_ = front;
}

void block::prepend(byte_view bytes) {
  if (bytes.size > front_) {
    const std::uint64_t more = bytes.size - front_;
    reserve(size_ + more);
    std::memmove(data() + more, data(), size_);
    front_ = bytes.size;
  }
  front_ -= bytes.size;
  if (!bytes.empty()) std::memcpy(data(), bytes.data, bytes.size);
  resize(size_ + bytes.size);
}

void block::reserve(std::uint64_t capacity) {
  if (data_ != nullptr && capacity <= this->capacity()) {
    return;
  }
  if (capacity > std::numeric_limits<std::size_t>::max() - read_padding - front_) {
    throw std::bad_alloc();
  }
  capacity += front_;
  if (from_ != nullptr && reserve_special(capacity)) return;
  if (data_.get_deleter().from != nullptr) {
    // The first block for which there is no more of that memory.
    std::unique_ptr<char[], release> ordinary(static_cast<char*>(std::malloc(capacity + read_padding)));
    if (ordinary == nullptr) throw std::bad_alloc();
    std::memcpy(ordinary.get(), data_.get(), capacity_);
    data_ = std::move(ordinary);
  } else {
    // realloc, because for large blocks it moves pages instead of copying bytes.
    void* const grown = std::realloc(data_.get(), capacity + read_padding);
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<char*>(grown));
  }
  capacity_ = capacity;
}

/// Of the memory that it was told to take; false when there is none.
bool block::reserve_special(std::uint64_t capacity) {
  const block_memory::piece piece = from_->take(capacity + read_padding);
  if (piece.data == nullptr) return false;
  std::unique_ptr<char[], release> taken(piece.data, release{from_});
  if (data_ != nullptr) std::memcpy(taken.get(), data_.get(), capacity_);
  data_ = std::move(taken);
  capacity_ = piece.bytes - read_padding;
  return true;
}

void block::resize(std::uint64_t size) {
  expects(size <= capacity(), "a block cannot hold more than its capacity");
  size_ = size;
  if (data_ != nullptr) {
    std::memset(data() + size, 0, read_padding);
  }
}

}  // namespace duomap
