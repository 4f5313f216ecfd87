// Asks busy devices to give grains back to an idle executor.
#pragma once

#include "scheduler/dispatch/dispatcher/device_ledger.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

namespace duomap::scheduler {

/// Sets executor_state::wanted_back of a device if executor `idle` could do the device's newest claim much
/// sooner. Such a device has more than one claim in hand, and needs more than twice as long for its open
/// grains as `idle` for the newest claim. Called with the dispatcher's mutex held, which guards the ledger.
void request_give_back(const executor_table& all, const device_ledger& ledger, unsigned idle, double now);

}  // namespace duomap::scheduler
