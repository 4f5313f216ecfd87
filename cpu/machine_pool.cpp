#include "cpu/machine_pool.hpp"

#include "core/input/compression.hpp"
#include "core/input/mapped_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/tbb_pool.hpp"

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

}  // namespace

std::unique_ptr<worker_pool> machine_pool(unsigned threads, const input& from) {
  if (!torture && small(from)) return std::make_unique<sequential>();
  const unsigned cores = usable_cores(threads).cores;
  return std::make_unique<tbb_pool>(cores, cores > 1 ? numa_nodes() : std::vector<numa_node>{});
}

}  // namespace duomap::cpu
