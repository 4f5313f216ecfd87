// The task of k nearest neighbours: the distances of training rows to queries, of which the k best of each
// query are kept.
#pragma once

#include "apps/algorithms/knn/distance.hpp"
#include "apps/algorithms/knn/nearest_in_chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/make_backend.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace duomap {

/// Training row -> (query, its squared distance) for each query (Chen & Agrawal, HPDC 2012, section 5). Rows
/// that cannot be among the best of a query are not emitted: chunks are mapped as a whole, tiles of rows
/// against all queries (apps/algorithms/knn/nearest_in_chunk.hpp on the CPU,
/// apps/algorithms/knn/nearest_arguments.cuh on GPUs).
template <class T>
struct nearest_rows_of {
  using format = rows<T>;
  using key = dense;  ///< the query
  using reduce = top_k<neighbour, nearer>;

  broadcast<T> queries;  ///< one after another, `columns` values each; one at least
  std::uint32_t columns = 1;
  std::uint32_t k = 1;

  /// About a million distances in a grain, and whole tiles.
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

  /// A row's time goes with both.
  [[nodiscard]] std::string profile_parameters() const {
    return std::to_string(key_count()) + " x " + std::to_string(columns);
  }

  /// A core of 16 with AVX-512 took 0.24, 1.6 and 39 ns for a distance between rows of 3, 32 and 784 floats.
  [[nodiscard]] double cpu_seconds(std::uint64_t bytes, unsigned workers) const {
    return distances(bytes) * (0.1e-9 + 0.05e-9 * columns) * (sizeof(T) / sizeof(float)) / workers;
  }
  /// An H200 took 15, 12 and 16 ms for 16,777,216 of 3, 1,000,000 of 32 and 60,000 of 784, with 1000 queries.
  [[nodiscard]] double gpu_seconds(std::uint64_t bytes) const {
    return 1e-3 + static_cast<double>(bytes) / 20e9 + distances(bytes) * columns * 0.1e-12;
  }

 private:
  [[nodiscard]] double distances(std::uint64_t bytes) const {
    return static_cast<double>(bytes / (columns * sizeof(T))) * static_cast<double>(key_count());
  }
};

/// Of 32-bit floats; GPUs have code for these alone.
using nearest_rows = nearest_rows_of<float>;

/// The most neighbours of a query, and the most queries, that a GPU keeps.
inline constexpr std::uint32_t most_gpu_neighbours = 1024;
inline constexpr std::uint64_t most_gpu_queries = 32768;

}  // namespace duomap

namespace duomap::gpu {

template <>
inline constexpr bool has_code<nearest_rows> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_custom_engine<nearest_rows> = true;

}  // namespace duomap::gpu
