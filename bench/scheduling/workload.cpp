// Runs word count, k-means and the synthetic task, and compares each answer with that of oneTBB alone.
#include "bench/scheduling/workload.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/scheduling/overhead.hpp"
#include "bench/scheduling/plain_tbb.hpp"
#include "bench/scheduling/set_cost.hpp"
#include "duomap.hpp"
#include "numeric/kmeans/kmeans_step.hpp"
#include "scheduler/iterative/iterative_job.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint32_t centre_count = 20;
// The relative error that a sum of floats may have if each worker adds up its own part. A float near 2^31 is
// a multiple of 128, so each addition rounds, and the rounding has a bias: 2 % with 16 GB of points.
double float_sum_error(std::uint64_t values, unsigned workers) {
  constexpr double least = 1e-2;
  return std::max(least, 0x1p-24 / 8 * static_cast<double>(values) / workers);
}

answer_digest answer_of(const result_for<wordcount>& counts) { return digest_of_counts(counts); }

std::uint64_t answer_of(const result_for<set_cost>& sum) { return sum[0]; }

using centre_sums = std::vector<kmeans_sum<3>>;

centre_sums answer_of(const result_for<kmeans_step<3>>& sums) {
  centre_sums answer;
  for (std::uint64_t centre = 0; centre < sums.size(); ++centre) answer.push_back(sums[centre]);
  return answer;
}

// The difference between two answers of `workers` workers as text; empty when they agree.
std::string difference(const answer_digest& found, const answer_digest& expected, unsigned /*workers*/) {
  if (found == expected) return {};
  return count_text(found.rows, "word") + " that occur " + count_text(found.total) + " times, not " +
         count_text(expected.rows) + " that occur " + count_text(expected.total) + " times";
}

std::string difference(std::uint64_t found, std::uint64_t expected, unsigned /*workers*/) {
  return found == expected ? "" : std::to_string(found) + ", not " + std::to_string(expected);
}

std::string difference(const centre_sums& found, const centre_sums& expected, unsigned workers) {
  for (std::size_t c = 0; c < expected.size(); ++c) {
    const std::string centre = "centre " + std::to_string(c) + " has ";
    if (found[c].points != expected[c].points)
      return centre + count_text(found[c].points, "point") + ", not " + count_text(expected[c].points);
    const double part = float_sum_error(expected[c].points, workers);
    for (int d = 0; d < 3; ++d) {
      const double off = std::abs(double{found[c].at[d]} - double{expected[c].at[d]});
      if (!(off <= part * double{expected[c].at[d]}))
        return centre + "the sum " + std::to_string(found[c].at[d]) + ", not " +
               std::to_string(expected[c].at[d]) + ", of " + count_text(found[c].points, "point");
    }
  }
  return {};
}

// The state that all runs of one workload share. The task's broadcast arrays point into `Owned`.
template <class Task, class Owned>
struct setting {
  setting(std::string name_, const Task& task_, Owned owned_, byte_view bytes, worker_pool& pool_)
    : name(std::move(name_)),
      task(task_),
      owned(std::move(owned_)),
      from(view_input(bytes)),
      pool(pool_),
      arena(static_cast<int>(pool_.workers())),
      expected(answer_of(run_on_plain_tbb(task, from, arena, pool))) {}

  /// Makes a run on oneTBB alone, which keeps the setting alive.
  static std::function<timed_run()> plain(const std::shared_ptr<setting>& all) {
    return [all] {
      return all->timed(", again,", [&](run_report&) {
        return run_on_plain_tbb(all->task, all->from, all->arena, all->pool);
      });
    };
  }

  template <class Run>
  timed_run timed(const std::string& how, Run run) {
    timed_run one;
    const double processor_begin = processor_seconds();
    const stopwatch clock;
    const auto result = run(one.report);
    one.seconds = clock.seconds();
    one.processor_seconds = processor_seconds() - processor_begin;
    const std::string wrong = difference(answer_of(result), expected, pool.workers());
    require_same_answer(wrong.empty(), "a run of " + name + " over " + bytes_text(from[0].units()) + how,
                        "oneTBB alone", wrong);
    return one;
  }

  std::string name;
  Task task;
  Owned owned;
  input from;
  worker_pool& pool;
  tbb::task_arena arena;
  decltype(answer_of(std::declval<const result_for<Task>&>())) expected;
};

// Names a run in messages: " on cpu+gpu, split by hand".
std::string how_text(const run_options& options) {
  const bool by_hand = options.share.policy == share_policy::by_hand;
  return " on " + device_text(options.device) + (by_hand ? ", split by hand" : "");
}

struct nothing {};

template <class Task, class Owned = nothing>
workload make_workload(std::string name, const Task& task, byte_view bytes, worker_pool& pool,
                       Owned owned = {}) {
  const auto all = std::make_shared<setting<Task, Owned>>(name, task, std::move(owned), bytes, pool);
  workload made{std::move(name), bytes.size, {}, all->plain(all)};
  made.run = [all](const run_options& options) {
    // Copies the options, among them a folder's name, before the clock starts, because a run may take as
    // little as 30 us.
    return all->timed(how_text(options), [&all, reported = options](run_report& report) mutable {
      reported.report = &report;
      return run(all->task, all->from, all->pool, reported);
    });
  };
  return made;
}

using centre_list = std::vector<kmeans_center<3>>;

// The first points serve as centres; they are whole numbers, like all points.
std::unique_ptr<centre_list> first_points(byte_view points) {
  auto centres = std::make_unique<centre_list>();
  const auto* const values = reinterpret_cast<const float*>(points.data);
  for (std::uint32_t c = 0; c < centre_count; ++c) centres->emplace_back(values + 3 * c);
  return centres;
}

// An iterative job and the state of its split.
struct settled_job {
  std::unique_ptr<iterative_job<kmeans_step<3>>> job;
  double share = -1;  // the share set by hand

  // Takes unmeasured steps until the split has settled: at least 5, for half a second, after which `auto` has
  // decided about GPUs.
  template <class Setting>
  void settle(Setting& all, const run_options& options) {
    const bool by_hand = options.share.policy == share_policy::by_hand;
    const bool is_new = !job;
    if (is_new) {
      const run_options how{.device = options.device, .share = options.share};
      job = std::make_unique<iterative_job<kmeans_step<3>>>(all.task, all.from, all.pool, how);
    }
    if (by_hand && share != options.share.gpu_share) {
      share = options.share.gpu_share;
      job->share_by_hand(share);
      static_cast<void>(job->step(all.task));
    }
    if (!is_new) return;
    const stopwatch clock;
    constexpr double long_enough = 0.5;
    for (int steps = 0; steps < 5 || (steps < 2000 && clock.seconds() < long_enough); ++steps)
      static_cast<void>(job->step(all.task));
  }
};

// The members of a run's report that a step can fill.
run_report run_report_of(const iterative_report& steps) {
  run_report report;
  report.units = steps.units;
  report.map_seconds = steps.step_seconds;
  report.notes = steps.notes;
  for (const iterative_part& part : steps.parts) {
    executor_report one;
    one.name = part.name;
    one.kind = part.kind;
    one.units = static_cast<std::uint64_t>(part.share * static_cast<double>(steps.units));
    one.reason = part.reason;
    one.seconds_per_unit = part.seconds_per_unit;
    one.trouble = part.trouble;
    report.executors.push_back(std::move(one));
  }
  return report;
}

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

workload wordcount_of(byte_view text, worker_pool& pool) {
  return make_workload("word count", wordcount{}, text, pool);
}

workload kmeans_of(byte_view points, worker_pool& pool) {
  auto centres = first_points(points);
  const kmeans_step<3> task{{centres->data(), centres->size()}};
  return make_workload("k-means step", task, points, pool, std::move(centres));
}

workload resident_kmeans_of(byte_view points, worker_pool& pool) {
  auto centres = first_points(points);
  const kmeans_step<3> task{{centres->data(), centres->size()}};
  const auto all = std::make_shared<setting<kmeans_step<3>, std::unique_ptr<centre_list>>>(
      "k-means step, resident", task, std::move(centres), points, pool);
  const auto jobs = std::make_shared<std::map<int, settled_job>>();
  workload made{all->name, points.size, {}, all->plain(all)};
  made.run = [all, jobs](const run_options& options) {
    const bool by_hand = options.share.policy == share_policy::by_hand;
    // A split by hand has a job of its own, beside the jobs of the device choices.
    settled_job& mine = (*jobs)[by_hand ? -1 : static_cast<int>(options.device)];
    mine.settle(*all, options);
    timed_run one = all->timed(how_text(options), [&](run_report&) { return mine.job->step(all->task); });
    one.report = run_report_of(mine.job->report());
    return one;
  };
  return made;
}

workload set_cost_of(byte_view rows, std::uint32_t steps, const std::string& name, worker_pool& pool) {
  return make_workload(name, set_cost{steps}, rows, pool);
}

void fill_with_points(char* into, std::uint64_t bytes, std::uint64_t seed, worker_pool& pool) {
  constexpr std::uint64_t block = std::uint64_t{1} << 18;  // floats
  auto* const values = reinterpret_cast<float*>(into);
  const std::uint64_t count = bytes / sizeof(float);
  pool.for_each_index((count + block - 1) / block, [&](std::uint64_t b) {
    const std::uint64_t end = std::min((b + 1) * block, count);
    for (std::uint64_t i = b * block; i < end; ++i)
      values[i] = static_cast<float>(mixed(seed * 0x9E3779B97F4A7C15u + i) >> 54);
  });
}

}  // namespace duomap::apps
