// Keeps the state of the GPUs in this process. host only
#pragma once

#include <atomic>

namespace duomap::gpu {

/// The state of one GPU, for all runs of the process. Reads and writes have relaxed order, because a run that
/// reads an old value finds out the right value by itself.
struct gpu_state {
  /// Whether the GPU has a context, so that later runs need not wait for one.
  std::atomic<bool> has_context{false};
  /// The number of threads whose runs gave the GPU up and whose calls into CUDA have not returned.
  std::atomic<unsigned> hanging{0};
};

/// GPUs with numbers of 64 and more share the state of number 63.
[[nodiscard]] gpu_state& state_of_gpu(int device_index);

[[nodiscard]] bool any_context();

/// Whether this process was forked from a process that had begun to use CUDA. CUDA does not work in such a
/// child.
[[nodiscard]] bool is_forked_after_cuda() noexcept;

void note_use_of_cuda() noexcept;

/// Whether any GPU has timed out and may still be working.
[[nodiscard]] bool any_hanging();

}  // namespace duomap::gpu
