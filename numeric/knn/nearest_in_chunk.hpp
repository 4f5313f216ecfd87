// Goes through a chunk of training rows on the CPU: a filter first compares tiles of rows with all queries.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/zeroed_memory.hpp"
#include "numeric/knn/distance.hpp"
#include "numeric/knn/row_filter.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duomap {

/// A view of queries, `columns` values each.
template <class T>
struct query_rows {
  const T* values;
  std::uint64_t count;
  std::uint32_t columns;
};

/// Looks for rows that may be near queries, tile by tile. Only one thread may use it.
template <class T>
class nearest_scan {
 public:
  explicit nearest_scan(const query_rows<T>& queries);

  /// From now on, find() may leave out rows whose squared distance to the query exceeds `near`.
  void set_limit(std::uint32_t query, double near);

  /// The hits among `count` <= filter_tile_rows rows: rows that may be near a query. Valid until the next
  /// call.
  [[nodiscard]] std::span<const filter_hit> find(const T* rows, std::uint32_t count);

  [[nodiscard]] double distance(const T* row, std::uint32_t query) const {
    return filter_.squared_distance(row, queries_.values + std::uint64_t{query} * queries_.columns,
                                    queries_.columns);
  }

 private:
  const row_filter<T>& filter_;
  query_rows<T> queries_;
  std::vector<T> tile_;
  std::vector<T> limits_;
  std::vector<T> sums_;
  std::vector<filter_hit> hits_;
};

/// Emits (query, neighbour) for every row of the chunk that may be among the best of a query. If the emitter
/// knows a bound of the kept neighbours, rows beyond it are not emitted.
template <class T, class Emit>
void map_nearest_in_chunk(const query_rows<T>& queries, const chunk& part, Emit& emit) {
  const std::uint64_t row_bytes = std::uint64_t{queries.columns} * sizeof(T);
  const std::uint64_t count = part.size / row_bytes;
  const std::uint64_t before = part.offset / row_bytes;
  const auto* const rows = reinterpret_cast<const T*>(part.data);
  nearest_scan<T> scan(queries);
  const auto follow_bound = [&](std::uint32_t query) {
    if constexpr (requires { emit.bound(query); }) {
      if (const neighbour* const bound = emit.bound(query)) scan.set_limit(query, bound->score);
    }
  };
  for (std::uint32_t query = 0; query < queries.count; ++query) follow_bound(query);
  for (std::uint64_t first = 0; first < count; first += filter_tile_rows) {
    const auto tile_rows =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(filter_tile_rows, count - first));
    for (const filter_hit& hit : scan.find(rows + first * queries.columns, tile_rows)) {
      for (std::uint64_t left = hit.rows; left != 0; left &= left - 1) {
        const std::uint64_t row = first + static_cast<unsigned>(std::countr_zero(left));
        const double distance = scan.distance(rows + row * queries.columns, hit.query);
        emit(hit.query, neighbour{distance, before + row});
      }
      follow_bound(hit.query);
    }
  }
}

}  // namespace duomap
