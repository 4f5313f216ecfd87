// Sorting on a pool of workers.
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

/// Sorts `values` by `less`, a strict weak order, in parallel from end to end: some of the values, sorted,
/// divide all into buckets, which are sorted one by one (Frazer and McKellar, "Samplesort", JACM 17, 1970).
/// Not stable. Takes the memory of the values a second time. Values that are all equal are one bucket. For
/// one worker, or few values, it calls std::sort.
template <class T, class Less>
void parallel_sort(std::vector<T>& values, const Less& less, worker_pool& pool) {
  // Below some thousand values a piece sorts faster than it is handed over.
  constexpr std::uint64_t smallest_piece = torture ? 2 : 2048;
  constexpr std::uint64_t samples_per_bucket = 16;
  constexpr std::uint64_t most_buckets = 1024;
  const std::uint64_t buckets =
      std::min({std::uint64_t{pool.workers()} * 4, values.size() / smallest_piece, most_buckets});
  if (pool.workers() == 1 || buckets < 2) {
    std::sort(values.begin(), values.end(), less);
    return;
  }

  std::vector<T> bounds;  // the first value of each bucket but the first bucket
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
