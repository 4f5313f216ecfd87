// `duomap bench matmul`: against OpenBLAS on the CPU, against cuBLAS on a GPU.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_matmul_bench_options(CLI::App& command);

/// @throws error when two answers differ
[[nodiscard]] std::vector<bench_table> bench_matmul(const bench_context& context);

}  // namespace duomap::apps
