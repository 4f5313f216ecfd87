// Whether a device hangs.
#pragma once

#include "scheduler/dispatch/sharing/executor_state.hpp"
#include "scheduler/dispatch/sharing/sharing_options.hpp"

namespace duomap::scheduler {

/// Whether an executor that can be given up takes so much longer than expected with its start, a chunk or a
/// commit that others should do its grains (sharing_options::late_chunk_seconds). Any thread may ask,
/// without a lock; only with the mutex of sharing held the answer may have consequences.
[[nodiscard]] bool is_overdue(const executor_state& one, const sharing_options& how, double now) noexcept;

}  // namespace duomap::scheduler
