// Tests bench/scheduling: the benchmark compares answers, and its counts and figures are right.
#include "bench/scheduling/cell.hpp"
#include "bench/scheduling/overhead.hpp"
#include "bench/scheduling/paired_ratio.hpp"
#include "bench/scheduling/set_cost.hpp"
#include "bench/scheduling/solo_splits.hpp"
#include "bench/scheduling/tables.hpp"
#include "bench/scheduling/workload.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "cpu/tbb_pool.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::bench_scheduling_scheduling_test {
namespace {

using apps::cell;
using apps::series;

series synthetic(const std::string& name, const std::vector<double>& seconds) {
  series one{.name = name};
  for (const double each : seconds) one.runs.push_back({.seconds = each});
  return one;
}

// A cell whose rounds took 4 s on the CPU, 1 s on the GPU, and `both` seconds on both.
cell synthetic_cell(double both = 1) {
  cell one{"task", 1 << 20, {}, {}, {}, 0};
  one.all.push_back(synthetic("cpu", {4, 4, 4}));
  one.all.push_back(synthetic("gpu", {1, 1, 1}));
  one.all.push_back(synthetic("auto", {2, 2, 2}));
  one.all.push_back(synthetic("cpu+gpu", {both, both, both}));
  return one;
}

executor_report did(executor_kind kind, std::uint64_t units, std::uint64_t chunks) {
  executor_report one;
  one.kind = kind;
  one.units = units;
  one.chunks = chunks;
  return one;
}

std::vector<char> points(std::uint64_t bytes, worker_pool& pool) {
  std::vector<char> all(bytes);
  apps::fill_with_points(all.data(), bytes, 7, pool);
  return all;
}

}  // namespace

TEST_CASE("a paired ratio is the median of the rounds' ratios", "[bench]") {
  const series slow = synthetic("slow", {2, 40, 6});
  const series fast = synthetic("fast", {1, 10, 3});
  const auto ratio = apps::ratio_of(slow, fast);
  CHECK(ratio.value == 2);
  CHECK(ratio.error == 0);  // two of three agree
  CHECK(apps::ratio_of(slow, slow).value == 1);
  CHECK(apps::ratio_of(synthetic("near", {1, 1.25, 1.5}), synthetic("one", {1, 1, 1})).error > 0);
}

TEST_CASE("a cell's figures", "[bench]") {
  cell one = synthetic_cell();
  CHECK(one.best_alone().name == "gpu");
  CHECK(one.gain("cpu+gpu").value == 1);
  CHECK(one.gain("auto").value == 0.5);
  CHECK(one.slower_to_faster() == 0.25);
  CHECK(one.efficiency("cpu+gpu") == Approx(0.8));  // 4/5 s with both at full speed
  CHECK(one.regret("cpu+gpu") == 0);
  one.best_name = "gpu=0.750";
  one.all.push_back(synthetic(one.best_name, {0.8, 0.8, 0.8}));
  CHECK(one.regret("cpu+gpu") == Approx(0.25));
  CHECK(one.find("mars") == nullptr);
  one.all[3].runs.back().report.executors = {did(executor_kind::pool, 100, 1),
                                             did(executor_kind::device, 300, 1)};
  CHECK(one.gpu_part() == 0.75);
}

TEST_CASE("other systems' shares: Mars sees what each side takes for everything, Qilin what of that is fixed",
          "[bench]") {
  // The GPU takes 10 ms and 1 us a byte, the CPU 1 us a byte.
  const auto both = [](double bytes) {
    return apps::solo_times{.bytes = bytes, .cpu = 1e-6 * bytes, .gpu = 10e-3 + 1e-6 * bytes};
  };
  CHECK(apps::gpu_share_of_mars(both(10'000)) == Approx(1.0 / 3));
  CHECK(apps::gpu_share_of_qilin(both(5'000), both(20'000)) == Approx(0.25));
  CHECK(apps::gpu_share_of_qilin(both(1'000), both(5'000)) == 0);  // the CPU is done before the GPU begins
  // Times that do not grow, or grow by chance more than the sizes do.
  CHECK(apps::gpu_share_of_qilin({1, 3, 1}, {2, 3, 1}) == 0.75);
  CHECK(apps::gpu_share_of_qilin({1, 1, 1}, {2, 3, 3}) == 0.5);
}

TEST_CASE("the table of scheduling has every way of every cell, and how they stand to the bars", "[bench]") {
  const std::vector<cell> cells = {synthetic_cell(0.85)};
  const apps::bench_table table = apps::cell_table(cells, 2);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].workload == "task, 1 MiB");
  CHECK(table.rows[0].speed_up == 0.25);
  CHECK(table.rows[2].device == "auto");
  CHECK(table.rows[2].speed_up == 0.5);
  CHECK(table.rows[3].device == "cpu+gpu");
  CHECK(table.rows[3].seconds == std::vector<double>{0.85, 0.85, 0.85});
  CHECK(table.rows[3].figures.at(1).name == "efficiency");
  CHECK(table.rows[3].figures.at(1).value == Approx(0.8 / 0.85));
  CHECK(table.rows[3].note == "efficiency is judged");
  REQUIRE(table.notes.size() == 2);
  CHECK_THAT(table.notes[0], contains("`auto`: least gain 0.500 (task, 1 MiB; bar 0.98)"));
  CHECK_THAT(table.notes[1], contains("efficiency 0.941"));
}

TEST_CASE("other ways to split have a regret when the best one was found", "[bench]") {
  std::vector<cell> cells = {synthetic_cell(0.85)};
  cells[0].all.push_back(synthetic("qilin", {0.9, 0.9, 0.9}));
  cells[0].all.push_back(synthetic("by hand", {0.8, 0.8, 0.8}));
  cells[0].best_share = 0.75;
  cells[0].best_name = "by hand";
  const apps::bench_table table = apps::cell_table(cells, 2);
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[4].program == "duomap, qilin");
  CHECK(table.rows[4].figures.at(2).name == "regret");
  CHECK(table.rows[4].figures.at(2).value == Approx(12.5));
  CHECK(table.rows[5].program == "duomap, best split by hand");
  CHECK(table.notes.size() == 5);
}

TEST_CASE("cells of scheduling that miss a bar explain themselves", "[bench]") {
  const std::vector<cell> fine = {synthetic_cell(0.85)}, weak = {synthetic_cell(0.95)};
  CHECK_THAT(apps::weak_cells(fine), !contains(", cpu+gpu:") && contains(", auto: gain 0.500"));
  CHECK_THAT(apps::weak_cells(weak), contains("cpu+gpu: gain 1.053, efficiency 0.842"));
}

TEST_CASE("sizes of benchmarks as people write them", "[bench]") {
  CHECK(apps::size_text(1 << 16) == "64 KiB");
  CHECK(apps::size_text(1 << 27) == "128 MiB");
  CHECK(apps::size_text(4'000'000'000) == "4.00 GB");
}

TEST_CASE("workloads give the same answer on oneTBB alone, on any threads and split", "[bench][plain-tbb]") {
  for (const unsigned workers : {1U, 3U}) {
    cpu::tbb_pool pool(workers);
    const std::vector<char> rows = points(1'000'003, pool);
    const byte_view bytes{rows.data(), rows.size()};
    for (const apps::workload& one : {apps::kmeans_of(bytes, pool), apps::resident_kmeans_of(bytes, pool),
                                      apps::set_cost_of(bytes, 5, "cost", pool)}) {
      CHECK_NOTHROW(one.run({.device = device_choice::cpu}));
      CHECK_NOTHROW(one.run_plain());
    }
    std::string text;
    while (text.size() < 300'000)
      text += "to be or not to be that is the question " + std::to_string(text.size());
    const std::uint64_t size = text.size();
    text += std::string(read_padding, ' ');
    const auto words = apps::wordcount_of({text.data(), size}, pool);
    CHECK_NOTHROW(words.run({.device = device_choice::cpu}));
    CHECK_NOTHROW(words.run_plain());
  }
}

TEST_CASE("a benchmark refuses an answer that is another one", "[bench]") {
  cpu::tbb_pool pool(2);
  std::vector<char> rows = points(64 * 100, pool);
  const byte_view bytes{rows.data(), rows.size()};
  const auto cost = apps::set_cost_of(bytes, 5, "cost", pool);
  const auto kmeans = apps::kmeans_of(bytes, pool);
  reinterpret_cast<float*>(rows.data())[64] += 1024 * 1024;
  CHECK_THROWS_AS(cost.run({.device = device_choice::cpu}), error);
  CHECK_THROWS_AS(cost.run_plain(), error);
  CHECK_THROWS_AS(kmeans.run({.device = device_choice::cpu}), error);
}

TEST_CASE("the synthetic task and the k-means step give the CPU's answer on the GPU and on both",
          "[bench][gpu][sanitize]") {
  if (no_gpu()) return;
  cpu::tbb_pool pool(4);
  const std::vector<char> rows = points(3'000'001, pool);
  const byte_view bytes{rows.data(), rows.size()};
  for (const apps::workload& one :
       {apps::kmeans_of(bytes, pool), apps::resident_kmeans_of(bytes, pool),
        apps::set_cost_of(bytes, 0, "cost", pool), apps::set_cost_of(bytes, 99, "cost", pool)}) {
    CHECK_NOTHROW(one.run({.device = device_choice::gpu}));
    CHECK_NOTHROW(one.run({.device = device_choice::cpu_gpu}));
  }
}

TEST_CASE("what the scheduler takes of a run is its claims times their costs", "[bench]") {
  run_report report;
  report.executors = {did(executor_kind::pool, 0, 1000), did(executor_kind::device, 0, 10)};
  CHECK(apps::scheduler_seconds({.of_worker = 1, .of_pool = 1e-6, .of_device = 5e-6}, report) ==
        Approx(1.05e-3));
}

}  // namespace duomap::test::bench_scheduling_scheduling_test
