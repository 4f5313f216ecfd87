// The benchmark of string match: beside ripgrep and grep on the CPU, or on a GPU.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_stringmatch_bench_options(CLI::App& command);
void bench_stringmatch(run_control& control);

}  // namespace duomap::apps
