// The benchmark of the inverted index: on cores, on GPUs, and on both.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_invertedindex_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_invertedindex(const bench_context& context);

}  // namespace duomap::apps
