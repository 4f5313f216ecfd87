// The worker pool a run gets on this machine.
#pragma once

#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <memory>

namespace duomap::cpu {

/// As many workers as the process has usable cores, at most `threads` (0: no limit), spread over NUMA nodes
/// when there are several.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads);

/// For loops over an input that take little time for a byte: the caller alone where it is_small(). A run of a
/// task needs no such rule: it wakes other threads only when they are worth it.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from);

}  // namespace duomap::cpu
