// Declares the task of k nearest neighbours, which maps training rows to their distances to queries, and
// keeps the k best rows of each query.
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/knn/distance.hpp"
#include "numeric/knn/nearest_in_chunk.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace duomap {

/// Training row -> (query, its squared distance) for each query (Chen & Agrawal, HPDC 2012, section 5). The
/// map leaves out rows that cannot be among the best of a query. It maps whole chunks, tiles of rows against
/// all queries (numeric/knn/nearest_in_chunk.hpp on the CPU, numeric/knn/nearest_arguments.cuh on GPUs).
template <class T>
struct nearest_rows_of {
  using format = rows<T>;
  using key = dense;  ///< the query
  using reduce = top_k<neighbour, nearer>;

  broadcast<T> queries;  ///< `columns` values for each query; at least one query
  std::uint32_t columns = 1;
  std::uint32_t k = 1;

  /// A grain has about a million distances, in whole tiles.
  [[nodiscard]] format records() const {
    const std::uint64_t most = std::max<std::uint64_t>(1, std::uint64_t{64} * 1024 / (columns * sizeof(T)));
    const std::uint64_t wanted = std::min(most, (std::uint64_t{1} << 20) / key_count());
    const std::uint64_t tiles = std::max<std::uint64_t>(1, wanted / filter_tile_rows);
    return {.width = columns, .rows_per_grain = tiles * filter_tile_rows};
  }
  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return queries.size / columns; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(queries); }

  void map_chunk(const chunk& part, auto& emit) const {
    map_nearest_in_chunk(query_rows<T>{queries.data, key_count(), columns}, part, emit);
  }

  /// The time for a row depends on the numbers of queries and of columns.
  [[nodiscard]] std::string profile_parameters() const {
    return std::to_string(key_count()) + " x " + std::to_string(columns);
  }

  /// Each of 16 cores with AVX-512 took 0.24 to 39 ns for a distance between rows of 3 to 784 floats.
  [[nodiscard]] double cpu_seconds(std::uint64_t bytes, unsigned workers) const {
    return distances(bytes) * (0.1e-9 + 0.05e-9 * columns) * (sizeof(T) / sizeof(float)) / workers;
  }
  /// An H200 took 12 to 16 ms for 1000 queries against 16,777,216 rows of 3 floats, 1,000,000 of 32, or
  /// 60,000 of 784.
  [[nodiscard]] double gpu_seconds(std::uint64_t bytes) const {
    return 1e-3 + static_cast<double>(bytes) / 20e9 + distances(bytes) * columns * 0.1e-12;
  }

 private:
  [[nodiscard]] double distances(std::uint64_t bytes) const {
    return static_cast<double>(bytes / (columns * sizeof(T))) * static_cast<double>(key_count());
  }
};

/// The task over 32-bit floats, the only one with GPU code.
using nearest_rows = nearest_rows_of<float>;

/// The most neighbours of a query, and the most queries, that a GPU can keep.
inline constexpr std::uint32_t most_gpu_neighbours = 1024;
inline constexpr std::uint64_t most_gpu_queries = 32768;

}  // namespace duomap

namespace duomap::gpu {

template <>
inline constexpr bool has_code<nearest_rows> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_custom_engine<nearest_rows> = true;

}  // namespace duomap::gpu
