// Makes the worker pool that a run gets on this machine.
#pragma once

#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <memory>

namespace duomap::cpu {

/// Makes a pool of one worker for each core that the process may use, but at most `threads` workers (0: no
/// limit). The workers are spread over the NUMA nodes.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads);

/// Makes a pool for loops over an input that take little time for each byte. For a small input (is_small()),
/// the pool has only the calling thread. The run of a task needs no such rule, because it wakes other threads
/// only when that pays.
[[nodiscard]] std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from);

}  // namespace duomap::cpu
