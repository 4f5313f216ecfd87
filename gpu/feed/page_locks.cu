#include "core/byte_view.hpp"
#include "core/input/mapping_registry.hpp"
#include "gpu/feed/page_locks.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>

namespace duomap::gpu {
namespace {

// A window costs one call to lock and one to unlock, and a copy is cut where windows meet. A chunk of a GPU
// is as large.
constexpr std::uint64_t window_bytes = std::uint64_t{64} << 20;
// Windows locked ahead of the copies: 256 MB, 5 ms of copying.
constexpr unsigned windows_ahead = 4;

std::uint64_t half_of_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) / 2 *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

page_locks::page_locks(int device_index, std::uint64_t most_bytes)
  : device_index_(device_index), most_bytes_(most_bytes > 0 ? most_bytes : half_of_memory()) {}

page_locks::~page_locks() {
  {
    const std::lock_guard held(mutex_);
    ending_ = true;
    ahead_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const auto& [begin, one] : windows_) {
    if (one.now == state::locked) {
      check_release(cudaHostUnregister(const_cast<char*>(begin)), "unlocking the pages of an input file");
    }
  }
}

page_locks::span page_locks::lock(const char* at, std::uint64_t bytes) {
  const byte_view mapping = mapping_extent(at);
  std::unique_lock held(mutex_);
  if (mapping.empty()) {
    if (refusal_.empty()) refusal_ = "it is not in a memory-mapped file";
    return {bytes, false};
  }
  const char* const begin = at - static_cast<std::uint64_t>(at - mapping.data) % window_bytes;
  want(begin, mapping.end());
  const auto here = windows_.find(begin);
  if (here->second.now == state::wanted) {
    std::erase(ahead_, begin);
    lock_window(held, here);
  }
  changed_.wait(held, [&] { return here->second.now != state::in_work; });

  const char* ahead = begin;
  for (unsigned i = 0; i < windows_ahead; ++i) {
    ahead += window_bytes;
    if (ahead >= mapping.end()) break;
    if (windows_.contains(ahead)) continue;
    want(ahead, mapping.end());
    ahead_.push_back(ahead);
  }
  if (!ahead_.empty() && !thread_.joinable()) thread_ = std::thread([this] { lock_ahead(); });
  changed_.notify_all();

  const auto left = static_cast<std::uint64_t>(begin + here->second.bytes - at);
  return {std::min(left, bytes), here->second.now == state::locked};
}

std::string page_locks::refusal() const {
  const std::lock_guard held(mutex_);
  return refusal_;
}

void page_locks::want(const char* begin, const char* end) {
  windows_.try_emplace(
      begin, window{std::min(window_bytes, static_cast<std::uint64_t>(end - begin)), state::wanted});
}

void page_locks::lock_window(std::unique_lock<std::mutex>& held, std::map<const char*, window>::iterator at) {
  if (at->second.bytes > most_bytes_ - locked_bytes_) {
    at->second.now = state::refused;
    refusal_ = "no more than " + std::to_string(most_bytes_ >> 20) + " MiB of pages are locked at a time";
    return;
  }
  locked_bytes_ += at->second.bytes;
  at->second.now = state::in_work;
  held.unlock();
  const cudaError_t status = cudaHostRegister(const_cast<char*>(at->first), at->second.bytes,
                                              cudaHostRegisterReadOnly | cudaHostRegisterPortable);
  if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
  held.lock();
  at->second.now = status == cudaSuccess ? state::locked : state::refused;
  if (status != cudaSuccess) {
    locked_bytes_ -= at->second.bytes;
    refusal_ = std::string("locking its pages was refused: ") + cudaGetErrorName(status) + ", " +
               cudaGetErrorString(status);
  }
  changed_.notify_all();
}

void page_locks::lock_ahead() {
  // A failure shows at the first window; nothing else depends on this thread's device.
  static_cast<void>(cudaSetDevice(device_index_));
  std::unique_lock held(mutex_);
  while (true) {
    changed_.wait(held, [this] { return ending_ || !ahead_.empty(); });
    if (ending_) return;
    const auto next = windows_.find(ahead_.front());
    ahead_.pop_front();
    lock_window(held, next);
  }
}

}  // namespace duomap::gpu
