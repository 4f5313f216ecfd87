#include "apps/algorithms/matmul/matmul.hpp"
#include "apps/algorithms/matmul/row_product.hpp"
#include "apps/algorithms/numeric/openblas.hpp"
#include "apps/bench/baselines/cublas_baseline.hpp"
#include "apps/bench/baselines/openblas_baseline.hpp"
#include "apps/bench/harness/device_modes.hpp"
#include "apps/bench/harness/forked_variant.hpp"
#include "apps/bench/harness/temporary_folder.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::uint32_t> sizes = {512, 1024, 2048, 8192};
  std::uint32_t rounds = 5;
  bool on_gpu = false;
};

// Whole numbers from -2 to 2: their products and sums have no rounding, so that all answers are equal.
matrix<float> whole_numbers(std::uint64_t n, std::uint64_t seed) {
  matrix<float> numbers(n, n, "a factor");
  for (std::uint64_t i = 0; i < n * n; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    numbers.data()[i] = static_cast<float>((seed >> 40) % 5) - 2;
  }
  return numbers;
}

answer_digest digest_of(const matrix<float>& product) {
  answer_digest answer;
  for (std::uint64_t i = 0; i < product.rows(); ++i) {
    const auto row = product.row(i);
    answer.add(reinterpret_cast<const char*>(row.data()), row.size_bytes(), i);
  }
  return answer;
}

struct problem {
  std::uint64_t n;
  matrix<float> left;
  matrix<float> right;

  explicit problem(std::uint64_t size)
    : n(size), left(whole_numbers(size, 2 * size)), right(whole_numbers(size, 2 * size + 1)) {}
};

std::string workload_of(const problem& of) { return count_text(of.n) + " x " + count_text(of.n); }

// 2 n^3 operations.
bench_work work_of(const problem& of) {
  const auto n = static_cast<double>(of.n);
  return {2 * n * n * n, "FLOP"};
}

void bench_on_cpu(const problem& of, unsigned rounds, const run_control& control, bench_table& table) {
  const unsigned cores = cpu::usable_cores().cores;
  const auto by_openblas = [&](const problem& what) {
    matrix<float> product(what.n, what.n, "the product");
    multiply_by_openblas(what.left.view(), what.right.view(), product.data(), cores);
    return product;
  };
  const auto by_duomap = [&](const problem& what, product_kind kind) {
    return matmul(what.left.view(), what.right.view(), {.job = {.device = device_choice::cpu}, .kind = kind});
  };
  const auto variant_of = [&](const std::string& name, const auto& multiply) {
    const auto solve = [&, multiply](const std::function<void()>& stop_clock) {
      const auto product = multiply(of);
      stop_clock();
      return digest_of(product);
    };
    return forked_variant(name, cores, solve, control);
  };
  const std::vector<variant> variants = {
      variant_of("OpenBLAS", by_openblas),
      variant_of("duomap", [&](const problem& what) { return by_duomap(what, product_kind::plain); }),
      variant_of("duomap --deterministic",
                 [&](const problem& what) { return by_duomap(what, product_kind::ordered); }),
  };
  // Before each variant's process begins, so that loading it, 3 ms, is in nobody's figures.
  static_cast<void>(required_openblas("products to compare with"));
  const std::vector<series> measured = comparison(control).in_turn(variants, rounds_of_one_run(rounds));
  const std::size_t first = table.rows.size();
  for (bench_row& row : rows_of(variants, measured, workload_of(of), work_of(of)))
    table.rows.push_back(std::move(row));
  set_speed_ups(table, first);
}

void bench_on_gpu(const problem& of, unsigned rounds, const run_control& control, bench_table& resident,
                  bench_table& whole) {
  const int device = gpu::discover().devices.front().index;
  const auto row = [&](const std::string& program, device_choice choice, bool checked) {
    return bench_row{.workload = workload_of(of),
                     .program = program,
                     .device = device_text(choice),
                     .threads = cpu::usable_cores().cores,
                     .work = work_of(of),
                     .checked = checked};
  };
  const auto last = [&](const std::vector<double>& all) {
    return std::vector<double>{all.end() - static_cast<std::ptrdiff_t>(rounds), all.end()};
  };
  const std::size_t first = resident.rows.size();
  resident.rows.push_back(row("cuBLAS", device_choice::gpu, false));
  resident.rows.back().seconds = last(time_cublas(device, of.left.view(), of.right.view(), rounds + 2));
  if constexpr (gpu::has_code<row_product<float>>) {
    for (const auto kind : {product_kind::plain, product_kind::ordered, product_kind::tf32}) {
      const row_product<float> task{.right = {of.right.data(), of.n},
                                    .out = {},
                                    .terms = static_cast<std::uint32_t>(of.n),
                                    .columns = of.n,
                                    .kind = kind};
      sequential one;
      resident.rows.push_back(row(kind == product_kind::plain     ? "duomap"
                                  : kind == product_kind::ordered ? "duomap --deterministic"
                                                                  : "duomap --tf32",
                                  device_choice::gpu, false));
      resident.rows.back().seconds =
          last(gpu::run_resident(task, device, of.left.view().bytes(), rounds + 2, {}, one).seconds);
    }
  }
  set_speed_ups(resident, first);

  const temporary_folder profiles;
  const matrix<float> expected =
      matmul(of.left.view(), of.right.view(), {.job = {.device = device_choice::gpu}});
  const auto run_once = [&](device_choice choice, product_kind kind) {
    timed_run one;
    matrix<float> product;
    one.seconds = seconds_of([&] {
      product = matmul(
          of.left.view(), of.right.view(),
          {.job = {.device = choice, .profiles = profiles.path(), .report = &one.report}, .kind = kind});
    });
    require_same_answer(kind == product_kind::tf32 ||
                            std::equal(expected.data(), expected.data() + of.n * of.n, product.data()),
                        "duomap on " + device_text(choice), "the first run on the GPU");
    double on_gpus = 0, all = 0;
    for (const executor_report& each : one.report.executors) {
      all += static_cast<double>(each.units);
      if (each.kind == executor_kind::device) on_gpus += static_cast<double>(each.units);
    }
    if (all > 0) one.figures = {{"GPU's share", 100 * on_gpus / all, "%"}};
    return one;
  };
  const double cold = run_once(device_choice::cpu_gpu, product_kind::plain).seconds;
  std::vector<bench_row> rows =
      compare_device_modes(row("duomap", device_choice::automatic, true), rounds, control,
                           [&](device_choice mode) { return run_once(mode, product_kind::plain); });
  rows[2].cold_seconds = cold;
  const variant tf32{.name = "duomap --tf32",
                     .device = "gpu",
                     .threads = cpu::usable_cores().cores,
                     .run = [&] { return run_once(device_choice::gpu, product_kind::tf32); },
                     .warm_up = 0};
  const series measured = comparison(control).alone(tf32, rounds);
  rows.push_back(row_of(tf32, measured, workload_of(of), work_of(of)));
  rows.back().checked = false;
  rows.back().speed_up = speed_up_over(better_alone(rows), rows.back());
  for (bench_row& one : rows) whole.rows.push_back(std::move(one));
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_numbers(command, "--sizes", options.sizes, "rows and columns of the square matrices", {1, 65536});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{1, 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the GPU, and CPU and GPU together");
}

/// @throws error when two answers differ
std::vector<bench_table> bench_matmul(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  if (options.on_gpu && gpu::discover().devices.empty()) throw device_unavailable(gpu::discover().reason);
  const std::string device = options.on_gpu ? gpu::discover().devices.front().name : "";
  bench_table on_cpu{.name = "matmul",
                     .title = "Matrix product, CPU",
                     .subject = "Square matrices of float32 in memory; rounds taken in turn",
                     .baseline = "OpenBLAS",
                     .plotted = bench_axis::rate};
  bench_table resident{.name = "matmul-gpu-resident",
                       .title = "Matrix product, resident in the GPU's memory: " + device,
                       .subject = "Square matrices of float32",
                       .baseline = "cuBLAS",
                       .plotted = bench_axis::rate};
  bench_table whole{.name = "matmul-gpu",
                    .title = "Matrix product, CPU and GPU: " + device,
                    .subject =
                        "Square matrices of float32, from factors to product in host memory; rounds taken "
                        "in turn",
                    .baseline = "the better device alone",
                    .plotted = bench_axis::rate};
  for (const std::uint32_t n : options.sizes) {
    if (context.quick && n > 2048) continue;
    say("multiplying " + std::to_string(n) + " x " + std::to_string(n) + " numbers");
    const problem of(n);
    if (options.on_gpu) {
      bench_on_gpu(of, rounds, context.control, resident, whole);
    } else {
      bench_on_cpu(of, rounds, context.control, on_cpu);
    }
  }
  if (options.on_gpu) return {resident, whole};
  return {on_cpu};
}

}  // namespace

const benchmark matmul_benchmark{
    .name = "matmul",
    .summary = "products of matrices, against OpenBLAS and cuBLAS",
    .add_options = add_options,
    .measure = bench_matmul,
};

}  // namespace duomap::apps
