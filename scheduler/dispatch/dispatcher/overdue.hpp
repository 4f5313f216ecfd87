// Whether a device hangs.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

namespace duomap::scheduler {

/// A thread that waits for executors asks so often: this decides only how late it sees that one hangs.
inline constexpr double look_for_hanging_seconds = 0.1;

/// Whether an executor that can time out takes so much longer than expected with its start, a chunk, a
/// block or a commit that others should do its grains (dispatch_options::late_chunk_seconds). Any thread may
/// ask, without a lock; only with the dispatcher's mutex held the answer may have consequences.
[[nodiscard]] bool is_overdue(const executor_state& one, const dispatch_options& how, double now) noexcept;

}  // namespace duomap::scheduler
