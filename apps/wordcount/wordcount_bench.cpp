#include "apps/wordcount/wordcount_bench.hpp"
namespace duomap::apps {
void add_wordcount_bench_options(CLI::App&) {}
void bench_wordcount(run_control&) {}
}
