// Gives a process whose stack the user has made small (ulimit -s) a stack that is large enough.
#pragma once

#include <functional>

namespace duomap::apps {

/// Calls `work` on a stack of at least 8 MiB and returns its result. If the process has less, `work` runs on
/// a thread of its own, and threads that are started later have 8 MiB, too.
/// @throws out_of_memory when the system starts no such thread; errors of `work`
[[nodiscard]] int on_enough_stack(const std::function<int()>& work);

}  // namespace duomap::apps
