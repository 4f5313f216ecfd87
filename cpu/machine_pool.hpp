// Makes the worker pool that a run gets on this machine.
#pragma once

#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <memory>

namespace duomap::cpu {

/// As many workers as the process has usable cores, at most `threads` (0: no limit), spread over NUMA nodes
/// when there are several.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads);

/// A pool for loops over an input that take little time for each byte. If the input is small (is_small()),
/// the pool has the calling thread alone. A run of a task needs no such rule, because it wakes other threads
/// only when that pays.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from);

}  // namespace duomap::cpu
