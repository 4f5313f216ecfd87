// The benchmark of string match: beside ripgrep and grep on the CPU, or on a GPU.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_stringmatch_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_stringmatch(const bench_context& context);

}  // namespace duomap::apps
