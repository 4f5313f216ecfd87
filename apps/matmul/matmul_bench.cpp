#include "apps/matmul/matmul_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/matmul/cublas_baseline.hpp"
#include "apps/matmul/matmul.hpp"
#include "apps/matmul/openblas_baseline.hpp"
#include "apps/matmul/row_product.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/processor.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::uint32_t> sizes = {512, 1024, 2048, 8192};
  std::uint32_t rounds = 5;
  bool on_gpu = false;
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

// 2 n^3 operations in so many seconds.
std::string speed_text(std::uint64_t n, double seconds) {
  std::array<char, 32> text;
  const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  std::snprintf(text.data(), text.size(), "%.3g TFLOP/s", operations / seconds / 1e12);
  return text.data();
}

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

void bench_on_cpu(const problem& of, unsigned rounds, run_control& control, std::string& table) {
  const unsigned cores = cpu::usable_cores().cores;
  const auto by_openblas = [&](const problem& what) {
    matrix<float> product(what.n, what.n, "the product");
    multiply_by_openblas(what.left.view(), what.right.view(), product.data(), cores);
    return product;
  };
  const auto by_duomap = [&](const problem& what, product_kind kind) {
    return matmul(what.left.view(), what.right.view(), {.job = {.device = device_choice::cpu}, .kind = kind});
  };
  const auto contender_of = [&](const std::string& name, const auto& multiply) {
    return contender{name, cores, [&, multiply](const std::function<void()>& stop_clock) {
                       const auto product = multiply(of);
                       stop_clock();
                       return digest_of(product);
                     }};
  };
  const std::vector<contender> contenders = {
      contender_of("OpenBLAS", by_openblas),
      contender_of("duomap", [&](const problem& what) { return by_duomap(what, product_kind::plain); }),
      contender_of("duomap --deterministic",
                   [&](const problem& what) { return by_duomap(what, product_kind::ordered); }),
  };
  const contest_result contest =
      run_contest(contenders, rounds, control);
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::vector<double> seconds;
    for (const contest_sample& sample : contest.samples[i]) seconds.push_back(sample.seconds);
    table += "| " + std::to_string(of.n) + " | " + contenders[i].name + " | " + std::to_string(cores) +
             " | " + milliseconds(median(seconds)) + " | " + speed_text(of.n, median(seconds)) + " | " +
             ratio_text(median_ratio(contest.samples[i], contest.samples[0])) + " |\n";
  }
}

void bench_on_gpu(const problem& of, unsigned rounds, run_control& control, std::string& table) {
  const int device = gpu::discover().devices.front().index;
  const auto row = [&](const std::string& what, double seconds, const std::string& remark) {
    table += "| " + std::to_string(of.n) + " | " + what + " | " + milliseconds(seconds) + " | " +
             speed_text(of.n, seconds) + " | " + remark + " |\n";
  };
  const auto median_of_last = [&](const std::vector<double>& all) {
    return median({all.end() - static_cast<std::ptrdiff_t>(rounds), all.end()});
  };
  const double alone = median_of_last(time_cublas(device, of.left.view(), of.right.view(), rounds + 2));
  row("resident, cuBLAS", alone, "");
  if constexpr (gpu::has_code<row_product<float>>) {
    for (const auto kind : {product_kind::plain, product_kind::ordered, product_kind::tf32}) {
      const row_product<float> task{.right = {of.right.data(), of.n},
                                    .out = {},
                                    .terms = static_cast<std::uint32_t>(of.n),
                                    .columns = of.n,
                                    .kind = kind};
      sequential one;
      const double seconds = median_of_last(
          gpu::run_resident(task, device, of.left.view().bytes(), rounds + 2, {}, one).seconds);
      row(kind == product_kind::plain     ? "resident, duomap"
          : kind == product_kind::ordered ? "resident, --deterministic"
                                          : "resident, --tf32",
          seconds, ratio_text(seconds / alone) + " of cuBLAS");
    }
  }

  const temporary_folder profiles;
  const answer_digest expected =
      digest_of(matmul(of.left.view(), of.right.view(), {.job = {.device = device_choice::gpu}}));
  const auto measure = [&](const std::string& what, device_choice choice, product_kind kind, unsigned runs) {
    std::vector<double> seconds;
    run_report report;
    for (unsigned i = 0; i < runs; ++i) {
      stop_if_cancelled(control);
      const auto start = std::chrono::steady_clock::now();
      const auto product =
          matmul(of.left.view(), of.right.view(),
                 {.job = {.device = choice, .profiles = profiles.path(), .report = &report}, .kind = kind});
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      if (kind != product_kind::tf32 && !(digest_of(product) == expected))
        throw error(exit_status::failed, "two runs gave different products");
    }
    std::string shares;
    for (const executor_report& one : report.executors) {
      const double share =
          100.0 * static_cast<double>(one.units) / static_cast<double>(of.left.view().bytes().size);
      shares += (shares.empty() ? "" : ", ") + one.name + " " + ratio_text(share) + " %";
    }
    row(what, median(seconds), shares);
    return median(seconds);
  };
  const double on_cpu = measure("CPU", device_choice::cpu, product_kind::plain, std::min(rounds, 3u));
  static_cast<void>(measure("CPU + GPU, first run", device_choice::cpu_gpu, product_kind::plain, 1));
  const double on_gpu = measure("GPU", device_choice::gpu, product_kind::plain, rounds);
  const double both = measure("CPU + GPU", device_choice::cpu_gpu, product_kind::plain, rounds);
  static_cast<void>(measure("auto", device_choice::automatic, product_kind::plain, rounds));
  static_cast<void>(measure("GPU, --tf32", device_choice::gpu, product_kind::tf32, rounds));
  table += "| " + std::to_string(of.n) + " | CPU + GPU against the better one | " +
           ratio_text(std::min(on_cpu, on_gpu) / both) + " | | |\n";
}

}  // namespace

void add_matmul_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_numbers(command, "--sizes", options.sizes, "rows and columns of the square matrices", {1, 65536});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{1, 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the GPU, and CPU and GPU together");
}

std::vector<bench_table> bench_matmul(const bench_context& context) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  std::string table;
  if (options.on_gpu) {
    if (gpu::discover().devices.empty()) throw device_unavailable(gpu::discover().reason);
    table =
        "Matrix product on " + gpu::discover().devices.front().name + " and " + cpu::processor_name() + ", " +
        std::to_string(cpu::usable_cores().cores) + " CPUs: square matrices of float32; medians of " +
        std::to_string(options.rounds) +
        " runs, answers compared; from factors to product in host memory, unless resident in the GPU's.\n\n"
        "| n | run | time | speed | |\n|---:|---|---:|---:|---|\n";
  } else {
    table =
        "Matrix product, CPU: square matrices of float32 in memory; " + cpu::processor_name() +
        ", vector path " + std::string(cpu::name(cpu::active_vector_path())) + "; medians of " +
        std::to_string(options.rounds) +
        " rounds taken in turn, all answers equal.\n\n"
        "| n | program | threads | time | speed | time over OpenBLAS's |\n|---:|---|---:|---:|---:|---:|\n";
  }
  for (const std::uint32_t n : options.sizes) {
    say("multiplying " + std::to_string(n) + " x " + std::to_string(n) + " numbers");
    const problem of(n);
    if (options.on_gpu) {
      bench_on_gpu(of, options.rounds, control, table);
    } else {
      bench_on_cpu(of, options.rounds, control, table);
    }
  }
}

}  // namespace duomap::apps
