// Filters a chunk's rows tile by tile for rows near queries, on the CPU.
#include "numeric/knn/nearest_in_chunk.hpp"

#include "cpu/features.hpp"

#include <algorithm>
#include <cmath>

namespace duomap {

template <class T>
nearest_scan<T>::nearest_scan(const query_rows<T>& queries)
  : filter_(row_filter_for<T>(cpu::active_vector_path())),
    queries_(queries),
    tile_(std::size_t{filter_tile_rows} * queries.columns),
    limits_(queries.count, std::numeric_limits<T>::infinity()),
    sums_((queries.count + 3) / 4 * 4 * filter_tile_rows),
    hits_(most_hits_of_query * queries.count) {}

template <class T>
void nearest_scan<T>::set_limit(std::uint32_t query, double near) {
  const double limit = widened_limit<T>(near, queries_.columns);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  if (limit > static_cast<double>(std::numeric_limits<T>::max())) {
    limits_[query] = infinity;
    return;
  }
  // Rounds up to the next float, because rounding down could lose a row at the limit.
  const auto rounded = static_cast<T>(limit);
  limits_[query] = rounded < limit ? std::nextafter(rounded, infinity) : rounded;
}

template <class T>
std::span<const filter_hit> nearest_scan<T>::find(const T* rows, std::uint32_t count) {
  // A few columns at a time, so that the written part of the tile stays in the first-level cache.
  constexpr std::uint32_t strip = 16;
  for (std::uint32_t from = 0; from < queries_.columns; from += strip) {
    const std::uint32_t end = std::min(queries_.columns, from + strip);
    for (std::uint32_t r = 0; r < count; ++r) {
      const T* const row = rows + std::size_t{r} * queries_.columns;
      for (std::uint32_t c = from; c < end; ++c) tile_[std::size_t{c} * filter_tile_rows + r] = row[c];
    }
  }
  const std::size_t found = filter_.find({.tile = tile_.data(),
                                          .columns = queries_.columns,
                                          .queries = queries_.values,
                                          .query_count = static_cast<std::uint32_t>(queries_.count),
                                          .limits = limits_.data(),
                                          .sums = sums_.data(),
                                          .hits = hits_.data()});
  // A last tile that is not full has old rows, or zeros, behind its own rows.
  const std::uint64_t own = count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
  for (std::size_t i = 0; i < found; ++i) hits_[i].rows &= own;
  return {hits_.data(), found};
}

template class nearest_scan<float>;
template class nearest_scan<double>;

}  // namespace duomap
