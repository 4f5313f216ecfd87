// The benchmark of word count on GPUs: from a mapped file, and with the text in device memory already.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// Counts the words of the file at `path` on one GPU `rounds` times, then on CPU and GPU together, and
/// compares the answers with the CPU's. CUDA is started before the clock is;
/// everything else is inside: opening and mapping the file, page-locked buffers, the result.
/// @throws device_unavailable when there is no GPU; error when answers differ; interrupted
[[nodiscard]] std::vector<bench_table> bench_wordcount_on_gpu(const std::string& path,
                                                              const std::string& description, unsigned rounds,
                                                              const run_control& control);

}  // namespace duomap::apps
