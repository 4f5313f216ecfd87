// The benchmark of naive Bayes' training: against the loop everybody writes first on the CPU, and on GPUs.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_naivebayes_bench_options(CLI::App& command);
void bench_naivebayes(run_control& control);

}  // namespace duomap::apps
