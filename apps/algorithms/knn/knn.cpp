#include "apps/algorithms/knn/knn.hpp"

#include "apps/algorithms/knn/nearest_rows.hpp"
#include "apps/algorithms/numeric/finite.hpp"
#include "core/add_note.hpp"
#include "duomap.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <algorithm>
#include <cmath>
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

/// Adds what a batch did to what the batches before did.
void add_report(run_report& all, run_report&& one) {
  scheduler::append_timeline(all.timeline, std::move(one.timeline), all.map_seconds + all.merge_seconds);
  all.sources = one.sources;
  all.units += one.units;
  all.map_seconds += one.map_seconds;
  all.merge_seconds += one.merge_seconds;
  all.planned_seconds += one.planned_seconds;
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

// What a batch holds at the same time on each worker, k neighbours of each query, is 64 MiB at most. Between
// two batches GPUs have nothing to do.
std::uint64_t batch_of(std::uint32_t k, device_choice device) {
  static_assert(8192 <= most_gpu_queries);
  const std::uint64_t most = device == device_choice::gpu ? most_gpu_queries : 8192;
  return std::clamp<std::uint64_t>((std::uint64_t{4} << 20) / k, 1, most);
}

/// The job without GPUs where these cannot do it.
template <class T>
job_options job_for(const knn_options& options, run_report& report) {
  job_options job = options.job;
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
  if (reason.empty()) return job;
  if (job.device == device_choice::gpu || job.device == device_choice::cpu_gpu)
    throw usage_error(reason + "; run on the CPU (--device cpu) or " + remedy);
  if (job.device == device_choice::automatic) report.notes.push_back("no GPU used: " + reason);
  job.device = device_choice::cpu;
  return job;
}

/// `Rows`: a matrix_view or a gpu_matrix of T.
template <class T, class Rows>
knn_result find_neighbours(Rows training, Rows queries, const knn_options& options) {
  require_sizes(training, queries, options.k);
  knn_result result{.k = options.k, .neighbours = {}};
  run_report report;
  const input rows = view_input(training.bytes(), "the training rows");
  const std::unique_ptr<worker_pool> pool = cpu::machine_pool(options.job.threads);
  require_finite(training, "the training rows", *pool);
  require_finite(queries, "the queries", *pool);
  result.neighbours.resize(queries.rows * options.k);
  job_options job = job_for<T>(options, report);
  const std::uint64_t batch = batch_of(options.k, job.device);
  for (std::uint64_t first = 0; first < queries.rows; first += batch) {
    const std::uint64_t count = std::min(batch, queries.rows - first);
    const auto columns = static_cast<std::uint32_t>(training.columns);
    const nearest_rows_of<T> task{
        .queries = {queries.data + first * columns, count * columns}, .columns = columns, .k = options.k};
    run_report of_batch;
    job.report = &of_batch;
    const auto nearest = run(task, rows, *pool, job);
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
  if (options.job.report != nullptr) *options.job.report = std::move(report);
  return result;
}

}  // namespace

void require_finite_distances(const knn_result& found) {
  if (std::ranges::any_of(found.neighbours, [](const neighbour& one) { return std::isinf(one.score); }))
    throw usage_error("the squared distances of these points are too large for float64; scale them");
}

knn_result knn(matrix_view<float> training, matrix_view<float> queries, const knn_options& options) {
  return find_neighbours<float>(training, queries, options);
}

knn_result knn(matrix_view<double> training, matrix_view<double> queries, const knn_options& options) {
  return find_neighbours<double>(training, queries, options);
}

knn_result knn(gpu_matrix<float> training, gpu_matrix<float> queries, const knn_options& options) {
#if DUOMAP_HAS_CUDA
  require_its_gpu(options.job.device, {}, queries.gpu, "the queries");
  require_one_gpu(training.gpu, "the training rows lie", queries.gpu, "the queries");
  return find_neighbours<float>(
      training, queries, {.k = options.k, .job = on_its_gpu(options.job, training.gpu, "the training rows")});
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
    // In the order of their nearest neighbours, so that the first of those with most votes wins.
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
