#include "apps/pca/pca_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/dense/memory_floor.hpp"
#include "apps/numeric/write_table.hpp"
#include "apps/pca/centred_sums.hpp"
#include "apps/pca/moments.hpp"
#include "apps/pca/syrk_baseline.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/machine_pool.hpp"
#include "cpu/processor.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
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
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

struct shape {
  std::uint64_t rows;
  std::uint32_t columns;
};

/// Those of Chen and Agrawal, and as many columns as MNIST has.
std::vector<shape> shapes(const bench_options& options) {
  if (options.rows > 0) return {{options.rows, options.columns}};
  return {{1'048'576, 8}, {1'048'576, 16}, {1'048'576, 32}, {100'000, 512}, {60'000, 784}};
}

/// Uniform in [-1/2, 1/2): splitmix64 of the place, seed 1.
void fill(matrix<float>& rows) {
  const std::uint64_t count = rows.rows() * rows.columns();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    rows.data()[i] = static_cast<float>((z ^ z >> 31) >> 40) * 0x1p-24f - 0.5f;
  }
}

/// Compares some sums of products with those in float64. The columns' means are so near to 0 that it does not
/// matter whether they were subtracted.
/// @throws error naming who is wrong
void check(const std::string& who, matrix_view<float> rows,
           const std::function<double(std::uint64_t i, std::uint64_t j)>& products) {
  for (std::uint64_t k = 0; k < 8; ++k) {
    const std::uint64_t i = k * (rows.columns - 1) / 7, j = rows.columns - 1;
    double exact = 0;
    for (std::uint64_t r = 0; r < rows.rows; ++r) exact += double{rows.row(r)[i]} * double{rows.row(r)[j]};
    const double scale = static_cast<double>(rows.rows) / 12;  // a sum of squares
    if (!(std::fabs(products(i, j) - exact) < 1e-4 * scale))
      throw error(exit_status::failed, who + " gives another answer than a sum in float64");
  }
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void stop_if_cancelled(const run_control& control) {
  if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
}

std::string text_of(double value, const char* format) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// A line of the table; `over` is what the ratio is of, 0 for none.
std::string line_of(const shape& of, const std::string& who, double seconds, double over) {
  const double multiplications = static_cast<double>(of.rows) * of.columns * (of.columns + 1.0) / 2;
  return "| " + std::to_string(of.rows) + " x " + std::to_string(of.columns) + " | " + who + " | " +
         duration_text(seconds) + " | " + text_of(2e-9 * multiplications / seconds, "%.1f") + " | " +
         rate_text(of.rows * of.columns * sizeof(float), seconds) + " | " +
         (over > 0 ? text_of(seconds / over, "%.2f") : "") + " |\n";
}

constexpr const char* head =
    "| rows x columns | program | time | GFLOP/s of the triangle | throughput | over the first |\n"
    "|---|---|---:|---:|---:|---:|\n";

/// The median time of numpy.cov in a process of its own; nothing, with the reason in `why_not`, where that
/// cannot be run.
double time_numpy(const std::string& path, unsigned rounds, std::string& why_not) {
  const std::string command =
      "python3 -c 'import time, statistics, numpy\n"
      "x = numpy.load(\"" +
      path +
      "\")\n"
      "def once():\n"
      "  start = time.perf_counter()\n"
      "  numpy.cov(x, rowvar=False, dtype=numpy.float32)\n"
      "  return time.perf_counter() - start\n"
      "once()\n"
      "print(statistics.median(once() for i in range(" +
      std::to_string(rounds) + ")))' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  double seconds = 0;
  if (!pipe || std::fscanf(pipe.get(), "%lf", &seconds) != 1) {
    why_not = "python3 with NumPy could not be run";
    return 0;
  }
  return seconds;
}

std::string bench_on_cpu(const bench_options& options, const run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  std::string table =
      "Covariance of float32, CPU: " + cpu::processor_name() + ", " + std::to_string(cores) +
      " threads each, vector path " + std::string(cpu::name(cpu::active_vector_path())) + "; medians of " +
      std::to_string(options.rounds) +
      " rounds taken in turn, answers compared. OpenBLAS only multiplies, duomap subtracts the "
      "mean and adds up in float64 too.\n\n";
  table += head;
  const temporary_folder folder;
  std::string no_numpy;
  for (const shape& of : shapes(options)) {
    matrix<float> rows(of.rows, of.columns);
    fill(rows);
    matrix<float> square(of.columns, of.columns);
    const auto pool = cpu::machine_pool(0, view_input(rows.view().bytes()));
    std::vector<double> blas, ours, deterministic;
    for (unsigned round = 0; round <= options.rounds; ++round) {
      stop_if_cancelled(control);
      const double syrk = seconds_of([&] { multiply_by_syrk(rows.view(), cores, square); });
      // Until OpenBLAS's threads have left the cores.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      centred_sums found, same;
      const job_options how{.device = device_choice::cpu};
      const double mine =
          seconds_of([&] { found = centred_sums_of(rows.view(), "the rows", false, *pool, how); });
      const double exact =
          seconds_of([&] { same = centred_sums_of(rows.view(), "the rows", true, *pool, how); });
      if (round == 0) {
        check("OpenBLAS", rows.view(),
              [&](std::uint64_t i, std::uint64_t j) { return static_cast<double>(square.row(i)[j]); });
        check("duomap", rows.view(),
              [&](std::uint64_t i, std::uint64_t j) { return found.products.row(i)[j]; });
        check("duomap --deterministic", rows.view(),
              [&](std::uint64_t i, std::uint64_t j) { return same.products.row(i)[j]; });
        continue;
      }
      blas.push_back(syrk);
      ours.push_back(mine);
      deterministic.push_back(exact);
    }
    const double first = median(blas);
    table += line_of(of, "OpenBLAS ssyrk", first, first);
    table += line_of(of, "duomap", median(ours), first);
    table += line_of(of, "duomap --deterministic", median(deterministic), first);
    const std::string path = folder.path() + "/rows.npy";
    write_npy(path, rows.view());
    if (const double numpy = time_numpy(path, options.rounds, no_numpy); numpy > 0)
      table += line_of(of, "numpy.cov", numpy, first);
  }
  if (!no_numpy.empty()) table += "\nnumpy.cov was left out: " + no_numpy + ".\n";
  return table;
}

#if DUOMAP_HAS_CUDA

std::string bench_on_gpu(const bench_options& options, const run_control& control) {
  if (gpu::discover().devices.empty()) throw device_unavailable("no GPU: " + gpu::discover().reason);
  const gpu::device_info& device = gpu::discover().devices.front();
  std::string table = "Covariance of float32 on " + device.name + "; medians of " +
                      std::to_string(options.rounds) + " runs, answers compared.\n\n";
  table += head;
  for (const shape& of : shapes(options)) {
    matrix<float> rows(of.rows, of.columns);
    fill(rows);
    const byte_view bytes = rows.view().bytes();
    const auto pool = cpu::machine_pool(0, view_input(bytes));
    const double floor = median(time_reading(device.index, bytes.size, options.rounds + 2));
    table += line_of(of, "reading the GPU's memory", floor, floor);
    const std::vector<float> origin(of.columns);
    auto resident = gpu::run_resident(moments<float, false>{.origin = {origin.data(), origin.size()}},
                                      device.index, bytes, options.rounds + 2, {}, *pool);
    const moment_cells at{of.columns};
    check("the GPU", rows.view(),
          [&](std::uint64_t i, std::uint64_t j) { return resident.found[at.product(i, j)]; });
    resident.seconds.erase(resident.seconds.begin(), resident.seconds.begin() + 2);
    table += line_of(of, "duomap, rows in the GPU's memory", median(resident.seconds), floor);
    for (const auto& [name, choice] :
         {std::pair{"duomap from host memory, CPU", device_choice::cpu},
          std::pair{"duomap from host memory, GPU", device_choice::gpu},
          std::pair{"duomap from host memory, CPU + GPU", device_choice::cpu_gpu}}) {
      for (const bool deterministic : {false, true}) {
        const temporary_folder profiles;
        std::vector<double> seconds;
        for (unsigned round = 0; round < options.rounds + 2; ++round) {
          stop_if_cancelled(control);
          centred_sums found;
          const job_options how{.device = choice, .profiles = profiles.path()};
          seconds.push_back(seconds_of(
              [&] { found = centred_sums_of(rows.view(), "the rows", deterministic, *pool, how); }));
          if (round == 0)
            check(name, rows.view(),
                  [&](std::uint64_t i, std::uint64_t j) { return found.products.row(i)[j]; });
        }
        seconds.erase(seconds.begin(), seconds.begin() + 2);
        table +=
            line_of(of, std::string(name) + (deterministic ? ", deterministic" : ""), median(seconds), floor);
      }
    }
  }
  return table;
}

#else

std::string bench_on_gpu(const bench_options& /*options*/, const run_control& /*control*/) {
  throw device_unavailable("no GPU: " + gpu::discover().reason);
}

#endif

}  // namespace

void add_pca_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_number(command, "--rows", options.rows, "rows of one table to measure; 0: several tables");
  add_number(command, "--columns", options.columns, "its columns", {{.least = 1, .most = 32'766}});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the first GPU, and CPU and GPU together");
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_pca(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  say("preparing the rows");
  const std::string table = options.on_gpu ? bench_on_gpu(options, control) : bench_on_cpu(options, control);
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
