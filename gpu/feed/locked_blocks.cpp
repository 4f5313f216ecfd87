// Keeps, for each GPU, the page-locked memory into which blocks of streams are read.
#include "gpu/feed/locked_blocks.hpp"

#if DUOMAP_HAS_CUDA

#include "core/error.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/feed/locked_ranges.hpp"
#include "gpu/runtime/pinned_memory.cuh"

#include <cuda_runtime_api.h>

#include <exception>
#include <map>
#include <mutex>

namespace duomap::gpu {
namespace {

class locked_block_memory final : public block_memory {
 public:
  explicit locked_block_memory(int device_index) : device_index_(device_index) {}

  piece take(std::uint64_t bytes) noexcept override {
    try {
      // Without a current device, the allocation would make a context on the first device.
      if (cudaSetDevice(device_index_) != cudaSuccess) return {};
      const block_pool::block one = pinned_memory().take(bytes);
      state_of_gpu(device_index_).has_context = true;
      const piece given{static_cast<char*>(one.data), one.bytes};
      locked_ranges::of_this_process().add({given.data, given.bytes});
      const std::lock_guard held(mutex_);
      taken_.emplace(given.data, one);
      return given;
    } catch (const std::exception&) {
      return {};
    }
  }

  void give(char* data) noexcept override {
    std::unique_lock held(mutex_);
    const auto found = taken_.find(data);
    const block_pool::block one = found->second;
    taken_.erase(found);
    held.unlock();
    locked_ranges::of_this_process().remove({data, one.bytes});
    pinned_memory().give(one);
  }

 private:
  int device_index_;
  std::mutex mutex_;
  std::map<char*, block_pool::block> taken_;  // guarded by mutex_
};

}  // namespace

block_memory* locked_blocks(int device_index) {
  if (state_of_gpu(device_index).hanging > 0) return nullptr;
  // The objects are never destroyed, because a run that still reads at the end of the process may give its
  // blocks back.
  static std::mutex mutex;
  static auto& all = *new std::map<int, locked_block_memory>;
  const std::lock_guard held(mutex);
  return &all.try_emplace(device_index, device_index).first->second;
}

}  // namespace duomap::gpu

#else

namespace duomap::gpu {

block_memory* locked_blocks(int /*device_index*/) { return nullptr; }

}  // namespace duomap::gpu

#endif
