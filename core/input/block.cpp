#include "core/input/block.hpp"

#include "core/error.hpp"

#include <cstring>
#include <limits>
#include <new>

namespace duomap {

void block::reserve(std::uint64_t capacity) {
  if (data_ != nullptr && capacity <= capacity_) {
    return;
  }
  if (capacity > std::numeric_limits<std::size_t>::max() - read_padding) {
    throw std::bad_alloc();
  }
  // realloc, because for large blocks it moves pages instead of copying bytes.
  void* const grown = std::realloc(data_.get(), capacity + read_padding);
  if (grown == nullptr) {
    throw std::bad_alloc();
  }
  static_cast<void>(data_.release());
  data_.reset(static_cast<char*>(grown));
  capacity_ = capacity;
}

void block::resize(std::uint64_t size) {
  expects(size <= capacity_, "a block cannot hold more than its capacity");
  size_ = size;
  if (data_ != nullptr) {
    std::memset(data_.get() + size, 0, read_padding);
  }
}

}  // namespace duomap
