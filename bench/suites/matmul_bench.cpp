// Measures matrix products beside OpenBLAS and cuBLAS.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/baselines/cublas_baseline.hpp"
#include "bench/baselines/openblas_baseline.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/forked_variant.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/run_resident.hpp"
#include "numeric/common/openblas.hpp"
#include "numeric/matmul/matmul.hpp"
#include "numeric/matmul/row_product.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::uint32_t> sizes = {512, 1024, 2048, 8192};
  std::uint32_t rounds = 5;
  bool on_gpu = false;
};

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
    : n(size),
      left(synthetic_whole_numbers(size, size, 2 * size)),
      right(synthetic_whole_numbers(size, size, 2 * size + 1)) {}
};

std::string workload_of(const problem& of) { return count_text(of.n) + " x " + count_text(of.n); }

// n^3 multiplications and n^3 additions.
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
    return matmul(what.left.view(), what.right.view(), {.run = {.device = device_choice::cpu}, .kind = kind});
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
  // Loads OpenBLAS before the variants' processes fork, so that no variant's time includes the 3 ms of
  // loading.
  static_cast<void>(required_openblas("products to compare with"));
  comparison(control).add_in_turn(variants, rounds, workload_of(of), work_of(of), table);
}

void bench_on_gpu(const problem& of, unsigned rounds, const run_control& control, bench_table& resident,
                  bench_table& whole) {
  const int device = first_gpu().index;
  // Adds a row without a comparison of answers, because the products stay on the GPU.
  const auto add_resident = [&](const std::string& program, const std::vector<double>& all) {
    resident.rows.push_back(
        row_on(device_choice::gpu, workload_of(of), program, work_of(of), {all.begin() + 2, all.end()}));
    resident.rows.back().checked = false;
  };
  const std::size_t first = resident.rows.size();
  if constexpr (gpu::has_code<row_product<float>>) {
    add_resident("cuBLAS", time_cublas(device, of.left.view(), of.right.view(), rounds + 2));
    for (const auto kind : {product_kind::plain, product_kind::ordered, product_kind::tf32}) {
      const row_product<float> task{.right = {of.right.data(), of.n},
                                    .out = {},
                                    .terms = static_cast<std::uint32_t>(of.n),
                                    .columns = of.n,
                                    .kind = kind};
      sequential one;
      add_resident(kind == product_kind::plain     ? "duomap"
                   : kind == product_kind::ordered ? "duomap --deterministic"
                                                   : "duomap --tf32",
                   gpu::run_resident(task, device, of.left.view().bytes(), rounds + 2, {}, one).seconds);
    }
  }
  set_speed_ups(resident, first);

  const temporary_folder profiles;
  const matrix<float> expected =
      matmul(of.left.view(), of.right.view(), {.run = {.device = device_choice::gpu}});
  const auto run_once = [&](device_choice choice, product_kind kind) {
    timed_run one;
    matrix<float> product;
    one.seconds = seconds_of([&] {
      product = matmul(
          of.left.view(), of.right.view(),
          {.run = {.device = choice, .profiles = profiles.path(), .report = &one.report}, .kind = kind});
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
  const std::span<bench_row> modes = compare_device_modes(
      row_on(device_choice::automatic, workload_of(of), "duomap", work_of(of)), rounds, control,
      [&](device_choice mode) { return run_once(mode, product_kind::plain); }, whole);
  modes[2].cold_seconds = cold;
  const bench_row better = better_single_device(modes);
  const auto with_tf32 = [&] {
    return run_once(device_choice::gpu, product_kind::tf32);
  };
  bench_row& tf32 = comparison(control).add_alone(variant_on(device_choice::gpu, "duomap --tf32", with_tf32),
                                                  rounds, workload_of(of), work_of(of), whole);
  tf32.checked = false;
  tf32.speed_up = speed_up_over(better, tf32);
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
  const std::string device = options.on_gpu ? first_gpu().name : "";
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
