// Measures the applications of Chen & Agrawal by size and by number of keys, and makes their tables and
// figures.
#include "bench/papers/chen_agrawal.hpp"

#include "apps/report/quantity.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/paper_tables.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::apps {
namespace {

constexpr std::uint64_t distinct_words = 90;
constexpr std::uint64_t distinct_visits = 103;

/// Makes figure 3: 1, 2 and 4 tables in a block of threads, beside the number that duomap chooses.
bench_table groups_of(std::span<const measured_experiment> all) {
  bench_table table;
  table.name = "chen-agrawal-figure-3";
  table.title = "Chen & Agrawal, figure 3: groups of threads with a reduction object each";
  table.subject =
      "The paper's reduction object is a table that each group of threads has in shared memory, with 1, 2 or "
      "4 groups in a block; duomap chooses by device and task";
  table.baseline = "duomap's choice";
  table.plot = bench_plot::none;
  for (const best_groups& best : best_groups_of_chen_agrawal()) {
    for (const measured_experiment& one : all) {
      if (one.subject != best.subject) continue;
      const std::size_t first = table.rows.size();
      table.rows.push_back(one.row(on::gpu));
      bench_row& chosen = table.rows.back();
      chosen.program = "duomap, automatic";
      chosen.speed_up.reset();
      chosen.note = best.groups == 0 ? "in the paper the number of groups made no difference"
                                     : "fastest in the paper: " + count_text(best.groups, "group");
      for (const unsigned groups : {1u, 2u, 4u}) {
        const std::string name = tables_program(groups);
        const program_on fixed{name, "gpu"};
        bench_row row = one.row(one.has(fixed) ? fixed : on::gpu);
        row.program = "duomap, " + count_text(groups, "group");
        row.speed_up.reset();
        if (!one.has(fixed) && row.not_measured.empty()) {
          row = {
              .workload = row.workload, .program = row.program, .device = row.device, .threads = row.threads};
          row.not_measured = "its kernels have no groups: how they share memory follows from the task's size";
        }
        table.rows.push_back(std::move(row));
      }
      set_speed_ups(table, first);
    }
  }
  return table;
}

// The paper has five numbers of keys from 300 to 4000; its text names these four.
constexpr std::array<std::uint64_t, 4> numbers_of_keys = {300, 800, 2000, 4000};

template <class Make>
std::vector<measured_experiment> measure_by_keys(const std::string& subject, const Make& make,
                                                 const bench_context& context) {
  const std::uint64_t megabytes = context.quick ? 20 : 100;
  std::vector<measured_experiment> all;
  for (const std::uint64_t keys : numbers_of_keys) {
    const planned_experiment plan{"Chen & Agrawal", subject + ", " + count_text(keys) + " distinct keys",
                                  std::to_string(megabytes) + " MB", true, [&] {
                                    return make(megabytes * 1'000'000, keys);
                                  }};
    all.push_back(measure(plan, context));
    for (bench_row& row : all.back().rows) row.x = static_cast<double>(keys);
  }
  return all;
}

void leave_groups_out(bench_table& table) {
  for (const unsigned groups : {1u, 2u, 4u}) leave_out(table, tables_program(groups));
}

bench_table times_by_keys(const table_head& head, std::span<const measured_experiment> all,
                          const std::string& x_label) {
  bench_table table = table_of_all(head, all);
  leave_groups_out(table);
  table.plot = bench_plot::lines;
  table.plotted = bench_axis::seconds;
  table.x_label = x_label;
  return table;
}

/// The swaps per record in figure 8, if the paper's text gives the number.
std::optional<double> swaps_in_paper(std::string_view subject, double keys) {
  if (keys == 300) return 0;
  if (keys == 4000 && subject.starts_with("page view count")) return 0.002;
  return std::nullopt;
}

bench_table swap_frequency(std::span<const measured_experiment> words,
                           std::span<const measured_experiment> views) {
  bench_table table;
  table.name = "chen-agrawal-figure-8";
  table.title = "Chen & Agrawal, figure 8: how often a reduction object in shared memory was full";
  table.subject =
      "The paper's swap frequency is how often a full table was moved to device memory, over the number of "
      "records, with tables of 600 slots. duomap never moves a whole table: an emit that finds no place in "
      "its block's goes to device memory alone. What is counted here is the part of all emits that did";
  table.plot = bench_plot::none;
  for (const std::span<const measured_experiment> each : {words, views}) {
    for (const measured_experiment& one : each) {
      for (const std::string& name : {std::string(on::gpu.name), tables_program(4)}) {
        const std::size_t at = one.find({name, on::gpu.device});
        bench_row row = one.rows[at];
        row.speed_up.reset();
        const std::optional<double> paper = swaps_in_paper(one.subject, row.x.value_or(0));
        if (!row.seconds.empty() && one.emits) {
          double past = 0;
          for (const executor_report& part : one.reports[at].executors)
            past += static_cast<double>(part.engine.past_block_tables);
          row.figures.push_back({"emits past the tables, of all", past / *one.emits, ""});
        }
        if (paper) row.figures.push_back({"swaps a record in the paper", *paper, ""});
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

}  // namespace

std::vector<planned_experiment> experiments_of_chen_agrawal() {
  std::vector<planned_experiment> all;
  const auto add = [&](const std::string& subject, const std::vector<named_size>& sizes, const auto& make) {
    add_sizes(all, "Chen & Agrawal", subject, sizes, make);
  };
  const std::vector<named_size> points = {
      {10'000, "10,000 points"}, {100'000, "100,000 points"}, {1'000'000, "1,000,000 points"}};
  for (const std::uint32_t k : {20u, 40u, 100u}) {
    add("k-means, k = " + std::to_string(k), points,
        [k](std::uint64_t count) { return kmeans_experiment(count, k); });
  }
  add("nearest neighbours, k = 20", points, knn_experiment);
  add("word count, 90 distinct words",
      {{5'460'000, "5.46 MB"}, {10'940'000, "10.94 MB"}, {87'500'000, "87.5 MB"}},
      [](std::uint64_t bytes) { return wordcount_experiment(bytes, distinct_words); });
  add("naive Bayes", {{26'000'000, "26 MB"}, {52'000'000, "52 MB"}, {104'000'000, "104 MB"}},
      naivebayes_experiment);
  add("page view count", {{44'000'000, "44 MB"}, {88'000'000, "88 MB"}, {176'000'000, "176 MB"}},
      [](std::uint64_t bytes) {
        return pageviewcount_experiment(bytes, distinct_visits, compared_engines::tables);
      });
  add("matrix multiplication", {{512, "512"}, {1024, "1024"}, {2048, "2048"}}, matmul_experiment);
  add("principal components", {{8, "1,048,576 x 8"}, {16, "1,048,576 x 16"}, {32, "1,048,576 x 32"}},
      [](std::uint64_t columns) {
        return covariance_experiment(1'048'576, static_cast<std::uint32_t>(columns));
      });
  return all;
}

std::vector<bench_table> measure_chen_agrawal(const bench_context& context) {
  const std::vector<measured_experiment> all = measure_all(experiments_of_chen_agrawal(), context);
  std::vector<bench_table> tables;
  tables.push_back(
      table_of_all({"chen-agrawal-table-1", "Chen & Agrawal, table 1: nine applications",
                    "HPDC 2012. Synthetic data from seeds: points of three floats, words by Zipf's law, rows "
                    "of 30 keys, logs of 103 different visits. k-means makes ten iterations. From the opened "
                    "input, in the page cache, to the complete result"},
                   all));
  leave_groups_out(tables.back());
  tables.back().notes = {
      std::string(note_on_logs),
      "Nearest neighbours: 10,000 points take a core less time than the fixed cost of a run of duomap, which "
      "starts workers, checks values and writes a report"};
  tables.push_back(table_beside_published(
      {"chen-agrawal-figure-4", "Chen & Agrawal, figure 4: over the sequential program",
       "The paper compares a GPU with one core of a CPU"},
      all, std::array{on::sequential, on::cpu, on::gpu, on::resident}, "the sequential program",
      published_results_of_chen_agrawal(), published_over::sequential, paper_machine::chen_agrawal));
  tables.push_back(groups_of(all));
  tables.push_back(table_of_other_systems(
      {"chen-agrawal-figures-5-to-7", "Chen & Agrawal, figures 5 to 7: over MapCG and Ji and Ma's framework",
       "In summary the paper says 5 to 200 times as fast as MapCG for four applications that reduce much, "
       "and 2 to 60 times as fast as Ji and Ma's framework; " +
           std::string(paper_machine::chen_agrawal)},
      all, published_results_of_chen_agrawal()));
  return tables;
}

std::vector<bench_table> measure_distinct_keys(const bench_context& context) {
  const auto words = measure_by_keys("word count", wordcount_experiment, context);
  const auto views = measure_by_keys(
      "page view count",
      [](std::uint64_t bytes, std::uint64_t visits) {
        return pageviewcount_experiment(bytes, visits, compared_engines::tables);
      },
      context);
  std::vector<bench_table> tables;
  tables.push_back(swap_frequency(words, views));
  tables.push_back(
      times_by_keys({"chen-agrawal-figure-9", "Chen & Agrawal, figure 9: word count by distinct words",
                     "In the paper the time grows with the swaps from 800 words on, and stays below that of "
                     "MapCG and of Ji and Ma's framework"},
                    words, "distinct words"));
  tables.push_back(times_by_keys(
      {"chen-agrawal-figure-10", "Chen & Agrawal, figure 10: page view count by distinct visits",
       "In the paper MapCG is slower, but for 4000 visits"},
      views, "distinct visits"));
  tables.back().notes.emplace_back(note_on_logs);
  return tables;
}

}  // namespace duomap::apps
