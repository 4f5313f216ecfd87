// Makes the report of k-means in the form that all runs share.
// host only
#pragma once

#include "core/report.hpp"
#include "numeric/kmeans/kmeans.hpp"

#include <cstdint>

namespace duomap::apps {

/// `bytes`: the size of the points. `workers`: the CPU threads that clustered them.
[[nodiscard]] run_report kmeans_report(const kmeans_result& found, std::uint64_t bytes, unsigned workers);

}  // namespace duomap::apps
