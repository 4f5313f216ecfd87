// The benchmark of page view count: every request and unique views, against gawk on the CPU, and on GPUs.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_pageviewcount_bench_options(CLI::App& command);
void bench_pageviewcount(run_control& control);

}  // namespace duomap::apps
