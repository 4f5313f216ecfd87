// Decides whether a device hangs.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

namespace duomap::scheduler {

/// The interval at which a waiting thread looks for hanging devices. It decides only how late the thread
/// notices one.
inline constexpr double look_for_hanging_seconds = 0.1;

/// Whether a start, a chunk, a block or a commit of an executor that can time out has taken far longer than
/// expected, and others should do its grains (dispatch_options::late_chunk_seconds). Any thread may ask,
/// without a lock; only an answer under the dispatcher's mutex may have consequences.
[[nodiscard]] bool is_overdue(const executor_state& one, const dispatch_options& how, double now) noexcept;

}  // namespace duomap::scheduler
