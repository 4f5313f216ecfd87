// Makes oneTBB's threads the workers of the CPU, with one arena per NUMA node.
#pragma once

#include "core/worker_pool.hpp"
#include "cpu/numa_node.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace duomap::cpu {

/// The workers of one run. With one worker, everything runs on the calling thread without oneTBB, so that a
/// quota of one core never waits for another thread. With several NUMA nodes, each worker belongs to one
/// node. Its thread is bound to that node's CPUs, but only while the worker's body runs. So the memory that a
/// worker touches first is local.
class tbb_pool final : public worker_pool {
 public:
  /// The pool has exactly `workers` threads (0 counts as 1), including the caller's thread. From its first
  /// call until its end, the pool overrules oneTBB's number of threads for the whole process, upwards and
  /// downwards. With two or more `nodes`, the workers are spread over them in proportion to their CPUs.
  /// Otherwise threads are not bound.
  explicit tbb_pool(unsigned workers, const std::vector<numa_node>& nodes = {});
  ~tbb_pool() override;

  [[nodiscard]] unsigned workers() const noexcept override;
  [[nodiscard]] double wake_seconds() const noexcept override;
  void run_workers(const std::function<void(unsigned worker)>& body) override;

  /// The index in `nodes` of the node that a worker belongs to; 0 for all workers of a pool that binds none.
  [[nodiscard]] unsigned node_of(unsigned worker) const;

 private:
  class threads;
  std::vector<unsigned> node_of_worker_;
  std::unique_ptr<threads> threads_;  // none if there is only one worker
};

/// Whether a pool of several workers has run in this process. If not, the next such pool must start oneTBB's
/// threads, which takes one to three milliseconds.
[[nodiscard]] bool threads_have_started() noexcept;

/// The number of workers for each node: in proportion to its CPUs, and in total exactly `workers`. The
/// largest remainders are rounded up, with earlier nodes first. Nodes without CPUs get no workers. If no node
/// has CPUs, the first node gets all workers.
[[nodiscard]] std::vector<unsigned> spread_workers(unsigned workers, const std::vector<numa_node>& nodes);

/// The version of oneTBB at compile time, "2021.8", and the loaded version if that is another one.
[[nodiscard]] std::string tbb_version();

}  // namespace duomap::cpu
