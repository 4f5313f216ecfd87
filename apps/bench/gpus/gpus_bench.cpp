#include "apps/algorithms/kmeans/kmeans.hpp"
#include "apps/algorithms/knn/knn.hpp"
#include "apps/algorithms/matmul/matmul.hpp"
#include "apps/algorithms/similarity/similarity.hpp"
#include "apps/bench/data/pair_data.hpp"
#include "apps/bench/data/synthetic_rows.hpp"
#include "apps/bench/gpus/bare_copies.hpp"
#include "apps/bench/harness/bench_text.hpp"
#include "apps/bench/harness/chosen_tasks.hpp"
#include "apps/bench/harness/device_modes.hpp"
#include "apps/bench/harness/percentile.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/commands/kmeans_report.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/error.hpp"
#include "core/untouched_allocator.hpp"
#include "cpu/cores.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/page_lock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct gpus_options {
  std::vector<std::string> tasks;
  std::uint32_t rounds = 7;
  std::uint64_t bytes = std::uint64_t{1} << 31;
};

#if DUOMAP_HAS_CUDA

constexpr std::string_view locked_text = "page-locked";

/// How many times as fast all links are as the first, of memory that GPUs copy where it lies and of other.
struct link_ratios {
  double locked = 0;
  double fed = 0;
};

struct gpus_machine {
  std::vector<int> all;
  cpu::tbb_pool pool{cpu::usable_cores().cores};
  const bench_context& context;
  unsigned rounds;
  std::uint64_t bytes;  // of the text and of the pairs
  link_ratios links = {};
};

/// A run on these GPUs, which stops the clock when it has its result.
using gpus_run = std::function<answer_digest(const job_options& job, timed_run& into)>;

std::vector<int> gpus_of(const gpus_machine& on, bool all) {
  return all ? on.all : std::vector<int>{on.all.front()};
}

std::uint64_t took_part(const run_report& report) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(report.executors, [](const executor_report& one) { return one.units > 0; }));
}

timed_run run_on_gpus(const gpus_run& run, const std::vector<int>& gpus) {
  timed_run one;
  job_options job{.device = device_choice::gpu, .report = &one.report};
  job.gpus = gpus;
  one.answer = run(job, one);
  one.figures = {{"of it mapping", one.report.map_seconds, "s"},
                 {"of it merging", one.report.merge_seconds, "s"},
                 {"GPUs that took part", static_cast<double>(took_part(one.report)), ""}};
  return one;
}

/// A row for one GPU and one for all, in turn, their answers compared.
void compare_gpus(gpus_machine& on, const std::string& workload, const bench_work& work, bool locked,
                  const gpus_run& run, bench_table& table) {
  stop_if_cancelled(&on.context.control);
  say(workload);
  std::vector<variant> variants;
  for (const bool all : {false, true}) {
    variants.push_back(variant_on(
        device_choice::gpu, all ? "duomap, all GPUs" : "duomap, one GPU",
        [&, all]() -> std::optional<timed_run> { return run_on_gpus(run, gpus_of(on, all)); }, true));
  }
  const auto rows = comparison(on.context.control).add_in_turn(variants, on.rounds, workload, work, table);
  const double link = locked ? on.links.locked : on.links.fed;
  rows[1].figures.push_back({"all links over one", link, "x"});
  rows[1].figures.push_back({"of that", *rows[1].speed_up / link, "x"});
}

/// GPUs start beside a run, and later runs have them.
/// @throws device_unavailable when one takes no part
void start_all(gpus_machine& on) {
  const std::vector<std::uint32_t> pairs(std::size_t{1} << 25);
  const input some = view_input({reinterpret_cast<const char*>(pairs.data()), 4 * pairs.size()});
  constexpr double long_enough = 20;
  const stopwatch clock;
  while (clock.seconds() < long_enough) {
    run_report report;
    job_options job{.device = device_choice::gpu, .report = &report};
    job.gpus = on.all;
    static_cast<void>(run(sum_by_key<std::int32_t>{}, some, on.pool, job));
    if (took_part(report) == on.all.size()) return;
  }
  throw device_unavailable("not all " + std::to_string(on.all.size()) + " GPUs took part in a run of " +
                           bytes_text(4 * pairs.size()) + " within " + duration_text(long_enough));
}

// What the links allow.

bench_row link_row(const std::string& workload, bool all, std::uint64_t bytes, std::vector<double> seconds) {
  bench_row row = row_on(device_choice::gpu, workload, all ? "bare copies, all GPUs" : "bare copies, one GPU",
                         {static_cast<double>(bytes), "B"}, std::move(seconds));
  row.checked = false;
  return row;
}

/// With as many threads as are best.
bench_row fed_row(const gpus_machine& on, bool all, byte_view memory) {
  const std::vector<int> gpus = gpus_of(on, all);
  std::optional<bench_row> best;
  for (const unsigned threads : {4u, 8u, 12u, 16u}) {
    if (best && threads * gpus.size() > on.pool.workers()) break;
    std::vector<double> seconds;
    for (unsigned i = 0; i < on.rounds; ++i) seconds.push_back(time_fed_copies(gpus, memory, threads));
    if (best && median(best->seconds) <= median(seconds)) continue;
    best = link_row("from ordinary memory", all, memory.size, std::move(seconds));
    best->figures = {{"threads of each GPU", static_cast<double>(threads), ""}};
  }
  return *best;
}

bench_table measure_links(gpus_machine& on, byte_view memory) {
  bench_table table{.name = "gpus-links",
                    .title = "What the links to GPUs allow",
                    .subject = bytes_text(memory.size) + ", in parts of equal size, nothing but copies",
                    .baseline = "one GPU",
                    .plotted = bench_axis::rate};
  for (const bool all : {false, true}) table.rows.push_back(fed_row(on, all, memory));
  const gpu::page_lock lock(memory);
  for (const bool all : {false, true}) {
    std::vector<double> seconds;
    for (unsigned i = 0; i < on.rounds; ++i) seconds.push_back(time_locked_copies(gpus_of(on, all), memory));
    table.rows.push_back(link_row("from page-locked memory", all, memory.size, std::move(seconds)));
  }
  for (const std::size_t one : {0u, 2u}) {
    table.rows[one].speed_up = 1;
    table.rows[one + 1].speed_up = speed_up_over(table.rows[one], table.rows[one + 1]);
  }
  on.links = {.locked = *table.rows[3].speed_up, .fed = *table.rows[1].speed_up};
  if (!lock.refusal().empty()) table.notes.push_back("not all memory was page-locked: " + lock.refusal());
  return table;
}

// Tasks.

using sums_task = sum_by_key<std::int64_t>;

gpus_run sums_of(const input& from, gpus_machine& on, std::optional<engine_kind> engine) {
  return [&from, &on, engine](job_options job, timed_run& into) {
    job.engine = engine;
    const stopwatch clock;
    const auto sums = run(sums_task{}, from, on.pool, job);
    into.seconds = clock.seconds();
    answer_digest answer;
    sums.for_each([&](std::uint32_t key, std::int64_t sum) {
      answer.add(reinterpret_cast<const char*>(&key), sizeof key, static_cast<std::uint64_t>(sum));
    });
    return answer;
  };
}

using bytes_in_memory = std::vector<char, untouched_allocator<char>>;

bytes_in_memory copy_of(byte_view from, worker_pool& pool) {
  bytes_in_memory copy(from.size + 64);  // readable bytes behind a chunk
  constexpr std::uint64_t step = std::uint64_t{1} << 22;
  pool.for_each_index((from.size + step - 1) / step, [&](std::uint64_t i) {
    std::memcpy(copy.data() + i * step, from.data + i * step, std::min(step, from.size - i * step));
  });
  return copy;
}

void measure_sums(gpus_machine& on, bench_table& table) {
  const std::uint64_t count = on.bytes / 8;
  for (const std::uint32_t keys : {1000u, 1'000'000u}) {
    const pair_data pairs({.pairs = count, .distinct = keys}, 1, on.pool);
    const bench_work work{8.0 * static_cast<double>(count), "B"};
    const std::string name = "sums of pairs by " + count_text(keys, "key");
    const auto compare = [&](const std::string& how, const input& from, bool locked,
                             std::optional<engine_kind> engine) {
      compare_gpus(on, name + ", " + how, work, locked, sums_of(from, on, engine), table);
    };
    compare("page cache", open_input({pairs.path()}, input_content::records), false, {});
    const bytes_in_memory copy = copy_of(pairs.bytes(), on.pool);
    const input memory = view_input({copy.data(), pairs.bytes().size});
    compare("ordinary memory", memory, false, {});
    const gpu::page_lock lock(memory);
    compare(std::string(locked_text), memory, true, {});
    compare(std::string(locked_text) + ", sort engine", memory, true, engine_kind::sort);
  }
}

void measure_words(gpus_machine& on, bench_table& table) {
  const bench_text words(100'000, 1, 20'000'000);
  const bench_text text({words.path()}, on.bytes);
  const input from = open_input({text.path()});
  const gpus_run count = [&](const job_options& job, timed_run& into) {
    const stopwatch clock;
    const auto counts = run(wordcount{}, from, on.pool, job);
    into.seconds = clock.seconds();
    return digest_of_counts(counts);
  };
  compare_gpus(on, "words, page cache", text.work(), false, count, table);
  const gpu::page_lock lock(from);
  compare_gpus(on, "words, " + std::string(locked_text), text.work(), true, count, table);
}

/// A hash of each row, added up.
answer_digest digest_of_rows(const matrix<float>& rows, worker_pool& pool) {
  std::vector<std::uint64_t> hashes(rows.rows());
  pool.for_each_index(rows.rows(), [&](std::uint64_t i) {
    for (const float x : rows.row(i))
      hashes[i] = (hashes[i] ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001B3u;
  });
  answer_digest answer;
  for (const std::uint64_t hash : hashes)
    answer.add(reinterpret_cast<const char*>(&hash), sizeof hash, answer.rows);
  return answer;
}

void measure_products(gpus_machine& on, bench_table& table) {
  for (const std::uint64_t usual : {std::uint64_t{8192}, std::uint64_t{16'384}}) {
    const std::uint64_t n = on.context.size(usual);
    // Whole numbers, so that no order of additions changes the product.
    const auto left = synthetic_whole_numbers(n, n, 1);
    const auto right = synthetic_whole_numbers(n, n, 2);
    matrix<float> product(n, n, "the product");
    const double size = static_cast<double>(n);
    compare_gpus(
        on, "matrix product, n " + count_text(usual), {2 * size * size * size, "FLOP"}, false,
        [&](const job_options& job, timed_run& into) {
          const stopwatch clock;
          matmul(left.view(), right.view(), std::span<float>(product.data(), n * n), {.job = job});
          into.seconds = clock.seconds();
          return digest_of_rows(product, on.pool);
        },
        table);
  }
}

void measure_neighbours(gpus_machine& on, bench_table& table) {
  const std::uint64_t rows = on.context.size(1'000'000);
  const auto training = synthetic_rows(rows, 128, 1);
  const auto queries = synthetic_rows(20'000, 128, 2);
  compare_gpus(
      on, "nearest rows, 20,000 queries of 128 numbers, k 10",
      {static_cast<double>(rows) * 20'000, "distances"}, false,
      [&](const job_options& job, timed_run& into) {
        const stopwatch clock;
        const knn_result found = knn(training.view(), queries.view(), {.k = 10, .job = job});
        into.seconds = clock.seconds();
        answer_digest answer;
        for (const neighbour& one : found.neighbours)
          answer.add(reinterpret_cast<const char*>(&one.score), sizeof one.score, one.index);
        return answer;
      },
      table);
}

void measure_similar(gpus_machine& on, bench_table& table) {
  const std::uint64_t rows = on.context.size(200'000);
  const auto vectors = synthetic_vectors(rows, 256, 1);
  std::optional<double> first;
  compare_gpus(
      on, "similar vectors of 256 numbers, best 10",
      {static_cast<double>(rows) * static_cast<double>(rows), "cosines"}, false,
      [&](const job_options& job, timed_run& into) {
        const stopwatch clock;
        const auto pairs = similarity(vectors.view(), {.best = 10, .job = job});
        into.seconds = clock.seconds();
        // Equal but for rounding.
        double sum = 0;
        for (const similar_pair& one : pairs) sum += static_cast<double>(one.cosine);
        if (!first) first = sum;
        require_same_answer(std::abs(sum - *first) <= 1e-5 * static_cast<double>(pairs.size()),
                            "similarity on " + count_text(job.gpus.size(), "GPU"), "the first run");
        return answer_digest{.rows = pairs.size()};
      },
      table);
}

void measure_kmeans(gpus_machine& on, bench_table& table) {
  const auto points = synthetic_rows(on.context.size(25'165'824), 32, 1);
  const std::uint64_t bytes = points.view().bytes().size;
  compare_gpus(
      on, "k-means, 20 steps, 32 numbers, k 40, ordinary memory", {static_cast<double>(bytes), "B"}, false,
      [&](const job_options& job, timed_run& into) {
        kmeans_options options{.clusters = 40, .max_iterations = 20, .tolerance = 0, .device = job.device};
        options.gpus = job.gpus;
        const stopwatch clock;
        const kmeans_result found = kmeans(points.view(), options, on.pool);
        into.seconds = clock.seconds();
        into.report = kmeans_report(found, bytes, on.pool.workers());
        answer_digest answer;
        answer.add(found.centres.view().bytes().data, found.centres.view().bytes().size, found.iterations);
        return answer;
      },
      table);
}

struct gpus_task {
  std::string_view name;
  void (*measure)(gpus_machine& on, bench_table& table);
};

constexpr std::array gpus_tasks = {
    gpus_task{"sums", measure_sums},        gpus_task{"words", measure_words},
    gpus_task{"product", measure_products}, gpus_task{"neighbours", measure_neighbours},
    gpus_task{"similar", measure_similar},  gpus_task{"kmeans", measure_kmeans}};

std::vector<bench_table> measure_gpus(const gpus_options& options, const bench_context& context) {
  const gpu::device_info& first = first_gpu();
  std::vector<int> all;
  for (const gpu::device_info& one : gpu::discover().devices) all.push_back(one.index);
  if (all.size() < 2) {
    throw device_unavailable("one GPU is compared with all GPUs of the machine, and this one has only GPU " +
                             std::to_string(first.index) + ", " + first.name);
  }
  require_tasks(options.tasks, gpus_tasks, "task", " to measure on all GPUs");
  gpus_machine on{.all = std::move(all),
                  .context = context,
                  .rounds = context.rounds(options.rounds),
                  .bytes = context.size(options.bytes)};
  start_all(on);
  bench_table table{
      .name = "gpus",
      .title = "All GPUs over one: " + count_text(on.all.size(), "GPU") + ", " + first.name,
      .subject =
          "GPUs without the CPU, all started before; one GPU and all in turn. 'All links over one' is "
          "what copies gain that do nothing else",
      .baseline = "one GPU"};
  const bytes_in_memory memory(on.bytes, 'x');
  std::vector<bench_table> tables{measure_links(on, {memory.data(), memory.size()})};
  for (const gpus_task& task : gpus_tasks) {
    if (is_chosen(options.tasks, task.name)) task.measure(on, table);
  }
  tables.push_back(std::move(table));
  return tables;
}

#else

std::vector<bench_table> measure_gpus(const gpus_options&, const bench_context&) {
  throw device_unavailable("this program was built without CUDA");
}

#endif

void add_options(CLI::App& command) {
  gpus_options& options = options_of_this_run<gpus_options>();
  add_texts(command, "--task", options.tasks,
            "only these, with commas between them: sums, words,\nproduct, neighbours, similar, kmeans");
  add_number(command, "--rounds", options.rounds, "timed runs of each", number_range<std::uint32_t>{1, 1000});
  add_number(command, "--bytes", options.bytes, "size of the text, of the pairs and of what is only copied",
             number_range<std::uint64_t>{1'000'000, std::uint64_t{1} << 40});
}

}  // namespace

const benchmark gpus_benchmark{
    .name = "gpus",
    .summary = "tasks on all GPUs against one of them",
    .description =
        "Sums by key, words, matrix products, nearest rows, similar vectors and k-means, on the first\n"
        "GPU and on all GPUs of the machine. Beside each stands what bare copies to all of them gain\n"
        "over copies to one, from page-locked and from ordinary memory: a task that is fed over\n"
        "the links cannot gain more.",
    .add_options = add_options,
    .measure = [](const bench_context& context) {
      refuse_torture();
      return measure_gpus(options_of_this_run<gpus_options>(), context);
    }};

}  // namespace duomap::apps
