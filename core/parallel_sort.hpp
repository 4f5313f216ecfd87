// Sorting on a pool of workers.
// host only
#pragma once

#include "core/config.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// Sorts `values` by `less`, a strict weak order, in parallel from end to end: some of the values, sorted,
/// divide all into buckets, which are sorted one by one (Frazer and McKellar, "Samplesort", JACM 17, 1970).
/// Not stable. Takes as much memory again. Values that are all equal are one bucket. For one worker, or few
/// values, it is std::sort.
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

  std::vector<T> bounds;  // the first of each bucket but the first one
  {
    const std::uint64_t count = std::min<std::uint64_t>(buckets * samples_per_bucket, values.size());
    std::vector<T> samples;
    samples.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) samples.push_back(values[values.size() * i / count]);
    std::sort(samples.begin(), samples.end(), less);
    for (std::uint64_t b = 1; b < buckets; ++b) bounds.push_back(samples[count * b / buckets]);
  }

  // A piece of the values for each index: where they go, and how many of them to each bucket.
  const std::uint64_t pieces = buckets;
  const auto piece_begin = [&](std::uint64_t piece) {
    return values.size() * piece / pieces;
  };
  std::vector<std::uint16_t> bucket_of(values.size());
  std::vector<std::uint64_t> places(pieces * buckets);
  pool.for_each_index(pieces, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece_begin(piece); i < piece_begin(piece + 1); ++i) {
      const auto bucket = std::upper_bound(bounds.begin(), bounds.end(), values[i], less) - bounds.begin();
      bucket_of[i] = static_cast<std::uint16_t>(bucket);
      ++places[piece * buckets + bucket_of[i]];
    }
  });
  std::vector<std::uint64_t> begins(buckets + 1);
  std::uint64_t before = 0;
  for (std::uint64_t b = 0; b < buckets; ++b) {
    begins[b] = before;
    for (std::uint64_t piece = 0; piece < pieces; ++piece)
      before += std::exchange(places[piece * buckets + b], before);
  }
  begins[buckets] = before;

  std::vector<T> sorted(values.size());
  pool.for_each_index(pieces, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece_begin(piece); i < piece_begin(piece + 1); ++i)
      sorted[places[piece * buckets + bucket_of[i]]++] = std::move(values[i]);
  });
  pool.for_each_index(buckets, [&](std::uint64_t b) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begins[b]),
              sorted.begin() + static_cast<std::ptrdiff_t>(begins[b + 1]), less);
  });
  values.swap(sorted);
}

}  // namespace duomap
