// What this process has done with its GPUs so far. host only
#pragma once

#include <atomic>

namespace duomap::gpu {

/// Of one GPU, for all runs of the process. Relaxed, both: a thread that reads them late starts a run that
/// finds out by itself.
struct device_in_process {
  /// Whether it has a context: later runs need not wait for one.
  std::atomic<bool> has_context{false};
  /// Threads of runs that gave it up and whose calls have not returned.
  std::atomic<unsigned> hanging{0};
};

/// GPUs with higher numbers than any machine has share the last one's.
[[nodiscard]] device_in_process& in_process(int device_index);

/// Whether any GPU has a context.
[[nodiscard]] bool any_context();

/// Whether this process was forked from one that had begun to use CUDA, which does not work in a child.
[[nodiscard]] bool is_forked_after_cuda() noexcept;

/// CUDA is used from now on.
void note_use_of_cuda() noexcept;

/// Whether any GPU has timed out and may still be at work.
[[nodiscard]] bool any_hanging();

}  // namespace duomap::gpu
