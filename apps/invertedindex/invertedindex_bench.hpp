// The benchmark of the inverted index: on cores, on GPUs, and on both.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_invertedindex_bench_options(CLI::App& command);
void bench_invertedindex(run_control& control);

}  // namespace duomap::apps
