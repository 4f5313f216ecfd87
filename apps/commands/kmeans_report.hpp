// The report of k-means, as that of any other run.
// host only
#pragma once

#include "apps/algorithms/kmeans/kmeans.hpp"
#include "core/report.hpp"

#include <cstdint>

namespace duomap::apps {

/// `bytes` of points, which `workers` threads of the CPU clustered.
[[nodiscard]] run_report kmeans_report(const kmeans_result& found, std::uint64_t bytes, unsigned workers);

}  // namespace duomap::apps
