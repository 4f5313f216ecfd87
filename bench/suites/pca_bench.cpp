// Measures covariances beside OpenBLAS and NumPy, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/baselines/openblas_baseline.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/dense/memory_floor.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/python_script.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/pca/centred_sums.hpp"
#include "numeric/pca/moments.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::uint64_t rows = 0;
  std::uint32_t columns = 32;
  std::uint32_t rounds = 7;
  bool on_gpu = false;
};

struct shape {
  std::uint64_t rows;
  std::uint32_t columns;
};

/// The tables of Chen and Agrawal, a table of 512 columns, and one with the 784 columns of MNIST.
std::vector<shape> shapes(const bench_options& options) {
  if (options.rows > 0) return {{options.rows, options.columns}};
  return {{1'048'576, 8}, {1'048'576, 16}, {1'048'576, 32}, {100'000, 512}, {60'000, 784}};
}

/// Numbers drawn uniformly from [-1/2, 1/2).
matrix<float> rows_for(const shape& of) {
  matrix<float> rows = synthetic_rows(of.rows, of.columns, 0);
  for (std::uint64_t i = 0; i < rows.rows() * rows.columns(); ++i) rows.data()[i] -= 0.5f;
  return rows;
}

/// Compares some sums of products with sums in float64. A program may have subtracted the columns' means or
/// not. This changes a sum by 1/12, the variance, times the product of two standard normal numbers, for which
/// the bound leaves 16/12.
/// @throws error that names the program with the wrong sum
void check(const std::string& program, matrix_view<float> rows,
           const std::function<double(std::uint64_t i, std::uint64_t j)>& products) {
  for (std::uint64_t k = 0; k < 8; ++k) {
    const std::uint64_t i = k * (rows.columns - 1) / 7, j = rows.columns - 1;
    double exact = 0;
    for (std::uint64_t r = 0; r < rows.rows; ++r) exact += double{rows.row(r)[i]} * double{rows.row(r)[j]};
    const double scale = static_cast<double>(rows.rows) / 12;  // the expected sum of squares of a column
    require_same_answer(std::fabs(products(i, j) - exact) < 1e-4 * scale + 16.0 / 12, program,
                        "a sum in float64");
  }
}

bench_row row_of(const shape& of, const std::string& program, device_choice device, bool checked) {
  // The multiplications and additions of one triangle of the symmetric product.
  const double operations = static_cast<double>(of.rows) * of.columns * (of.columns + 1.0);
  bench_row row =
      row_on(device, count_text(of.rows) + " x " + count_text(of.columns), program, {operations, "FLOP"});
  row.checked = checked;
  return row;
}

constexpr const char* numpy_script = R"(
import sys, time, numpy
x = numpy.load(sys.argv[1])
def once():
    start = time.perf_counter()
    numpy.cov(x, rowvar=False, dtype=numpy.float32)
    return time.perf_counter() - start
once()
for i in range(int(sys.argv[2])): print(once())
)";

/// Times numpy.cov in a process of its own. If it cannot run, returns nothing and sets `why_not`.
std::vector<double> time_numpy(matrix_view<float> rows, unsigned rounds, std::string& why_not) {
  const python_script script("python3", numpy_script);
  const std::string path = script.path_of("rows.npy");
  write_npy(path, rows);
  std::istringstream printed(script.run({path, std::to_string(rounds)}));
  const std::vector<double> all{std::istream_iterator<double>(printed), {}};
  if (all.empty()) why_not = "python3 with NumPy could not be run";
  return all;
}

std::vector<bench_table> bench_on_cpu(const std::vector<shape>& shapes_now, unsigned rounds,
                                      const run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  bench_table table{.name = "pca",
                    .title = "Covariance of float32, CPU",
                    .subject =
                        "Rounds taken in turn; operations are those of one triangle. OpenBLAS only "
                        "multiplies, duomap subtracts the mean and adds up in float64, too",
                    .baseline = "OpenBLAS"};
  for (const shape& of : shapes_now) {
    const matrix<float> rows = rows_for(of);
    matrix<float> square(of.columns, of.columns);
    const auto pool = cpu::machine_pool(0, view_input(rows.view().bytes()));
    // The programs whose first answer has been checked.
    std::set<std::string> seen;
    const auto syrk = [&] {
      const timed_run one{.seconds = seconds_of([&] { multiply_by_syrk(rows.view(), cores, square); })};
      // Waits until OpenBLAS's threads have left the cores.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (seen.insert("OpenBLAS").second)
        check("OpenBLAS", rows.view(),
              [&](std::uint64_t i, std::uint64_t j) { return static_cast<double>(square.row(i)[j]); });
      return one;
    };
    const auto ours = [&](const std::string& name, bool deterministic) {
      const auto run = [&, name, deterministic] {
        centred_sums found;
        const run_options how{.device = device_choice::cpu};
        const timed_run one{.seconds = seconds_of([&] {
                              found = centred_sums_of(rows.view(), "the rows", deterministic, *pool, how);
                            })};
        if (seen.insert(name).second)
          check(name, rows.view(),
                [&](std::uint64_t i, std::uint64_t j) { return found.products.row(i)[j]; });
        return one;
      };
      return variant{.name = name, .threads = cores, .run = run};
    };
    const std::vector<variant> variants = {{.name = "OpenBLAS ssyrk", .threads = cores, .run = syrk},
                                           ours("duomap", false),
                                           ours("duomap --deterministic", true)};
    const std::size_t first = table.rows.size();
    bench_row numpy = row_of(of, "numpy.cov", device_choice::cpu, false);
    comparison(control).add_in_turn(variants, rounds, numpy.workload, numpy.work, table);
    numpy.seconds = time_numpy(rows.view(), rounds, numpy.not_measured);
    table.rows.push_back(std::move(numpy));
    set_speed_ups(table, first);
  }
  return {table};
}

std::vector<bench_table> bench_on_gpu(const std::vector<shape>& shapes_now, unsigned rounds,
                                      const run_control& control) {
  const gpu::device_info& device = first_gpu();
  bench_table table{.name = "pca-gpu",
                    .title = "Covariance of float32, GPU: " + device.name,
                    .subject = "Operations are those of one triangle",
                    .baseline = "reading the GPU's memory"};
  bench_table whole{.name = "pca-gpu-run",
                    .title = "Covariance of float32 from host memory: " + device.name,
                    .subject = "Operations are those of one triangle; rounds taken in turn",
                    .baseline = "the better device alone"};
  for (const shape& of : shapes_now) {
    const std::size_t first = table.rows.size();
    const matrix<float> rows = rows_for(of);
    const byte_view bytes = rows.view().bytes();
    const auto pool = cpu::machine_pool(0, view_input(bytes));
    if constexpr (gpu::has_code<moments<float, false>>) {
      bench_row floor = row_of(of, "reading the GPU's memory", device_choice::gpu, false);
      floor.work = {static_cast<double>(bytes.size), "B"};
      floor.seconds = time_reading(device.index, bytes.size, rounds + 2);
      table.rows.push_back(std::move(floor));
      const std::vector<float> origin(of.columns);
      auto resident = gpu::run_resident(moments<float, false>{.origin = {origin.data(), origin.size()}},
                                        device.index, bytes, rounds + 2, {}, *pool);
      const moment_cells at{of.columns};
      check("the GPU", rows.view(),
            [&](std::uint64_t i, std::uint64_t j) { return resident.found[at.product(i, j)]; });
      bench_row in_memory = row_of(of, "duomap, rows in the GPU's memory", device_choice::gpu, true);
      in_memory.seconds.assign(resident.seconds.begin() + 2, resident.seconds.end());
      table.rows.push_back(std::move(in_memory));
    }
    for (const bool deterministic : {false, true}) {
      const temporary_folder profiles;
      const std::string program =
          std::string("duomap") + (deterministic ? " --deterministic" : "") + ", from host memory";
      std::set<device_choice> seen;
      const auto once = [&](device_choice mode) {
        centred_sums found;
        const run_options how{.device = mode, .profiles = profiles.path()};
        const timed_run one{.seconds = seconds_of([&] {
                              found = centred_sums_of(rows.view(), "the rows", deterministic, *pool, how);
                            })};
        if (seen.insert(mode).second)
          check(program + ", " + device_text(mode), rows.view(),
                [&](std::uint64_t i, std::uint64_t j) { return found.products.row(i)[j]; });
        return one;
      };
      compare_device_modes(row_of(of, program, device_choice::automatic, true), rounds, control, once, whole);
    }
    set_speed_ups(table, first);
  }
  return {table, whole};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_number(command, "--rows", options.rows, "rows of one table to measure; 0: several tables");
  add_number(command, "--columns", options.columns, "its columns", {{.least = 1, .most = 32'766}});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the first GPU, and CPU and GPU together");
}

std::vector<bench_table> bench_pca(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  std::vector<shape> tables = shapes(options);
  for (shape& one : tables) one.rows = context.size(one.rows);
  say("preparing the rows");
  return options.on_gpu ? bench_on_gpu(tables, rounds, context.control)
                        : bench_on_cpu(tables, rounds, context.control);
}

}  // namespace

const benchmark pca_benchmark{
    .name = "pca",
    .summary = "principal components, against OpenBLAS and scikit-learn",
    .add_options = add_options,
    .measure = bench_pca,
};

}  // namespace duomap::apps
