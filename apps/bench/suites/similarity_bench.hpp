// `duomap bench similarity`: against NumPy on the CPU, and on a GPU.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_similarity_bench_options(CLI::App& command);

/// @throws error when two answers differ
[[nodiscard]] std::vector<bench_table> bench_similarity(const bench_context& context);

}  // namespace duomap::apps
