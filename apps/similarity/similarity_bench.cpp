#include "apps/similarity/similarity_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/bench/piped_program.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/talk.hpp"
#include "apps/numeric/write_table.hpp"
#include "apps/similarity/similarity.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/processor.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::uint32_t> documents = {512, 1024, 2048, 20'000};
  std::uint32_t features = 128;
  std::uint32_t best = 10;
  std::uint32_t rounds = 5;
  bool on_gpu = false;
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

std::string milliseconds(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g ms", seconds * 1e3);
  return text.data();
}

matrix<float> random_vectors(std::uint64_t rows, std::uint64_t columns) {
  matrix<float> vectors(rows, columns, "vectors");
  std::uint64_t state = rows;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    vectors.data()[i] = static_cast<float>(state >> 40) * 0x1p-23f - 1;
  }
  return vectors;
}

/// What identifies an answer up to rounding.
struct answer {
  double seconds = 0;
  std::uint64_t pairs = 0;
  double sum = 0;  ///< of the cosines
};

void require_same(const answer& one, const answer& other, const std::string& who) {
  if (one.pairs == other.pairs && std::abs(one.sum - other.sum) <= 1e-5 * static_cast<double>(one.pairs))
    return;
  throw error(exit_status::failed, who + " gave another answer: " + std::to_string(other.pairs) +
                                       " pairs with cosines of " + std::to_string(other.sum) +
                                       " in all, not " + std::to_string(one.pairs) + " with " +
                                       std::to_string(one.sum));
}

answer by_duomap(const matrix<float>& vectors, const job_options& job, product_kind kind) {
  const auto start = std::chrono::steady_clock::now();
  const auto pairs =
      similarity(vectors.view(), {.best = options_of_this_run().best, .kind = kind, .job = job});
  answer found{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), pairs.size(),
               0};
  for (const similar_pair& one : pairs) found.sum += static_cast<double>(one.cosine);
  return found;
}

// The same in tiles of 512 rows, which is what fits into memory for any number of documents. Prints seconds,
// pairs and sum for each round.
constexpr const char* numpy_script = R"(
import sys, time, numpy
x = numpy.load(sys.argv[1]); k = int(sys.argv[2])
for round in range(int(sys.argv[3]) + 1):
    start = time.perf_counter()
    units = x / numpy.maximum(numpy.linalg.norm(x, axis=1, keepdims=True), 1e-30)
    kept = []
    for row in range(0, len(x), 512):
        scores = units[row:row + 512] @ units.T
        scores[numpy.arange(len(scores)), row + numpy.arange(len(scores))] = -2
        others = numpy.argpartition(-scores, k - 1, axis=1)[:, :k]
        cosines = numpy.take_along_axis(scores, others, axis=1)
        order = numpy.argsort(-cosines, axis=1)
        kept.append([numpy.take_along_axis(all, order, axis=1) for all in (others, cosines)])
    seconds = time.perf_counter() - start
    print(seconds, sum(c.size for _, c in kept), sum(c.sum(dtype='float64') for _, c in kept))
)";

// One answer for each round after a first to warm up; none when there is no NumPy.
std::vector<answer> by_numpy(const std::string& vectors, unsigned rounds) {
  const temporary_folder folder;
  const std::string script = folder.path() + "/similarity.py";
  result_file file(script);
  file.sink().write(byte_view(std::string(numpy_script)));
  file.commit();
  const std::string command = "python3 '" + script + "' '" + vectors + "' " +
                              std::to_string(options_of_this_run().best) + " " + std::to_string(rounds);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw error(exit_status::failed, "cannot start " + command);
  std::vector<answer> all;
  answer one;
  while (std::fscanf(pipe.get(), "%lf %lu %lf", &one.seconds, &one.pairs, &one.sum) == 3) all.push_back(one);
  if (all.size() != rounds + 1) throw error(exit_status::failed, "NumPy's script failed: " + command);
  all.erase(all.begin());
  return all;
}

std::string missing_numpy() {
  const std::string python = find_program("python3");
  if (python.empty()) return "without NumPy: there is no python3";
  if (run_piped(python, {"python3", "-c", "import numpy"}).status != 0)
    return "without NumPy: it is not installed (Debian package python3-numpy)";
  return "";
}

double median_seconds(const std::vector<answer>& all) {
  std::vector<double> seconds;
  for (const answer& one : all) seconds.push_back(one.seconds);
  return median(seconds);
}

}  // namespace

void add_similarity_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_numbers(command, "--documents", options.documents, "numbers of vectors", {1, 10'000'000});
  add_number(command, "--features", options.features, "numbers in each", {{1, 1'000'000}});
  add_number(command, "--best", options.best, "others to keep for each", {{1, 1'000'000}});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{1, 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the GPU, and CPU and GPU together, too");
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_similarity(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  if (options.on_gpu && gpu::discover().devices.empty()) throw device_unavailable(gpu::discover().reason);
  const std::string without = missing_numpy();
  const unsigned cores = cpu::usable_cores().cores;
  std::string table = "The " + std::to_string(options.best) +
                      " most similar others of each of n vectors of " + std::to_string(options.features) +
                      " random float32; " + cpu::processor_name() + ", " + std::to_string(cores) + " CPUs" +
                      (options.on_gpu ? ", " + gpu::discover().devices.front().name : "") + "; medians of " +
                      std::to_string(options.rounds) + " runs, answers compared" +
                      (without.empty() ? "" : "; " + without) + ".\n\n| n | program | time | " +
                      "time over duomap's on the CPU |\n|---:|---|---:|---:|\n";
  const temporary_folder folder;
  for (const std::uint32_t n : options.documents) {
    say("comparing " + std::to_string(n) + " vectors");
    const auto vectors = random_vectors(n, options.features);
    double reference_seconds = 0;
    answer reference;
    const auto add = [&](const std::string& name, const std::vector<answer>& all) {
      const double seconds = median_seconds(all);
      if (reference_seconds == 0) {
        reference_seconds = seconds;
        reference = all.front();
      }
      for (const answer& one : all) require_same(reference, one, name);
      std::array<char, 32> ratio;
      std::snprintf(ratio.data(), ratio.size(), "%.2f", seconds / reference_seconds);
      table += "| " + std::to_string(n) + " | " + name + " | " + milliseconds(seconds) + " | " +
               ratio.data() + " |\n";
    };
    const auto runs = [&](device_choice device, product_kind kind) {
      std::vector<answer> all;
      for (unsigned round = 0; round <= options.rounds; ++round) {
        if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
        all.push_back(by_duomap(vectors, {.device = device, .profiles = folder.path()}, kind));
      }
      all.erase(all.begin());  // to warm up
      return all;
    };
    add("duomap", runs(device_choice::cpu, product_kind::plain));
    add("duomap --deterministic", runs(device_choice::cpu, product_kind::ordered));
    if (without.empty()) {
      const std::string path = folder.path() + "/vectors.npy";
      write_npy(path, vectors.view());
      add("NumPy", by_numpy(path, options.rounds));
    }
    if (!options.on_gpu) continue;
    add("duomap, GPU", runs(device_choice::gpu, product_kind::plain));
    add("duomap --deterministic, GPU", runs(device_choice::gpu, product_kind::ordered));
    add("duomap, CPU + GPU", runs(device_choice::cpu_gpu, product_kind::plain));
  }
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
