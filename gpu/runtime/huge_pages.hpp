// Host memory whose pages are already allocated. host only
#pragma once

#include <cstdint>
#include <utility>

namespace duomap::gpu {

/// Owns memory for buffers that are page-locked later. Locking it is quick, because its pages exist already;
/// the driver would allocate them with one thread only.
class huge_pages {
 public:
  static constexpr std::uint64_t page_bytes = std::uint64_t{2} << 20;

  huge_pages() = default;
  /// Maps `bytes` bytes at a multiple of page_bytes; `bytes` is such a multiple too. Allocates all pages,
  /// huge ones if the system has them. Empty if the system has no memory.
  explicit huge_pages(std::uint64_t bytes);
  huge_pages(huge_pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  huge_pages& operator=(huge_pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~huge_pages();

  /// The memory, or null.
  [[nodiscard]] char* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// Gives the memory to the caller, which releases it with munmap().
  [[nodiscard]] char* release() noexcept {
    bytes_ = 0;
    return std::exchange(data_, nullptr);
  }

 private:
  char* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace duomap::gpu
