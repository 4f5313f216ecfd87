// Times copies to one GPU and to several at once without duomap: the limit that the links set.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <vector>

namespace duomap::apps {

/// Copies page-locked memory to the GPUs, an equal part to each, and returns the seconds. This function and
/// time_staged_copies() exist only in builds with CUDA.
[[nodiscard]] double time_locked_copies(const std::vector<int>& gpus, byte_view locked);

/// Copies ordinary memory to the GPUs and returns the seconds. For each GPU `threads` threads copy pieces of
/// 2 MiB into page-locked buffers, from which the GPU copies.
[[nodiscard]] double time_staged_copies(const std::vector<int>& gpus, byte_view memory, unsigned threads);

}  // namespace duomap::apps
