// How long copies to one GPU and to several at once take without duomap: what their links allow.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <vector>

namespace duomap::apps {

/// Seconds in which the GPUs, each with a part of its own, get all bytes of page-locked memory. Only in
/// builds with CUDA, as the next one.
[[nodiscard]] double time_locked_copies(const std::vector<int>& gpus, byte_view locked);

/// The same from ordinary memory: so many threads for each GPU copy 2 MiB at a time into page-locked buffers
/// of theirs, from which the GPU copies.
[[nodiscard]] double time_fed_copies(const std::vector<int>& gpus, byte_view memory, unsigned threads);

}  // namespace duomap::apps
