// Makes the memory budget of a run.
#include "core/host_provider.hpp"
#include "core/memory_budget.hpp"
#include "core/run_options.hpp"
#include "scheduler/run.hpp"

#include <cstdint>
#include <memory>

namespace duomap::scheduler {

shared_budget memory_of_run(const host_provider& host, const run_options& options, bool grouped) {
  // A grouped run holds three things at the same time: the emits, their order and the result.
  const std::uint64_t copies = grouped ? 3 : 1;
  if (options.memory > 0) return std::make_shared<memory_budget>(options.memory, copies);
  return std::make_shared<memory_budget>([&host] { return host.memory_for_results(); }, copies);
}

}  // namespace duomap::scheduler
