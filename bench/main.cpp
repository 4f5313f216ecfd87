// Starts the program `duomap-bench`, which `duomap bench` runs.
#include "bench/bench_program.hpp"

int main(int argc, char** argv) { return duomap::apps::run_bench_program(argc, argv); }
