// Sums pairs by key with NVIDIA's CUB: sorts by key, then reduces runs of equal keys.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <vector>

namespace duomap::apps {

struct sort_baseline_run {
  std::vector<double> seconds;  ///< one for each run
  std::uint64_t keys = 0;       ///< distinct keys found
};

/// Times CUB's radix sort and reduce-by-key over pairs in device memory. CUB wants keys and values in
/// separate arrays; the time to separate them is not measured.
[[nodiscard]] sort_baseline_run time_sort_baseline(int device, byte_view pairs, unsigned runs);

}  // namespace duomap::apps
