// The worker pool a run gets on this machine.
#pragma once

#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <memory>

namespace duomap::cpu {

/// Workers for a run over `from`: as many as the process has usable cores, at most `threads` (0: no limit),
/// spread over NUMA nodes when there are several. One worker, the caller, when the input is too small to be
/// worth waking threads for.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from);

}  // namespace duomap::cpu
