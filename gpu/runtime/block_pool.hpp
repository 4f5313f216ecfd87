// Keeps released memory blocks for the next request of their size. host only
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace duomap::gpu {

/// A pool over any allocator whose blocks are slow to get. Any thread may call any method.
class block_pool {
 public:
  struct block {
    void* data = nullptr;
    std::uint64_t bytes = 0;
    int kind = 0;  ///< for the allocator: how it got the block
  };

  /// Where blocks come from.
  class allocator {
   public:
    virtual ~allocator() = default;
    /// A block of `bytes` bytes, a power of two; throws when there is none.
    [[nodiscard]] virtual block allocate(std::uint64_t bytes) = 0;
    virtual void release(const block& one) noexcept = 0;
  };

  /// Smallest block: a page.
  static constexpr std::uint64_t smallest = 4096;

  /// Keeps `most_kept_bytes` bytes of released blocks; more go back to the allocator, which must outlive the
  /// pool.
  block_pool(allocator& from, std::uint64_t most_kept_bytes) : from_(from), most_kept_(most_kept_bytes) {}
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;
  ~block_pool();

  /// At least `bytes` bytes, rounded up to a power of two. Throws what the allocator throws.
  [[nodiscard]] block take(std::uint64_t bytes);

  /// Takes back what take() gave.
  void give(const block& one) noexcept;

 private:
  allocator& from_;
  std::uint64_t most_kept_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<block>> kept_;  // by size; guarded by mutex_, as is their sum
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace duomap::gpu
