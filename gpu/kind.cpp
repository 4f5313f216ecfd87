#include "gpu/kind.hpp"

#include "gpu/device/provider.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/options.hpp"

#include <algorithm>

namespace duomap::gpu {
namespace {

// 0: as many as the feeder expects beside workers.
unsigned feeding_threads(std::span<const device_in_run> devices) {
  const bool alone = std::ranges::all_of(devices, &device_in_run::alone);
  return alone ? lone_staging_threads(usable_cores(), static_cast<unsigned>(devices.size())) : 0;
}

}  // namespace

std::shared_ptr<const backend_options> backend_options_for(std::span<const device_in_run> devices,
                                                           const job_options& options,
                                                           std::shared_ptr<collect_budget> collected) {
  struct with_cores {
    near_cores near;
    backend_options how;
  };
  const auto all = std::make_shared<with_cores>();
  for (const device_in_run& one : devices) all->near[one.is->index] = one.near_cores;
  all->how = {.engine = options.engine,
              .block_tables = options.block_tables,
              .feed = {.threads = feeding_threads(devices)},
              .cores_near = &all->near,
              .collected = std::move(collected)};
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
