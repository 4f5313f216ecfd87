// Finds the k nearest rows of all queries in device memory: chunk after chunk, with four kernels each.
#pragma once

#include "core/chunk.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/knn/nearest_candidates.cuh"
#include "numeric/knn/nearest_minima.cuh"
#include "numeric/knn/nearest_products.cuh"
#include "numeric/knn/product_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace duomap::gpu {

/// Finds nearest rows. Only one thread may use it. It queues all work on one stream.
class nearest_pass {
 public:
  /// `queries`: device memory that must stay, `query_count` (1 to most_gpu_queries) times `columns` floats.
  /// `k`: 1 to most_gpu_neighbours. `on` must outlive this.
  nearest_pass(const float* queries, std::uint64_t query_count, std::uint32_t columns, std::uint32_t k,
               const stream& on)
    : on_(on),
      multiprocessors_(device_limits::current().multiprocessors),
      limits_(2 * query_count * sizeof(float), on),
      candidates_(query_count * most_candidates_of(k) * sizeof(neighbour), on),
      counts_(2 * query_count * sizeof(unsigned), on),
      best_(query_count * k * sizeof(neighbour), on) {
    with_.queries = queries;
    with_.columns = columns;
    with_.query_count = static_cast<std::uint32_t>(query_count);
    with_.k = k;
    with_.limits = limits_.as<float>();
    with_.group_limits = with_.limits + query_count;
    with_.candidates = candidates_.as<neighbour>();
    with_.most_candidates = most_candidates_of(k);
    with_.candidate_counts = counts_.as<unsigned>();
    with_.best = best_.as<neighbour>();
    with_.best_counts = counts_.as<unsigned>() + query_count;
    forget();
    if (query_count > few_queries && columns >= least_product_columns && columns <= most_product_columns &&
        has_tensor_cores())
      prepare_products();
  }

  /// Queues the removal of all neighbours found so far.
  void forget() const {
    check(cudaMemsetAsync(counts_.as<void>(), 0, counts_.size(), on_.get()), "clearing the neighbours");
  }

  /// Makes room for a chunk of `rows` rows, and chooses the kernels for it.
  void plan(std::uint64_t rows) {
    with_.row_count = rows;
    const bool is_narrow = with_.columns <= most_narrow_columns;
    if (with_.query_count <= (is_narrow ? few_queries : few_wide_queries)) {
      plan_few(is_narrow);
    } else {
      plan_many(is_narrow);
    }
    const std::uint64_t needed =
        std::uint64_t{with_.query_count} * (with_.groups + with_.coarse_groups) * sizeof(float);
    if (minima_.size() < needed) minima_ = device_buffer(needed, on_);
    with_.minima = minima_.as<float>();
    with_.coarse = with_.minima + std::uint64_t{with_.query_count} * with_.groups;
  }

  /// Queues the search in a chunk in device memory, aligned to 16 bytes. plan() must have been called for its
  /// number of rows.
  void run(const chunk& resident) {
    with_.rows = reinterpret_cast<const float*>(resident.data);
    with_.first_index = resident.offset / (std::uint64_t{with_.columns} * sizeof(float));
    if (with_.product_squares != nullptr) {
      check(cudaMemsetAsync(with_.needs_differences, 0, grid_.y * sizeof(unsigned), on_.get()),
            "clearing which queries need differences");
      const auto products = with_.columns % 4 == 0 ? minima_of_products<true> : minima_of_products<false>;
      launch(products, {grid_, nearest_threads, 0, on_.get()}, with_, product_queries_);
      collect(with_);
    }
    // If products were enough, these kernels return at once.
    nearest_arguments differences = with_;
    differences.product_squares = nullptr;
    launch(kernel_, {grid_, nearest_threads, 0, on_.get()}, differences);
    collect(differences);
    launch(rank_candidates,
           {with_.query_count, nearest_threads, rank_room(with_.k) * sizeof(neighbour), on_.get()}, with_);
  }

  /// Queues copies to host memory: `k` neighbours of each query, sorted, and the number of them.
  void copy(neighbour* best, unsigned* counts) const {
    check(cudaMemcpyAsync(best, best_.as<void>(), best_.size(), cudaMemcpyDeviceToHost, on_.get()),
          "copying neighbours from the device");
    check(cudaMemcpyAsync(counts, with_.best_counts, with_.query_count * sizeof(unsigned),
                          cudaMemcpyDeviceToHost, on_.get()),
          "copying numbers of neighbours from the device");
  }

 private:
  using kernel = void (*)(nearest_arguments);

  static constexpr std::uint32_t most_narrow_columns = 4;
  // The most queries for passes of eight. Few queries are faster in such passes, many in tiles of 128: 40
  // queries over 4,194,304 x 32 floats take 1.65 ms in passes (H200).
  static constexpr std::uint32_t few_queries = 40;
  static constexpr std::uint32_t few_wide_queries = 16;
  static constexpr std::uint64_t most_minima = std::uint64_t{1} << 26;

  /// The fewest columns for products; with fewer, differences take no longer.
  static constexpr std::uint32_t least_product_columns = 16;

  /// Whether the kernels have code for tensor cores on this device.
  [[nodiscard]] static bool has_tensor_cores() {
    cudaFuncAttributes uses{};
    check(cudaFuncGetAttributes(&uses, minima_of_products<true>), "asking what a kernel was compiled for");
    return uses.ptxVersion >= 80;
  }

  /// Queues the rounding of the queries, which is needed once.
  void prepare_products() {
    const std::uint32_t tiles = (with_.query_count + tile_queries - 1) / tile_queries;
    const std::uint64_t padded = padded_columns(with_.columns);
    const std::uint64_t queries = std::uint64_t{tiles} * tile_queries;
    products_ =
        device_buffer((padded + queries * (padded + 1)) * sizeof(float) + tiles * sizeof(unsigned), on_);
    product_queries_.centre = products_.as<float>();
    product_queries_.rounded = product_queries_.centre + padded;
    product_queries_.squares = product_queries_.rounded + queries * padded;
    with_.product_squares = product_queries_.squares;
    with_.needs_differences = reinterpret_cast<unsigned*>(product_queries_.squares + queries);
    const auto blocks = static_cast<unsigned>(padded / detail::centre_columns + 1);
    launch(centre_of_queries, {blocks, nearest_threads, 0, on_.get()}, with_, product_queries_);
    launch(round_queries,
           {static_cast<unsigned>(queries * 32 / nearest_threads), nearest_threads, 0, on_.get()}, with_,
           product_queries_);
  }

  /// Queues the computation of the limits from the minima, and the search for rows within the limits.
  void collect(const nearest_arguments& minima) const {
    // Bundles give coarser limits than groups, so they are used only if there are many times k bundles.
    nearest_arguments limits = minima;
    if (with_.coarse_groups < 8 * with_.k) {
      limits.coarse = with_.minima;
      limits.coarse_groups = with_.groups;
    }
    if (with_.query_count < multiprocessors_ * 16) {
      launch(find_limits<many_limit_threads>, {with_.query_count, many_limit_threads, 0, on_.get()}, limits);
    } else {
      launch(find_limits<few_limit_threads>, {with_.query_count, few_limit_threads, 0, on_.get()}, limits);
    }
    const unsigned blocks = (with_.groups + nearest_threads - 1) / nearest_threads;
    launch(collect_candidates, {dim3(blocks, with_.query_count), nearest_threads, 0, on_.get()}, minima);
  }

  void plan_few(bool is_narrow) {
    const std::uint32_t passes = with_.query_count > 1 ? 8 : 1;
    kernel_ = is_narrow                ? few_kernel(with_.columns, with_.query_count)
              : with_.query_count == 1 ? minima_of_few_wide<1>
                                       : minima_of_few_wide<8>;
    with_.unit_rows = few_unit_rows;
    const std::uint64_t units = with_.row_count / few_unit_rows + 1;
    const unsigned units_at_once = is_narrow ? nearest_threads : nearest_threads / 32;
    const unsigned at_once = blocks_at_once(kernel_, nearest_threads, 0, device_limits::current());
    grid_ = {static_cast<unsigned>(std::min((units + units_at_once - 1) / units_at_once,
                                            std::uint64_t{multiprocessors_} * at_once)),
             (with_.query_count + passes - 1) / passes};
    with_.groups = grid_.x * units_at_once;
    with_.coarse_groups = is_narrow ? with_.groups / 32 : 0;
  }

  void plan_many(bool is_narrow) {
    kernel_ = is_narrow ? many_kernel(with_.columns) : minima_of_wide;
    with_.unit_rows = is_narrow ? many_unit_rows<1> : many_unit_rows<0>;
    const std::uint64_t tile_rows = std::uint64_t{tile_groups} * with_.unit_rows;
    const std::uint64_t tiles = std::max<std::uint64_t>(1, (with_.row_count + tile_rows - 1) / tile_rows);
    const std::uint32_t query_tiles = (with_.query_count + tile_queries - 1) / tile_queries;
    // There are enough blocks that the last ones leave little of the device idle. The number of groups is a
    // compromise: a query reads the minimum of each group, and then all numbers of k groups again. The two
    // together are least when the number of groups is near the root of k times all numbers.
    const std::uint64_t for_device = std::uint64_t{multiprocessors_} * 32 / query_tiles;
    const double looked_at =
        static_cast<double>(with_.k) * static_cast<double>(with_.row_count) * with_.columns;
    const auto for_rows =
        std::max<std::uint64_t>(with_.k, static_cast<std::uint64_t>(std::sqrt(looked_at) / 64));
    const std::uint64_t most = most_minima / (std::uint64_t{with_.query_count} * tile_groups);
    const std::uint64_t blocks =
        std::clamp<std::uint64_t>(std::min(std::max(for_device, for_rows), most), 1, tiles);
    grid_ = {static_cast<unsigned>(blocks), query_tiles};
    with_.groups = static_cast<std::uint32_t>(blocks) * tile_groups;
    with_.coarse_groups = 0;
  }

  // Without ties, rows in any order leave at most about 2 k candidates.
  [[nodiscard]] static constexpr std::uint32_t most_candidates_of(std::uint32_t k) { return 2 * k + 256; }

  template <std::uint32_t Columns>
  [[nodiscard]] static kernel few_kernel_of(std::uint32_t queries) {
    return queries == 1 ? minima_of_few<Columns, 1> : minima_of_few<Columns, 8>;
  }
  [[nodiscard]] static kernel few_kernel(std::uint32_t columns, std::uint32_t queries) {
    switch (columns) {
      case 1:
        return few_kernel_of<1>(queries);
      case 2:
        return few_kernel_of<2>(queries);
      case 3:
        return few_kernel_of<3>(queries);
      default:
        return few_kernel_of<4>(queries);
    }
  }
  [[nodiscard]] static kernel many_kernel(std::uint32_t columns) {
    switch (columns) {
      case 1:
        return minima_of_many<1>;
      case 2:
        return minima_of_many<2>;
      case 3:
        return minima_of_many<3>;
      default:
        return minima_of_many<4>;
    }
  }

  const stream& on_;
  unsigned multiprocessors_;
  device_buffer limits_;
  device_buffer candidates_;
  device_buffer counts_;  // counts of the candidates, then of the best
  device_buffer best_;
  device_buffer minima_;
  device_buffer products_;
  product_queries product_queries_;
  nearest_arguments with_{};
  kernel kernel_ = nullptr;
  dim3 grid_;
};

}  // namespace duomap::gpu
