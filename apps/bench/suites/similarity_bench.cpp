#include "apps/algorithms/numeric/write_table.hpp"
#include "apps/algorithms/similarity/similarity.hpp"
#include "apps/bench/harness/device_modes.hpp"
#include "apps/bench/harness/piped_program.hpp"
#include "apps/bench/harness/temporary_folder.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::uint32_t> documents = {512, 1024, 2048, 20'000};
  std::uint32_t features = 128;
  std::uint32_t best = 10;
  std::uint32_t rounds = 5;
  bool on_gpu = false;
};

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

void require_same(const answer& one, const answer& other, const std::string& program) {
  const auto text = [](const answer& of) {
    return count_text(of.pairs, "pair") + " with cosines of " + std::to_string(of.sum) + " in all";
  };
  require_same_answer(
      one.pairs == other.pairs && std::abs(one.sum - other.sum) <= 1e-5 * static_cast<double>(one.pairs),
      program, "the first run", text(other) + ", not " + text(one));
}

answer by_duomap(const matrix<float>& vectors, const job_options& job, product_kind kind) {
  const auto start = std::chrono::steady_clock::now();
  const auto pairs = similarity(
      vectors.view(), {.best = options_of_this_run<bench_options>().best, .kind = kind, .job = job});
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
                              std::to_string(options_of_this_run<bench_options>().best) + " " +
                              std::to_string(rounds);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw error(exit_status::failed, "cannot start " + command);
  std::vector<answer> all;
  answer one;
  while (std::fscanf(pipe.get(), "%lf %lu %lf", &one.seconds, &one.pairs, &one.sum) == 3) all.push_back(one);
  if (all.size() != rounds + 1) throw error(exit_status::failed, "NumPy's script failed: " + command);
  all.erase(all.begin());
  return all;
}

bench_row row_of(std::uint64_t n, const std::string& program, device_choice device) {
  return {.workload = "n " + count_text(n),
          .program = program,
          .device = device_text(device),
          .threads = cpu::usable_cores().cores,
          .work = {static_cast<double>(n) * static_cast<double>(n), "cosines"},
          .checked = true};
}

std::string missing_numpy() {
  const std::string python = find_program("python3");
  if (python.empty()) return "there is no python3";
  if (run_piped(python, {"python3", "-c", "import numpy"}).status != 0)
    return "NumPy is not installed (Debian package python3-numpy)";
  return "";
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_numbers(command, "--documents", options.documents, "numbers of vectors", {1, 10'000'000});
  add_number(command, "--features", options.features, "numbers in each", {{1, 1'000'000}});
  add_number(command, "--best", options.best, "others to keep for each", {{1, 1'000'000}});
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{1, 1000}});
  add_flag(command, "--gpu", options.on_gpu, "measure the GPU, and CPU and GPU together, too");
}

/// @throws error when two answers differ
std::vector<bench_table> bench_similarity(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  if (options.on_gpu && gpu::discover().devices.empty()) throw device_unavailable(gpu::discover().reason);
  const std::string without = missing_numpy();
  bench_table table{.name = options.on_gpu ? "similarity-gpu" : "similarity",
                    .title = "The " + std::to_string(options.best) + " most similar others of each vector" +
                             (options.on_gpu ? ", GPU: " + gpu::discover().devices.front().name : ", CPU"),
                    .subject = "n vectors of " + count_text(options.features) + " random float32, in memory",
                    .baseline = "duomap on the CPU"};
  bench_table whole{.name = "similarity-gpu-run",
                    .title = table.title + ", and the CPU",
                    .subject = table.subject + "; rounds taken in turn",
                    .baseline = "the better device alone"};
  const temporary_folder folder;
  for (const std::uint32_t n : options.documents) {
    if (context.quick && n > 2048) continue;
    say("comparing " + std::to_string(n) + " vectors");
    const auto vectors = random_vectors(n, options.features);
    const std::size_t first = table.rows.size();
    std::optional<answer> reference;
    const auto once = [&](const std::string& program, device_choice device, product_kind kind) {
      const answer one = by_duomap(vectors, {.device = device, .profiles = folder.path()}, kind);
      if (!reference) reference = one;
      require_same(*reference, one, program + ", " + device_text(device));
      return timed_run{.seconds = one.seconds};
    };
    const auto measure = [&](device_choice device, product_kind kind) {
      const std::string program = kind == product_kind::plain ? "duomap" : "duomap --deterministic";
      bench_row row = row_of(n, program, device);
      row.seconds = comparison(context.control)
                        .alone({.name = program,
                                .run =
                                    [&] {
                                      return once(program, device, kind);
                                    }},
                               rounds)
                        .seconds();
      table.rows.push_back(std::move(row));
    };
    measure(device_choice::cpu, product_kind::plain);
    measure(device_choice::cpu, product_kind::ordered);
    if (without.empty()) {
      const std::string path = folder.path() + "/vectors.npy";
      write_npy(path, vectors.view());
      bench_row row = row_of(n, "NumPy", device_choice::cpu);
      for (const answer& one : by_numpy(path, rounds)) {
        require_same(*reference, one, row.program);
        row.seconds.push_back(one.seconds);
      }
      table.rows.push_back(std::move(row));
    } else {
      table.rows.push_back({.workload = "n " + count_text(n),
                            .program = "NumPy",
                            .threads = cpu::usable_cores().cores,
                            .not_measured = without});
    }
    if (options.on_gpu) {
      measure(device_choice::gpu, product_kind::ordered);
      const auto rows =
          compare_device_modes(row_of(n, "duomap", device_choice::automatic), rounds, context.control,
                               [&](device_choice mode) { return once("duomap", mode, product_kind::plain); });
      whole.rows.insert(whole.rows.end(), rows.begin(), rows.end());
    }
    set_speed_ups(table, first);
  }
  if (options.on_gpu) return {table, whole};
  return {table};
}

}  // namespace

const benchmark similarity_benchmark{
    .name = "similarity",
    .summary = "cosines of all pairs, against one loop",
    .add_options = add_options,
    .measure = bench_similarity,
};

}  // namespace duomap::apps
