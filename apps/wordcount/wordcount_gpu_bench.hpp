// The benchmark of word count on GPUs: from a mapped file, and with the text in device memory already.
// host only
#pragma once

#include "core/run_control.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Counts the words of the file at `path` on one GPU `rounds` times, then on CPU and GPU together, and
/// compares the answers with the CPU's. Returns a table in Markdown. CUDA is started before the clock is;
/// everything else is inside: opening and mapping the file, page-locked buffers, the result.
/// @throws device_unavailable when there is no GPU; error when answers differ; interrupted
[[nodiscard]] std::string bench_wordcount_on_gpu(const std::string& path, const std::string& description,
                                                 unsigned rounds, const run_control& control);

}  // namespace duomap::apps
