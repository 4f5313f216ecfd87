// Finds nearest neighbours batch by batch, scales doubles whose squares do not fit, and takes votes.
#include "numeric/knn/knn.hpp"

#include "core/add_note.hpp"
#include "duomap.hpp"
#include "numeric/common/finite.hpp"
#include "numeric/knn/nearest_rows.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace duomap {
namespace {

template <class Rows>
void require_sizes(const Rows& training, const Rows& queries, std::uint32_t k) {
  const auto text = [](std::uint64_t number) {
    return std::to_string(number);
  };
  if (k == 0) throw usage_error("k nearest neighbours need k of 1 at least");
  if (training.columns == 0) throw usage_error("the training rows have no columns");
  if (training.columns > most_columns)
    throw usage_error("the training rows have " + text(training.columns) + " columns; at most " +
                      text(most_columns) + " can be told apart");
  if (k > training.rows)
    throw usage_error("k is " + text(k) + ", but there are only " + text(training.rows) +
                      " training rows; take a smaller k");
  if (queries.rows > 0 && queries.columns != training.columns)
    throw usage_error("queries have " + text(queries.columns) + " columns, training rows " +
                      text(training.columns) + "; both need the same");
}

/// Adds the report of one batch to the report of all batches.
void add_report(run_report& all, run_report&& one) {
  scheduler::append_timeline(all.timeline, std::move(one.timeline), all.map_seconds + all.merge_seconds);
  all.sources = one.sources;
  all.units += one.units;
  all.map_seconds += one.map_seconds;
  all.merge_seconds += one.merge_seconds;
  all.degraded = all.degraded || one.degraded;
  for (executor_report& next : one.executors) {
    const auto same = std::ranges::find(all.executors, next.name, &executor_report::name);
    if (same == all.executors.end()) {
      all.executors.push_back(std::move(next));
      continue;
    }
    same->chunks += next.chunks;
    same->units += next.units;
    same->busy_seconds += next.busy_seconds;
    same->wait_seconds += next.wait_seconds;
    same->copy_seconds += next.copy_seconds;
    same->compute_seconds += next.compute_seconds;
    if (!next.trouble.empty()) same->trouble = next.trouble;
  }
  for (std::string& note : one.notes) {
    add_note(all.notes, std::move(note));
  }
}

// The number of queries of a batch. On each worker, the k neighbours of all queries of a batch take at most
// 64 MiB. Batches for GPUs are larger, because GPUs have nothing to do between two batches.
std::uint64_t batch_of(std::uint32_t k, device_choice device) {
  static_assert(8192 <= most_gpu_queries);
  const std::uint64_t most = device == device_choice::gpu ? most_gpu_queries : 8192;
  return std::clamp<std::uint64_t>((std::uint64_t{4} << 20) / k, 1, most);
}

/// Removes GPUs from the options if they cannot find these neighbours.
template <class T>
run_options run_options_of(const knn_options& options, run_report& report) {
  run_options how = options.run;
  std::string reason, remedy;
  if (options.k > most_gpu_neighbours) {
    reason = "a GPU keeps at most " + std::to_string(most_gpu_neighbours) +
             " neighbours of a query, and k is " + std::to_string(options.k);
    remedy = "take a smaller k";
  }
  if (sizeof(T) > sizeof(float)) {
    reason = "GPUs find the nearest of rows of 32-bit floats, and these are of 64 bits";
    remedy = "take 32-bit floats";
  }
  if (reason.empty()) return how;
  if (how.device == device_choice::gpu || how.device == device_choice::cpu_gpu)
    throw usage_error(reason + "; run on the CPU (--device cpu) or " + remedy);
  if (how.device == device_choice::automatic) report.notes.push_back("no GPU used: " + reason);
  how.device = device_choice::cpu;
  return how;
}

/// `Rows`: a matrix_view or a gpu_matrix of T.
template <class T, class Rows>
knn_result find_neighbours(Rows training, Rows queries, const knn_options& options) {
  require_sizes(training, queries, options.k);
  knn_result result{.k = options.k, .neighbours = {}};
  run_report report;
  const input rows = view_input(training.bytes(), "the training rows");
  const std::unique_ptr<worker_pool> pool = cpu::machine_pool(options.run.threads);
  require_finite(training, "the training rows", *pool);
  require_finite(queries, "the queries", *pool);
  result.neighbours.resize(queries.rows * options.k);
  run_options how = run_options_of<T>(options, report);
  const std::uint64_t batch = batch_of(options.k, how.device);
  for (std::uint64_t first = 0; first < queries.rows; first += batch) {
    const std::uint64_t count = std::min(batch, queries.rows - first);
    const auto columns = static_cast<std::uint32_t>(training.columns);
    const nearest_rows_of<T> task{
        .queries = {queries.data + first * columns, count * columns}, .columns = columns, .k = options.k};
    run_report of_batch;
    how.report = &of_batch;
    const auto nearest = run(task, rows, *pool, how);
    pool->for_each_index(count, [&](std::uint64_t query) {
      const std::vector<neighbour> best = nearest[query];
      std::ranges::transform(
          best, result.neighbours.begin() + static_cast<std::ptrdiff_t>((first + query) * options.k),
          [](const neighbour& one) {
            return neighbour{std::sqrt(one.score), one.index};
          });
    });
    add_report(report, std::move(of_batch));
  }
  report.results = queries.rows;
  if (options.run.report != nullptr) *options.run.report = std::move(report);
  return result;
}

// Smaller distances have squares that lose digits, or are 0. The limit has a wide margin for the sum of
// most_columns squares.
constexpr double least_distance = 0x1p-480;

/// Whether no neighbour's squared distance has overflowed or underflowed. Different rows must have a distance
/// above least_distance.
bool holds_squares(const knn_result& found, matrix_view<double> training, matrix_view<double> queries) {
  for (std::uint64_t query = 0; query < found.queries(); ++query) {
    for (const neighbour& one : found.of(query)) {
      if (std::isinf(one.score)) return false;
      if (one.score < least_distance && !std::ranges::equal(training.row(one.index), queries.row(query)))
        return false;
    }
  }
  return true;
}

/// Returns the exponent of the power of two that scales the rows. It leaves room above the largest distance
/// found, or above the largest possible distance if one found is infinite. Scaled numbers stay finite.
int exponent_of_scale(const knn_result& found, matrix_view<double> training, matrix_view<double> queries) {
  const auto larger = [](double largest, double one) {
    return std::max(largest, std::abs(one));
  };
  double largest = std::accumulate(training.values().begin(), training.values().end(), 0.0, larger);
  largest = std::accumulate(queries.values().begin(), queries.values().end(), largest, larger);
  double farthest = 0x1p-537;  // smaller distances have squares of 0
  for (const neighbour& one : found.neighbours) farthest = std::max(farthest, one.score);
  constexpr int room = 500;  // twice this, plus the exponent of the number of columns, is below 1024
  const int exponent_of_largest = std::ilogb(largest);
  if (std::isinf(farthest)) return room - exponent_of_largest - 12;  // 2 sqrt(most_columns) is 2^11
  const int most = std::numeric_limits<double>::max_exponent - 2 - exponent_of_largest;
  return std::min(most, room - std::ilogb(farthest));
}

matrix<double> scaled(matrix_view<double> rows, int exponent) {
  matrix<double> all(rows.rows, rows.columns, "the rows, scaled");
  std::ranges::transform(rows.values(), all.data(), [&](double x) { return std::ldexp(x, exponent); });
  return all;
}

}  // namespace

knn_result knn(matrix_view<float> training, matrix_view<float> queries, const knn_options& options) {
  return find_neighbours<float>(training, queries, options);
}

knn_result knn(matrix_view<double> training, matrix_view<double> queries, const knn_options& options) {
  knn_result found = find_neighbours<double>(training, queries, options);
  if (holds_squares(found, training, queries)) return found;
  const int exponent = exponent_of_scale(found, training, queries);
  const matrix<double> known = scaled(training, exponent), asked = scaled(queries, exponent);
  found = find_neighbours<double>(known.view(), asked.view(), options);
  if (!holds_squares(found, training, queries))
    throw usage_error(
        "some of these rows are so far away and others so close together that float64 cannot hold the "
        "squares "
        "of both distances; scale columns, or leave out the farthest rows");
  for (neighbour& one : found.neighbours) one.score = std::ldexp(one.score, -exponent);
  return found;
}

knn_result knn(gpu_matrix<float> training, gpu_matrix<float> queries, const knn_options& options) {
#if DUOMAP_HAS_CUDA
  require_device_of_matrix(options.run.device, {}, queries.gpu, "the queries");
  require_one_gpu(training.gpu, "the training rows lie", queries.gpu, "the queries");
  return find_neighbours<float>(
      training, queries, {.k = options.k, .run = on_its_gpu(options.run, training.gpu, "the training rows")});
#else
  static_cast<void>(training), static_cast<void>(queries), static_cast<void>(options);
  throw device_unavailable(no_code_for_gpu_matrices);
#endif
}

std::vector<std::uint32_t> vote(const knn_result& found, std::span<const std::uint32_t> class_of_row) {
  struct tally {
    std::uint32_t name;
    std::uint32_t votes;
  };
  std::vector<std::uint32_t> winners;
  std::vector<tally> tallies;
  for (std::uint64_t query = 0; query < found.queries(); ++query) {
    // Classes are tallied in the order of their nearest neighbours, so the first class with most votes wins.
    tallies.clear();
    for (const neighbour& one : found.of(query)) {
      const std::uint32_t name = class_of_row[one.index];
      const auto known = std::ranges::find(tallies, name, &tally::name);
      if (known != tallies.end()) {
        ++known->votes;
      } else {
        tallies.push_back({name, 1});
      }
    }
    winners.push_back(std::ranges::max_element(tallies, {}, &tally::votes)->name);
  }
  return winners;
}

}  // namespace duomap
