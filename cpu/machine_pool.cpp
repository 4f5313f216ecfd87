// Reads quota and nodes at most once a second, and makes pools for the CPUs of this process.
#include "cpu/machine_pool.hpp"

#include "cpu/affinity.hpp"
#include "cpu/cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/tbb_pool.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace duomap::cpu {
namespace {

/// The CPUs and nodes that this process may use, and when they were read.
struct process_cores {
  std::vector<unsigned> allowed;  // CPUs
  unsigned usable;
  std::vector<numa_node> nodes;
  std::chrono::steady_clock::time_point read;
};

/// The CPUs and nodes of now. The quota and the nodes are in files. Reading these takes 0.1 to 0.3 ms, as
/// long as a short run, so they are read at most once a second. The affinity is read each time.
std::shared_ptr<const process_cores> cores_now() {
  constexpr std::chrono::seconds lifetime{1};
  static std::mutex mutex;
  static std::shared_ptr<const process_cores> last;
  std::vector<unsigned> allowed = allowed_cpus();
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard held(mutex);
  if (last == nullptr || now - last->read >= lifetime || last->allowed != allowed) {
    std::vector<numa_node> nodes = numa_nodes(allowed);
    last = std::make_shared<const process_cores>(
        process_cores{std::move(allowed), usable_cores().cores, std::move(nodes), now});
  }
  return last;
}

}  // namespace

std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from) {
  if (is_small(from)) return std::make_unique<sequential>();
  return machine_pool(threads);
}

std::unique_ptr<worker_pool> machine_pool(unsigned threads) {
  const auto process = cores_now();
  const unsigned cores = threads > 0 ? std::min(threads, process->usable) : process->usable;
  return std::make_unique<tbb_pool>(cores, cores > 1 ? process->nodes : std::vector<numa_node>{});
}

}  // namespace duomap::cpu
