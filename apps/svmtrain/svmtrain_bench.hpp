// The benchmark of support vector machines: training and classification beside LIBSVM's programs.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_svmtrain_bench_options(CLI::App& command);
void bench_svmtrain(run_control& control);

}  // namespace duomap::apps
