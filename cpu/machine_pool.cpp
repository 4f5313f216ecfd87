#include "cpu/machine_pool.hpp"

#include "core/input/compression.hpp"
#include "core/input/mapped_file.hpp"
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

// One core needs about 0.2 ms for as much text as is worth mapping; starting oneTBB's threads takes about as
// long.
bool small(const input& from) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].stored_size() || (from[i].addressable() && from[i].bytes().data == nullptr)) return false;
    // A few bytes may hold a gigabyte.
    if (!from[i].addressable() && promised_by(from[i].name()) != compression::none) return false;
  }
  return from.stored_bytes() < map_threshold;
}

/// What bounds the workers of this process, and where they are.
struct process_cores {
  std::vector<unsigned> allowed;  // CPUs
  unsigned usable;
  std::vector<numa_node> nodes;
  std::chrono::steady_clock::time_point read;
};

/// Quota and nodes stand in files of the system. Reading these takes 0.1 to 0.3 ms, as long as a short run,
/// so that they are read once a second at most. The affinity is asked for each time.
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
  if (!torture && small(from)) return std::make_unique<sequential>();
  const auto process = cores_now();
  const unsigned cores = threads > 0 ? std::min(threads, process->usable) : process->usable;
  return std::make_unique<tbb_pool>(cores, cores > 1 ? process->nodes : std::vector<numa_node>{});
}

}  // namespace duomap::cpu
