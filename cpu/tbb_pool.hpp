// Makes the CPU's workers of oneTBB threads, with one arena per NUMA node.
#pragma once

#include "core/worker_pool.hpp"
#include "cpu/numa_node.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace duomap::cpu {

/// The workers of one run. With one worker everything runs on the calling thread and oneTBB is not touched,
/// so that a quota of one core never waits for another thread. With several nodes each worker belongs to one
/// of them, and its thread is bound to that node's CPUs while the worker's body runs (and only then), so
/// that memory it touches first is local.
class tbb_pool final : public worker_pool {
 public:
  /// The pool has exactly `workers` threads (0 counts as 1), the caller's included. It overrules oneTBB's own
  /// number of threads, upwards and downwards, for the whole process, from its first call on and as long as
  /// it lives. With two or more `nodes` the workers are spread over them in proportion to their CPUs;
  /// otherwise threads are not bound.
  explicit tbb_pool(unsigned workers, const std::vector<numa_node>& nodes = {});
  ~tbb_pool() override;

  [[nodiscard]] unsigned workers() const noexcept override;
  [[nodiscard]] double wake_seconds() const noexcept override;
  void run_workers(const std::function<void(unsigned worker)>& body) override;

  /// Position in `nodes` of the node that a worker belongs to; 0 for all workers of a pool that binds none.
  [[nodiscard]] unsigned node_of(unsigned worker) const;

 private:
  class threads;
  std::vector<unsigned> node_of_worker_;
  std::unique_ptr<threads> threads_;  // none for one worker
};

/// Whether a pool of several workers has run in this process. If not, the next one has to start oneTBB's
/// threads, which takes one to three milliseconds.
[[nodiscard]] bool threads_have_started() noexcept;

/// Workers for each node: in proportion to its CPUs, in total exactly `workers` (largest remainder; of equal
/// remainders the earlier node's). Nodes without CPUs get none, and if no node has any, the first gets all.
[[nodiscard]] std::vector<unsigned> spread_workers(unsigned workers, const std::vector<numa_node>& nodes);

/// The version of oneTBB that this was compiled with, "2021.8", and the loaded version if it is another one.
[[nodiscard]] std::string tbb_version();

}  // namespace duomap::cpu
