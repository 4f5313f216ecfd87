// Fills in the backend options of a run on GPUs.
#include "gpu/kind.hpp"

#include "gpu/device/provider.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/options.hpp"

#include <algorithm>

namespace duomap::gpu {
namespace {

// Returns the number of feeding threads for each GPU; 0: the feeder chooses, because workers need cores too.
unsigned feeding_threads(std::span<const device_in_run> devices) {
  const bool alone = std::ranges::all_of(devices, &device_in_run::alone);
  return alone ? lone_staging_threads(usable_cores(), static_cast<unsigned>(devices.size())) : 0;
}

}  // namespace

std::shared_ptr<const backend_options> backend_options_for(std::span<const device_in_run> devices,
                                                           const run_options& options, shared_budget memory) {
  struct with_cores {
    near_cores near;
    backend_options how;
  };
  const auto all = std::make_shared<with_cores>();
  for (const device_in_run& one : devices) all->near[one.is->index] = one.near_cores;
  all->how = {.engine = options.gpu.engine,
              .block_tables = options.gpu.block_tables,
              .feed = {.threads = feeding_threads(devices)},
              .cores_near = &all->near,
              .memory = std::move(memory)};
  return {all, &all->how};
}

std::vector<int> indices_of(std::span<const device_in_run> devices) {
  std::vector<int> indices;
  for (const device_in_run& one : devices) indices.push_back(one.is->index);
  return indices;
}

const device_provider& kind::provider() { return gpu::provider(); }

void kind::note_started(int index) { gpu::note_started(index); }

}  // namespace duomap::gpu
