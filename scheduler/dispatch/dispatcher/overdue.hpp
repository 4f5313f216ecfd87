// Decides whether a device seems to hang.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

namespace duomap::scheduler {

/// The interval at which a waiting thread looks for hanging devices. It decides only how late a hanging
/// device is noticed.
inline constexpr double hang_check_seconds = 0.1;

/// Whether a start, a chunk, a block or a commit has taken far longer than expected, so that others should do
/// the executor's grains (dispatch_options::late_chunk_seconds). Only an executor that can time out is ever
/// overdue. Any thread may ask without a lock, but may act only on an answer under the dispatcher's mutex.
[[nodiscard]] bool is_overdue(const executor_state& one, const dispatch_options& how, double now) noexcept;

}  // namespace duomap::scheduler
