// The benchmark of word count against plain programs for the same task.
// host only
#pragma once

#include "core/run_control.hpp"

namespace CLI {
class App;
}

namespace duomap::apps {

void add_wordcount_bench_options(CLI::App& command);
void bench_wordcount(run_control& control);

}  // namespace duomap::apps
