#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/pinned_memory.cuh"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <string>

namespace duomap::gpu {
namespace {

// Kinds of blocks: how the allocator got the block.
constexpr int allocated = 0;
constexpr int mapped = 1;

bool lock(const huge_pages& pages) {
  if (pages.data() == nullptr) return false;
  if (cudaHostRegister(pages.data(), pages.bytes(), cudaHostRegisterPortable) == cudaSuccess) return true;
  static_cast<void>(cudaGetLastError());
  return false;
}

class pinned_allocator final : public block_pool::allocator {
 public:
  block_pool::block allocate(std::uint64_t bytes) override {
    if (bytes >= huge_pages::page_bytes) {
      if (huge_pages pages(bytes); lock(pages)) return {pages.release(), bytes, mapped};
    }
    void* data = nullptr;
    check(cudaHostAlloc(&data, bytes, cudaHostAllocPortable),
          [&] { return "allocating " + std::to_string(bytes) + " bytes of page-locked memory"; });
    return {data, bytes, allocated};
  }

  void release(const block_pool::block& one) noexcept override {
    if (one.kind == allocated) {
      check_release(cudaFreeHost(one.data), "releasing page-locked memory");
    } else {
      check_release(cudaHostUnregister(one.data), "unlocking memory");
      ::munmap(one.data, one.bytes);
    }
  }
};

}  // namespace

block_pool& pinned_memory() {
  // The pool is never destroyed, because buffers may be returned while static objects are destroyed, and CUDA
  // may already be unloaded.
  static auto& pool = *new block_pool(*new pinned_allocator, std::uint64_t{1} << 30);
  return pool;
}

void lock_for_pool(huge_pages pages) {
  if (const std::uint64_t bytes = pages.bytes(); lock(pages))
    pinned_memory().give({pages.release(), bytes, mapped});
}

pinned_buffer::pinned_buffer(std::uint64_t bytes) : bytes_(bytes) {
  const block_pool::block block = pinned_memory().take(bytes);
  data_ = block.data;
  block_bytes_ = block.bytes;
  block_kind_ = block.kind;
}

pinned_buffer::~pinned_buffer() { pinned_memory().give({data_, block_bytes_, block_kind_}); }

}  // namespace duomap::gpu
