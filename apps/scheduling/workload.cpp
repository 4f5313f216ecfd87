#include "apps/scheduling/workload.hpp"

#include "apps/bench/contest.hpp"
#include "apps/kmeans/kmeans_step.hpp"
#include "apps/scheduling/plain_tbb.hpp"
#include "apps/scheduling/set_cost.hpp"
#include "apps/wordcount/wordcount.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint32_t centre_count = 20;

answer_digest answer_of(const result_for<wordcount>& counts) {
  answer_digest answer;
  counts.for_each([&](byte_view word, std::uint64_t count) { answer.add(word.data, word.size, count); });
  return answer;
}

std::uint64_t answer_of(const result_for<set_cost>& sum) { return sum[0]; }

using centre_sums = std::vector<kmeans_sum<3>>;

centre_sums answer_of(const result_for<kmeans_step<3>>& sums) {
  centre_sums answer;
  for (std::uint64_t centre = 0; centre < sums.size(); ++centre) answer.push_back(sums[centre]);
  return answer;
}

template <class Answer>
bool same(const Answer& a, const Answer& b) {
  return a == b;
}

bool same(const centre_sums& a, const centre_sums& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const kmeans_sum<3>& one, const kmeans_sum<3>& other) {
                      for (int d = 0; d < 3; ++d) {
                        if (!(std::abs(one.at[d] - other.at[d]) <= 1e-3f * std::abs(other.at[d])))
                          return false;
                      }
                      return one.points == other.points;
                    });
}

// Everything that runs of one workload share. `Owned`: what the task's broadcast arrays point to.
template <class Task, class Owned>
struct setting {
  setting(Task task_, Owned owned_, byte_view bytes, parallel& pool_)
    : task(std::move(task_)),
      owned(std::move(owned_)),
      from(view_input(bytes)),
      pool(pool_),
      arena(static_cast<int>(pool_.workers())),
      expected(answer_of(run_on_plain_tbb(task, from, arena, pool))) {}

  template <class Run>
  timed_run timed(const Run& run) {
    using clock = std::chrono::steady_clock;
    timed_run one;
    const auto begin = clock::now();
    const auto result = run(one.report);
    one.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    if (!same(answer_of(result), expected))
      throw error(exit_status::failed, "two runs of a task gave different answers");
    return one;
  }

  Task task;
  Owned owned;
  input from;
  parallel& pool;
  tbb::task_arena arena;
  decltype(answer_of(std::declval<const result_for<Task>&>())) expected;
};

struct nothing {};

template <class Task, class Owned = nothing>
workload make_workload(std::string name, const Task& task, byte_view bytes, parallel& pool,
                       Owned owned = {}) {
  const auto all = std::make_shared<setting<Task, Owned>>(task, std::move(owned), bytes, pool);
  workload made{std::move(name), bytes.size, {}, {}};
  made.run = [all](const job_options& options) {
    return all->timed([&](run_report& report) {
      job_options reported = options;
      reported.report = &report;
      return run(all->task, all->from, all->pool, reported);
    });
  };
  made.run_plain = [all] {
    return all->timed(
        [&](run_report&) { return run_on_plain_tbb(all->task, all->from, all->arena, all->pool); });
  };
  return made;
}

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

workload wordcount_of(byte_view text, parallel& pool) {
  return make_workload("word count", wordcount{}, text, pool);
}

workload kmeans_of(byte_view points, parallel& pool) {
  // The first points are as good centres as any; whole numbers, like all of them.
  using centres = std::vector<kmeans_centre<3>>;
  auto owned = std::make_unique<centres>();
  const auto* const values = reinterpret_cast<const float*>(points.data);
  for (std::uint32_t c = 0; c < centre_count; ++c) owned->emplace_back(values + 3 * c);
  const kmeans_step<3> task{{owned->data(), owned->size()}};
  return make_workload("k-means step", task, points, pool, std::move(owned));
}

workload set_cost_of(byte_view rows, std::uint32_t steps, const std::string& name, parallel& pool) {
  return make_workload(name, set_cost{steps}, rows, pool);
}

void fill_with_points(char* into, std::uint64_t bytes, std::uint64_t seed, parallel& pool) {
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
