// An application's benchmark with arguments that nobody typed: what suites are lists of.
// host only
#pragma once

#include "apps/bench/bench_context.hpp"
#include "apps/bench/bench_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// What `duomap bench APP ARGUMENT...` measures. Options stay set in this process, as if they had been typed.
/// @throws usage_error when there is no such benchmark, or it does not take these arguments; and what it
/// throws
[[nodiscard]] std::vector<bench_table> bench_with_arguments(std::string_view app,
                                                            std::vector<std::string> arguments,
                                                            const bench_context& context);

}  // namespace duomap::apps
