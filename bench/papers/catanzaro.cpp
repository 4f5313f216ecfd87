// Measures sums and support vector machines beside the times that Catanzaro et al. published.
#include "bench/papers/catanzaro.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/printed.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/paper_tables.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace {

/// The paper's times for a task: "Adult 36.3 s, LIBSVM 9 min 10 s (15.2 times as long)".
std::string times_text(std::string_view task) {
  std::string text;
  for (const published_times& one : svm_times_of_catanzaro()) {
    if (one.task != task) continue;
    text += (text.empty() ? "" : "; ") + std::string(one.data_set) + " " + duration_text(one.gpu_seconds) +
            ", LIBSVM " + duration_text(one.libsvm_seconds) +
            printed(" (%.1f times as long)", one.libsvm_seconds / one.gpu_seconds);
  }
  return text;
}

bench_table sums(const bench_context& context) {
  std::vector<measured_experiment> all;
  for (const published_reduction& paper : reductions_of_catanzaro()) {
    const planned_experiment plan{"Catanzaro et al.", "sum", count_text(paper.elements) + " numbers", true,
                                  [&] {
                                    return sum_experiment(paper.elements);
                                  }};
    all.push_back(measure(plan, context));
    for (bench_row& row : all.back().rows) {
      row.figures.push_back({"best kernel in the paper", paper.best_seconds, "s"});
      row.figures.push_back({"worst kernel in the paper", paper.worst_seconds, "s"});
    }
  }
  bench_table table =
      table_of_all({"catanzaro-table-1", "Catanzaro et al., table 1: sums over arrays",
                    "STMCS 2008; " + std::string(paper_machine::catanzaro) +
                        ". Numbers of 32 bits in host memory, which a GPU has to copy first, and once in the "
                        "GPU's: the paper's were there, so that its times are of kernels alone"},
                   all);
  table.notes.push_back(
      "The paper's best time for the largest array is as printed, and less than that for a quarter of it. "
      "Its point is that the best kernel differs from size to size by up to 60 times; duomap has one for "
      "each kind of task, with sizes chosen by device");
  table.notes.push_back(
      "The smallest array takes a core less time than the fixed cost of a run of duomap, which starts "
      "workers and writes a report; the largest is limited by memory");
  return table;
}

bench_table vector_machines(const table_head& head, const std::string& task,
                            experiment (*make)(std::uint64_t rows), const std::vector<named_size>& sizes,
                            const bench_context& context) {
  std::vector<planned_experiment> plans;
  add_sizes(plans, "Catanzaro et al.", task, sizes, make);
  bench_table table = table_of_all(head, measure_all(plans, context));
  table.notes.push_back("In the paper (" + std::string(paper_machine::catanzaro) +
                        "), on the GPU: " + times_text(task));
  table.notes.push_back(
      "The sequential program keeps no kernel rows and computes in doubles, which LIBSVM does not; duomap "
      "bench svmtrain measures the paper's Adult and USPS beside LIBSVM, where these are there");
  return table;
}

}  // namespace

std::vector<bench_table> measure_catanzaro(const bench_context& context) {
  std::vector<bench_table> tables;
  tables.push_back(sums(context));
  tables.push_back(
      vector_machines({"catanzaro-table-2", "Catanzaro et al., table 2: training",
                       "STMCS 2008. Synthetic rows of 16 numbers in two classes that overlap, C = "
                       "1, gamma = 0.5, epsilon = 0.001; in memory"},
                      "training", svm_training_experiment,
                      {{1000, "1,000 rows"}, {2000, "2,000 rows"}, {4000, "4,000 rows"}}, context));
  tables.push_back(vector_machines({"catanzaro-table-3", "Catanzaro et al., table 3: classification",
                                    "STMCS 2008. Such rows, by a machine that was trained on a thousand"},
                                   "classification", svm_classification_experiment,
                                   {{10'000, "10,000 rows"}, {100'000, "100,000 rows"}}, context));
  return tables;
}

}  // namespace duomap::apps
