// Divides the GPUs' share among devices and the rest among pools.
#include "scheduler/dispatch/shares_by_hand.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstddef>

namespace duomap::scheduler {

std::vector<double> shares_by_hand(double gpu_share, std::span<const executor_config> configs) {
  const auto devices =
      std::count_if(configs.begin(), configs.end(), [](const auto& one) { return one.device; });
  const auto pools = static_cast<std::ptrdiff_t>(configs.size()) - devices;
  const double cpu_share = 1 - gpu_share;
  if (pools == 0 && cpu_share > 0)
    throw usage_error("the CPU was given a share, and takes no part in this run");
  if (devices == 0 && gpu_share > 0)
    throw usage_error("GPUs were given a share, and take no part in this run");
  std::vector<double> shares;
  for (const executor_config& one : configs)
    shares.push_back(one.device ? gpu_share / static_cast<double>(devices)
                                : cpu_share / static_cast<double>(pools));
  return shares;
}

}  // namespace duomap::scheduler
