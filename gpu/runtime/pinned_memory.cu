#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/pinned_memory.cuh"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <string>

namespace duomap::gpu {
namespace {

constexpr std::uint64_t small_page = 4096;
constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

class pinned_allocator final : public block_pool::allocator {
 public:
  block_pool::block allocate(std::uint64_t bytes) override {
    if (void* const data = bytes >= huge_page ? lock_huge_pages(bytes) : nullptr)
      return {data, bytes, mapped};
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

 private:
  static constexpr int allocated = 0;
  static constexpr int mapped = 1;

  /// A multiple of huge pages, at such an address; nullptr when the system or the driver will not.
  static void* lock_huge_pages(std::uint64_t bytes) {
    const std::uint64_t reserved = bytes + huge_page;
    void* const all = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    char* const first = static_cast<char*>(all);
    const std::uint64_t before =
        (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
    char* const data = first + before;
    if (before > 0) ::munmap(first, before);
    ::munmap(data + bytes, huge_page - before);
    // Small pages do, too, if slower.
    static_cast<void>(::madvise(data, bytes, MADV_HUGEPAGE));
    // The pages are made here, because the driver makes them one thread at a time.
    for (std::uint64_t at = 0; at < bytes; at += small_page) static_cast<volatile char*>(data)[at] = 0;
    if (cudaHostRegister(data, bytes, cudaHostRegisterPortable) == cudaSuccess) return data;
    static_cast<void>(cudaGetLastError());
    ::munmap(data, bytes);
    return nullptr;
  }
};

}  // namespace

block_pool& pinned_memory() {
  // Never destroyed: buffers may be given back, and CUDA may be gone, when static objects end.
  static auto& pool = *new block_pool(*new pinned_allocator, std::uint64_t{1} << 30);
  return pool;
}

pinned_buffer::pinned_buffer(std::uint64_t bytes) : bytes_(bytes) {
  const block_pool::block block = pinned_memory().take(bytes);
  data_ = block.data;
  block_bytes_ = block.bytes;
  block_kind_ = block.kind;
}

pinned_buffer::~pinned_buffer() { pinned_memory().give({data_, block_bytes_, block_kind_}); }

}  // namespace duomap::gpu
