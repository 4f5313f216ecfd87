// The benchmark of string match on GPUs: from a mapped file, and with the text in device memory already.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// Patterns that are looked for together, and what a table calls them.
struct pattern_set {
  std::string name;
  std::vector<std::string> patterns;
};

/// Looks for each set in the file at `path`, `rounds` times on one GPU, then on CPU and GPU together and on
/// the CPU, and compares the matches with the CPU's. CUDA is started before the
/// clock is; everything else is inside, from opening the file to the matches in memory.
/// @throws device_unavailable when there is no GPU; error when answers differ; interrupted
[[nodiscard]] std::vector<bench_table> bench_stringmatch_on_gpu(const std::string& path,
                                                                const std::string& description,
                                                                const std::vector<pattern_set>& sets,
                                                                unsigned rounds, const run_control& control);

}  // namespace duomap::apps
