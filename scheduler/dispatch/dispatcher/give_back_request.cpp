// Finds the devices whose newest claim an idle executor would end much sooner.
#include "scheduler/dispatch/dispatcher/give_back_request.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace duomap::scheduler {

void request_give_back(const executor_table& all, const device_ledger& ledger, unsigned idle, double now) {
  const double idle_per_grain = all[idle].rate.seconds_per_grain();
  if (idle_per_grain == 0) return;
  for (unsigned i = 0; i < all.size(); ++i) {
    executor_state& one = all[i];
    if (i == idle || !one.is.device || !ledger.holds_uncommitted(i) || !one.takes_part()) continue;
    const std::uint32_t open = one.open.load(std::memory_order_relaxed);
    const std::uint32_t newest = ledger.newest(i);
    if (open <= newest) continue;
    const double since = now - one.progressed.load(std::memory_order_relaxed);
    const double needs = std::max(open * one.rate.seconds_per_grain(), since);
    const double instead = std::ceil(static_cast<double>(newest) / all[idle].is.workers) * idle_per_grain;
    if (needs > 2 * instead) one.wanted_back.store(true, std::memory_order_relaxed);
  }
}

}  // namespace duomap::scheduler
