// The benchmark of support vector machines: training and classification beside LIBSVM's programs.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

void add_svmtrain_bench_options(CLI::App& command);
[[nodiscard]] std::vector<bench_table> bench_svmtrain(const bench_context& context);

}  // namespace duomap::apps
