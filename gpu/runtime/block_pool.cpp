// Keeps released blocks by size, and gives them to later requests.
#include "gpu/runtime/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <exception>

namespace duomap::gpu {

block_pool::~block_pool() {
  for (const auto& [bytes, blocks] : kept_) {
    for (const block& one : blocks) from_.release(one);
  }
}

block_pool::block block_pool::take(std::uint64_t bytes) {
  const std::uint64_t size = std::bit_ceil(std::max(bytes, smallest));
  {
    const std::lock_guard held(mutex_);
    auto& blocks = kept_[size];
    if (!blocks.empty()) {
      const block one = blocks.back();
      blocks.pop_back();
      kept_bytes_ -= size;
      return one;
    }
  }
  return from_.allocate(size);
}

void block_pool::give(const block& one) noexcept {
  try {
    const std::lock_guard held(mutex_);
    if (one.bytes <= most_kept_ - kept_bytes_) {
      kept_[one.bytes].push_back(one);
      kept_bytes_ += one.bytes;
      return;
    }
  } catch (const std::exception&) {
    // No memory is left to list the block, so the block goes back to the allocator.
  }
  from_.release(one);
}

}  // namespace duomap::gpu
