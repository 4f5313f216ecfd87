// An experiment of a paper: a problem and the programs that solve it.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/comparison.hpp"
#include "core/byte_view.hpp"
#include "core/result.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/run_resident.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

class temporary_folder;

/// The programs that solve one problem of a paper. The first program is sequential, and the answers of all
/// others are compared with its answer. The clock runs from the opening of the input to the complete result.
struct experiment {
  std::vector<variant> programs = {};
  std::string file = {};               ///< the input's file; empty if the input is in memory
  std::string work_unit = "B";         ///< the unit of `work`
  double work = 0;                     ///< the amount of work of a run
  std::function<double()> emits = {};  ///< the emits of a run, once all programs have run; empty: unknown
  std::shared_ptr<const temporary_folder> profiles = {};  ///< the folder for profiles of runs on CPU and GPU
};

/// An experiment before its data is made.
struct planned_experiment {
  std::string paper;    ///< "Mars"
  std::string subject;  ///< "string match"
  std::string size;     ///< "32 MB"
  bool quick = false;   ///< --quick includes it
  std::function<experiment()> make;
};

/// A size of an experiment's data, and the paper's name for it.
struct named_size {
  std::uint64_t value;
  std::string name;
};

/// Adds the experiment make(value) for each size; --quick includes the first.
template <class Make>
void add_sizes(std::vector<planned_experiment>& all, const std::string& paper, const std::string& subject,
               const std::vector<named_size>& sizes, const Make& make) {
  for (const named_size& size : sizes) {
    all.push_back({.paper = paper,
                   .subject = subject,
                   .size = size.name,
                   .quick = size.name == sizes.front().name,
                   .make = [make, value = size.value] {
                     return make(value);
                   }});
  }
}

/// The GPU engines that an experiment measures beside duomap's own choice.
enum class compared_engines {
  none,
  sort,    ///< also the sort engine: count, write, sort, reduce, as Mars does
  tables,  ///< also the sort engine, and the hash engine with 1, 2, 4 and no tables in a block; with none
           ///< it works as MapCG does
};

/// The name of the first program in messages.
inline constexpr const char* sequential_program = "the sequential program";

/// The names of duomap's programs.
inline constexpr const char* sort_engine_program = "duomap, sort engine";
inline constexpr const char* no_tables_program = "duomap, no tables in blocks";
[[nodiscard]] std::string tables_program(unsigned tables);
inline constexpr const char* resident_program = "duomap, data in its memory";

/// Why nothing is measured on GPUs: "no GPU"; empty if there is a GPU.
[[nodiscard]] std::string why_no_gpu();

/// Adds duomap's programs: on one thread, on all cores, on the GPU, and on both devices. `solve` solves the
/// problem with the given options and compares the answer. Without a GPU, the programs that need one are not
/// measured and say why.
void add_programs_of_duomap(experiment& to, const std::function<timed_run(const run_options&)>& solve,
                            compared_engines engines);

/// Adds a program on a GPU whose data is in the GPU's memory before the clock starts. Papers that timed only
/// kernels measured this, too. `bytes` must outlive the experiment.
/// @param same(result, expected) whether the answer is right
template <class Problem, map_reduce_task Task, class Same>
void add_resident(experiment& to, const std::shared_ptr<Problem>& of, const Task& task, byte_view bytes,
                  const Same& same) {
  variant one{.name = resident_program,
              .device = "gpu",
              .threads = cpu::usable_cores().cores,
              .not_measured = why_no_gpu()};
  if constexpr (gpu::has_code<Task>) {
    if (one.not_measured.empty())
      one.run = [=] {
        const auto pool = cpu::machine_pool(0, view_input(bytes));
        auto ended = gpu::run_resident(task, gpu::discover().devices.front().index, bytes, 3, {}, *pool);
        timed_run last;
        last.seconds = ended.seconds.back();
        const auto result = make_result(task, std::move(ended.found), *pool);
        require_same_answer(same(result, *of->expected), resident_program, sequential_program);
        return last;
      };
  }
  to.programs.push_back(std::move(one));
}

/// Times solve(options) until its result is complete, keeps the report of the run, then throws unless
/// same(result).
template <class Solve, class Same>
[[nodiscard]] timed_run solve_and_compare(const std::string& name, const run_options& how, const Solve& solve,
                                          const Same& same) {
  timed_run one;
  run_options mine = how;
  mine.report = &one.report;
  const stopwatch clock;
  const auto result = solve(mine);
  one.seconds = clock.seconds();
  require_same_answer(same(result), name, sequential_program);
  return one;
}

/// Adds duomap's programs, which call solve(problem, options). Their results are right if same(result,
/// problem.expected).
template <class Problem, class Solve, class Same>
void add_duomap(experiment& to, const std::shared_ptr<Problem>& of, const Solve& solve, const Same& same,
                compared_engines engines = compared_engines::none) {
  const auto once = [=](const run_options& how) {
    return solve_and_compare(
        "duomap", how, [&](const run_options& mine) { return solve(*of, mine); },
        [&](const auto& found) { return same(found, *of->expected); });
  };
  add_programs_of_duomap(to, once, engines);
}

/// Adds a baseline that calls solve(problem, threads). The first baseline is the sequential program, whose
/// answer becomes `of->expected`; other answers are right if same(answer, of->expected).
template <class Problem, class Solve, class Same = std::equal_to<>>
void add_baseline(experiment& to, const std::shared_ptr<Problem>& of, const Solve& solve,
                  const Same& same = {}) {
  const std::string name = to.programs.empty() ? "sequential" : "plain oneTBB";
  const unsigned threads = to.programs.empty() ? 1 : cpu::usable_cores().cores;
  to.programs.push_back({.name = name, .threads = threads, .run = [of, name, threads, solve, same] {
                           return solve_and_compare(
                               name, {}, [&](const run_options&) { return solve(*of, threads); },
                               [&](const auto& found) {
                                 if (!of->expected) of->expected.emplace(found);
                                 return same(found, *of->expected);
                               });
                         }});
}

}  // namespace duomap::apps
