// The CPU's way through a chunk of training rows: tiles of them against all queries, by a filter first.
// host only
#pragma once

#include "apps/algorithms/knn/distance.hpp"
#include "apps/algorithms/knn/row_filter.hpp"
#include "core/chunk.hpp"
#include "core/zeroed_memory.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duomap {

/// Queries, one after another, `columns` values each.
template <class T>
struct query_rows {
  const T* values;
  std::uint64_t count;
  std::uint32_t columns;
};

/// Looks for rows that may be near queries, tile by tile. Used by one thread.
template <class T>
class nearest_scan {
 public:
  explicit nearest_scan(const query_rows<T>& queries);

  /// Rows whose squared distance to the query exceeds `near` are not wanted from now on.
  void set_limit(std::uint32_t query, double near);

  /// What of `count` <= filter_tile_rows rows may be wanted; valid until the next call.
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

/// Emits (query, neighbour) for every row of the chunk that may be among the best of a query. An emitter that
/// knows the bound of what is kept spares itself the others.
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
