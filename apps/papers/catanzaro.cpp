#include "apps/papers/catanzaro.hpp"

#include "apps/cli/quantity.hpp"
#include "apps/papers/array_experiments.hpp"
#include "apps/papers/paper_tables.hpp"

namespace duomap::apps {

namespace {

bench_table vector_machines() {
  bench_table table;
  table.name = "catanzaro-tables-2-and-3";
  table.title = "Catanzaro et al., tables 2 and 3: support vector machines";
  table.subject = "STMCS 2008; " + std::string(paper_machine::catanzaro);
  table.plot = bench_plot::none;
  for (const published_times& paper : svm_times_of_catanzaro()) {
    bench_row row;
    row.workload = std::string(paper.task) + ", " + std::string(paper.data_set);
    row.program = "duomap";
    row.figures = {{"GPU in the paper", paper.gpu_seconds, "s"},
                   {"LIBSVM in the paper", paper.libsvm_seconds, "s"},
                   {"over LIBSVM in the paper", paper.libsvm_seconds / paper.gpu_seconds, "x"}};
    row.not_measured = "there is no measurement of support vector machines in duomap";
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<bench_table> measure_catanzaro(const bench_context& context) {
  std::vector<measured_experiment> all;
  for (const published_reduction& paper : reductions_of_catanzaro()) {
    all.push_back(measure({.paper = "Catanzaro et al.",
                           .subject = "sum",
                           .size = count_text(paper.elements) + " numbers",
                           .quick = true,
                           .make =
                               [&] {
                                 return sum_experiment(paper.elements);
                               }},
                          context));
    for (bench_row& row : all.back().rows) {
      row.figures.push_back({"best kernel in the paper", paper.best_seconds, "s"});
      row.figures.push_back({"worst kernel in the paper", paper.worst_seconds, "s"});
    }
  }
  bench_table table = table_of_all({"catanzaro-table-1", "Catanzaro et al., table 1: sums over arrays",
                                    "STMCS 2008; " + std::string(paper_machine::catanzaro) +
                                        ". Numbers of 32 bits in host memory, which a GPU has to copy first; "
                                        "the paper's were in the memory of "
                                        "its GPU, so that its times are of kernels alone"},
                                   all);
  table.notes.push_back(
      "The paper's best time for the largest array is as printed, and less than that for a quarter of it. "
      "Its "
      "point is that the best kernel differs from size to size by up to 60 times; duomap has one for each "
      "kind "
      "of task, with sizes chosen by device");
  table.notes.push_back(
      "The smallest array takes a core less time than the fixed cost of a run of duomap, which starts "
      "workers and "
      "writes a report; the largest is limited by memory");
  return {std::move(table), vector_machines()};
}

}  // namespace duomap::apps
