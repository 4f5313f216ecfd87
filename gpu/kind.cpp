#include "gpu/kind.hpp"

#include "gpu/device/provider.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/options.hpp"

namespace duomap::gpu {
namespace {

// 0: as many as the feeder expects beside workers.
unsigned feeding_threads(unsigned devices, const job_options& options) {
  return options.device == device_choice::gpu ? lone_staging_threads(usable_cores(), devices) : 0;
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
              .feed = {.threads = feeding_threads(static_cast<unsigned>(devices.size()), options)},
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
