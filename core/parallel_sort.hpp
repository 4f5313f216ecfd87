// Sorts values on a pool.
// host only
#pragma once

#include "core/config.hpp"
#include "core/parallel_partition.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace duomap {

/// Sorts `values` by `less`, a strict weak order. Some of the values, sorted, divide all values into buckets,
/// and the workers sort bucket after bucket (Frazer and McKellar, "Samplesort", JACM 17, 1970). Not stable.
/// Needs memory for a second copy. Equal values are in one bucket. Calls std::sort for one worker or few
/// values.
template <class T, class Less>
void parallel_sort(std::vector<T>& values, const Less& less, worker_pool& pool) {
  // A smaller piece is sorted faster than it is handed to another thread.
  constexpr std::uint64_t smallest_piece = torture ? 2 : 2048;
  constexpr std::uint64_t samples_per_bucket = 16;
  constexpr std::uint64_t most_buckets = 1024;
  const std::uint64_t buckets =
      std::min({std::uint64_t{pool.workers()} * 4, values.size() / smallest_piece, most_buckets});
  if (pool.workers() == 1 || buckets < 2) {
    std::sort(values.begin(), values.end(), less);
    return;
  }

  std::vector<T> bounds;  // the first value of each bucket, but not of the first bucket
  {
    const std::uint64_t count = std::min<std::uint64_t>(buckets * samples_per_bucket, values.size());
    std::vector<T> samples;
    samples.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) samples.push_back(values[values.size() * i / count]);
    std::sort(samples.begin(), samples.end(), less);
    for (std::uint64_t b = 1; b < buckets; ++b) bounds.push_back(samples[count * b / buckets]);
  }

  const auto bucket_of = [&](const T& value) {
    return std::upper_bound(bounds.begin(), bounds.end(), value, less) - bounds.begin();
  };
  const auto begins = parallel_partition(values, buckets, buckets, bucket_of, pool);
  pool.for_each_index(buckets, [&](std::uint64_t b) {
    std::sort(values.begin() + static_cast<std::ptrdiff_t>(begins[b]),
              values.begin() + static_cast<std::ptrdiff_t>(begins[b + 1]), less);
  });
}

}  // namespace duomap
