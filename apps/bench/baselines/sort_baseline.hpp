// What NVIDIA's library does with the same pairs: sort by key, then reduce runs of equal keys.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <vector>

namespace duomap::apps {

struct sort_baseline_run {
  std::vector<double> seconds;  ///< of each run
  std::uint64_t keys = 0;       ///< distinct ones found
};

/// CUB's radix sort and reduce-by-key over pairs in device memory, keys and values in arrays of their own, as
/// CUB wants them; that they are taken apart is not measured.
[[nodiscard]] sort_baseline_run time_sort_baseline(int device, byte_view pairs, unsigned runs);

}  // namespace duomap::apps
