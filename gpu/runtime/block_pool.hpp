// Keeps released memory blocks for the next request of their size. host only
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace duomap::gpu {

/// A pool of memory blocks, over an allocator that is slow. Any thread may call any method.
class block_pool {
 public:
  struct block {
    void* data = nullptr;
    std::uint64_t bytes = 0;
    int kind = 0;  ///< lets the allocator note how it got the block
  };

  class allocator {
   public:
    virtual ~allocator() = default;
    /// Returns a block of `bytes` bytes, a power of two. Throws if there is no memory.
    [[nodiscard]] virtual block allocate(std::uint64_t bytes) = 0;
    virtual void release(const block& one) noexcept = 0;
  };

  /// The smallest block: a page.
  static constexpr std::uint64_t smallest = 4096;

  /// Keeps at most `most_kept_bytes` bytes of released blocks, and releases all others to the allocator,
  /// which must outlive the pool.
  block_pool(allocator& from, std::uint64_t most_kept_bytes) : from_(from), most_kept_(most_kept_bytes) {}
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;
  ~block_pool();

  /// Returns a block of at least `bytes` bytes, rounded up to a power of two. Throws the allocator's
  /// exceptions.
  [[nodiscard]] block take(std::uint64_t bytes);

  /// Takes back a block of take().
  void give(const block& one) noexcept;

 private:
  allocator& from_;
  std::uint64_t most_kept_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<block>> kept_;  // by size; guarded by mutex_, as is kept_bytes_
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace duomap::gpu
