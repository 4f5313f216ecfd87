#include "apps/bench/suites/knn_gpu_bench.hpp"

#include "apps/algorithms/knn/knn.hpp"
#include "apps/algorithms/knn/nearest_rows.hpp"
#include "apps/bench/data/made_up_rows.hpp"
#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/device_modes.hpp"
#include "apps/bench/harness/temporary_folder.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

/// What is searched for.
struct search_case {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t queries;
  std::uint32_t k;
};

constexpr std::array cases = {search_case{16'777'216, 3, 1, 20},    search_case{16'777'216, 3, 1, 1024},
                              search_case{16'777'216, 3, 8, 20},    search_case{16'777'216, 3, 100, 20},
                              search_case{16'777'216, 3, 1000, 20}, search_case{1'000'000, 32, 1000, 20},
                              search_case{60'000, 784, 1000, 10},   search_case{4'194'304, 32, 1, 20},
                              search_case{4'194'304, 32, 8, 20},    search_case{4'194'304, 32, 40, 20},
                              search_case{60'000, 784, 1, 10}};

bench_row row_of(const search_case& one, const std::string& program, device_choice device,
                 std::vector<double> seconds) {
  return {.workload = count_text(one.rows) + " x " + count_text(one.columns) + ", " +
                      (one.queries == 1 ? "1 query" : count_text(one.queries) + " queries") + ", k " +
                      count_text(one.k),
          .program = program,
          .device = device_text(device),
          .threads = cpu::usable_cores().cores,
          .seconds = std::move(seconds),
          .work = {static_cast<double>(one.rows) * static_cast<double>(one.queries), "distances"},
          .checked = true};
}

nearest_rows task_for(const search_case& one, const matrix<float>& queries) {
  return {.queries = {queries.data(), one.queries * one.columns},
          .columns = static_cast<std::uint32_t>(one.columns),
          .k = one.k};
}

/// Neighbours of all queries, to be compared: squared distances.
std::vector<neighbour> neighbours_of(const result_for<nearest_rows>& found) {
  std::vector<neighbour> all;
  found.for_each([&](std::uint64_t /*query*/, const neighbour& one) { all.push_back(one); });
  return all;
}

void add_resident(const search_case& one, const matrix<float>& training, const matrix<float>& queries,
                  unsigned rounds, bench_table& table) {
  if constexpr (gpu::has_code<nearest_rows>) {
    const nearest_rows task = task_for(one, queries);
    const auto pool = cpu::machine_pool(0, index_input(one.rows));
    const int device = gpu::discover().devices.front().index;
    auto resident = gpu::run_resident(task, device, training.view().bytes(), std::max(rounds, 3u), {}, *pool);
    const auto on_gpu = neighbours_of(make_result(task, std::move(resident.found), *pool));
    const auto on_cpu =
        neighbours_of(run(task, view_input(training.view().bytes()), *pool, {.device = device_choice::cpu}));
    require_same_answer(on_gpu == on_cpu, "the GPU", "the CPU");
    table.rows.push_back(
        row_of(one, "duomap, in the GPU's memory", device_choice::gpu, std::move(resident.seconds)));
  }
}

void add_from_host(const search_case& one, const matrix<float>& training, const matrix<float>& queries,
                   unsigned rounds, const run_control& control, bench_table& table) {
  // What a run learns is the next one's.
  const temporary_folder profiles;
  std::vector<neighbour> expected;
  const bench_row like = row_of(one, "duomap, from host memory", device_choice::automatic, {});
  const auto rows = compare_device_modes(like, rounds, control, [&](device_choice mode) {
    knn_result found;
    const job_options how{.device = mode, .profiles = profiles.path()};
    const timed_run timed{.seconds = seconds_of([&] {
                            found = knn(training.view(), queries.view(), {.k = one.k, .job = how});
                          })};
    if (expected.empty()) expected = found.neighbours;
    require_same_answer(found.neighbours == expected, "duomap on " + device_text(mode), "the first run");
    return timed;
  });
  table.rows.insert(table.rows.end(), rows.begin(), rows.end());
}

}  // namespace

std::vector<bench_table> bench_knn_on_gpu(unsigned rounds, const run_control& control) {
  // Starts CUDA, and says why where there is none.
  const std::vector<float> little(96, 1);
  static_cast<void>(knn(little, little, 3, {.k = 1, .job = {.device = device_choice::gpu}}));
  bench_table table{.name = "knn-gpu",
                    .title = "k nearest neighbours, GPU: " + gpu::discover().devices.front().name,
                    .subject = "Rows of numbers drawn uniformly; from host memory in turn",
                    .baseline = "the better device alone, from host memory",
                    .plotted = bench_axis::rate};
  for (const search_case& one : cases) {
    stop_if_cancelled(control);
    say("making " + count_text(one.rows) + " rows of " + count_text(one.columns, "number"));
    const matrix<float> training = made_up_rows(one.rows, one.columns, 1);
    const matrix<float> queries = made_up_rows(one.queries, one.columns, 2);
    add_resident(one, training, queries, rounds, table);
    if (one.queries >= 1000) add_from_host(one, training, queries, rounds, control, table);
  }
  return {table};
}

}  // namespace duomap::apps
