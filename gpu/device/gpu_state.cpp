// Keeps the state of this process's GPUs, and which process used CUDA first.
#include "gpu/device/gpu_state.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace duomap::gpu {
namespace {

constexpr std::size_t most_devices = 64;

std::array<gpu_state, most_devices>& all_states() {
  static std::array<gpu_state, most_devices> all;
  return all;
}

// The process that used CUDA first; 0: no process has.
std::atomic<pid_t>& cuda_user() {
  static std::atomic<pid_t> one{0};
  return one;
}

}  // namespace

gpu_state& state_of_gpu(int device_index) {
  auto& all = all_states();
  const auto index = static_cast<std::size_t>(device_index);
  return all[index < all.size() ? index : all.size() - 1];
}

bool any_context() {
  const auto& all = all_states();
  return std::any_of(all.begin(), all.end(), [](const gpu_state& one) { return one.has_context.load(); });
}

bool is_forked_after_cuda() noexcept {
  const pid_t user = cuda_user().load(std::memory_order_relaxed);
  return user != 0 && user != ::getpid();
}

void note_use_of_cuda() noexcept {
  pid_t nobody = 0;
  cuda_user().compare_exchange_strong(nobody, ::getpid());
}

bool any_hanging() {
  const auto& all = all_states();
  return std::any_of(all.begin(), all.end(), [](const gpu_state& one) { return one.hanging.load() > 0; });
}

}  // namespace duomap::gpu
