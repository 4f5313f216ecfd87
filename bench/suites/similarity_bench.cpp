// Measures similarities of vectors beside NumPy, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/piped_program.hpp"
#include "bench/harness/python_script.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "numeric/common/write_table.hpp"
#include "numeric/similarity/similarity.hpp"

#include <cmath>
#include <optional>
#include <sstream>
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

/// The time of a run and a summary of its answer, which may differ by rounding.
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

answer by_duomap(const matrix<float>& vectors, const run_options& job, product_kind kind) {
  const stopwatch clock;
  const auto pairs = similarity(vectors.view(),
                                {.top = options_of_this_run<bench_options>().best, .kind = kind, .run = job});
  answer found{clock.seconds(), pairs.size(), 0};
  for (const similar_pair& one : pairs) found.sum += static_cast<double>(one.cosine);
  return found;
}

// Finds the pairs that duomap finds. Tiles of 512 rows fit into memory for any number of documents. Prints
// seconds, pairs and sum for each round.
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

// Returns one answer for each round after a warm-up round.
// @throws error when the script fails
std::vector<answer> by_numpy(const matrix<float>& vectors, unsigned rounds) {
  const python_script script("python3", numpy_script);
  const std::string path = script.path_of("vectors.npy");
  write_npy(path, vectors.view());
  std::istringstream printed(
      script.run({path, std::to_string(options_of_this_run<bench_options>().best), std::to_string(rounds)}));
  std::vector<answer> all;
  for (answer one; printed >> one.seconds >> one.pairs >> one.sum;) all.push_back(one);
  if (all.size() != rounds + 1) throw error(exit_status::failed, "NumPy's script failed");
  all.erase(all.begin());
  return all;
}

bench_row row_of(std::uint64_t n, const std::string& program, device_choice device) {
  return row_on(device, "n " + count_text(n), program,
                {static_cast<double>(n) * static_cast<double>(n), "cosines"});
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
  const std::string where = options.on_gpu ? ", GPU: " + first_gpu().name : ", CPU";
  const std::string without = missing_numpy();
  bench_table table{
      .name = options.on_gpu ? "similarity-gpu" : "similarity",
      .title = "The " + std::to_string(options.best) + " most similar others of each vector" + where,
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
    const auto vectors = synthetic_vectors(n, options.features, n);
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
      const auto run = [&] {
        return once(program, device, kind);
      };
      table.rows.push_back(row_of(n, program, device));
      table.rows.back().seconds =
          comparison(context.control).alone({.name = program, .run = run}, rounds).seconds();
    };
    measure(device_choice::cpu, product_kind::plain);
    measure(device_choice::cpu, product_kind::ordered);
    if (without.empty()) {
      bench_row row = row_of(n, "NumPy", device_choice::cpu);
      for (const answer& one : by_numpy(vectors, rounds)) {
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
      compare_device_modes(
          row_of(n, "duomap", device_choice::automatic), rounds, context.control,
          [&](device_choice mode) { return once("duomap", mode, product_kind::plain); }, whole);
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
