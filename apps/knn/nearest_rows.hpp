// The task of k nearest neighbours: each training row with its distance to each query, of which the k best of
// each query are kept.
#pragma once

#include "apps/knn/distance.hpp"
#include "apps/knn/nearest_in_chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap {

/// Training rows are the records, queries are broadcast, and a query is a dense key.
struct nearest_rows {
  using format = rows<float>;
  using key = dense;
  using reduce = top_k<neighbour, nearer>;

  broadcast<float> queries;  ///< one after another, `columns` values each
  std::uint32_t columns = 1;
  std::uint32_t k = 1;

  [[nodiscard]] rows<float> records() const { return {.width = columns}; }
  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return queries.size / columns; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(queries); }

  DUOMAP_HD void map(const row<float>& training, auto& emit) const {
    for (std::uint64_t query = 0; query < key_count(); ++query) {
      const double distance = squared_distance(training.values, queries.data + query * columns, columns);
      emit(query, neighbour{distance, training.index});
    }
  }

  /// The same, without what cannot be among the best: rows and queries in tiles, in single precision first.
  void map_chunk(const chunk& part, auto& emit) const {
    map_nearest_in_chunk({queries.data, key_count(), columns}, part, emit);
  }
};

}  // namespace duomap
