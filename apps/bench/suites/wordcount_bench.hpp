// The benchmark of word count against plain programs for the same task.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_wordcount_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_wordcount(const bench_context& context);

}  // namespace duomap::apps
