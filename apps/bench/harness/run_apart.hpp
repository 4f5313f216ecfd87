// A measurement in a process of its own.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

using measure_function = std::function<std::vector<bench_table>(const bench_context& context)>;

/// What measure(context) returns, called in a child process, so that no measurement meets the heap, the
/// threads or the GPU context that another one left, and may fork itself. An error of duomap's that it throws
/// is thrown here, with the same status. The caller must not have started threads.
/// @param name for messages
/// @throws error also when the child ends without a word (a signal); interrupted
[[nodiscard]] std::vector<bench_table> run_apart(const std::string& name, const measure_function& measure,
                                                 const bench_context& context);

}  // namespace duomap::apps
