// Makes the experiments on web server logs: page view count and page view rank.
#include "apps/tasks/weblog/count_views.hpp"
#include "bench/baselines/count_pages.hpp"
#include "bench/data/synthetic_log.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/text_problem.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t ranked = 10;

using ranking = std::vector<std::pair<std::string_view, std::uint64_t>>;

keyed_result<visits_by_page> count_by_duomap(const input& log, worker_pool& pool, const run_options& how) {
  const visit_count first_pass{.unique = visitor::client};
  auto visits = run(first_pass, log, pool, how);
  static_cast<void>(take_uncounted(visits));
  return count_visits(first_pass, visits, pool, *how.report);
}

}  // namespace

experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits, compared_engines engines) {
  const auto of = std::make_shared<text_problem<page_counts>>(synthetic_log(bytes, visits, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of,
               [](const auto& log, unsigned /*threads*/) { return count_clients_in_one_loop(log.bytes()); });
  add_baseline(all, of, [](const auto& log, unsigned threads) {
    return count_clients_with_tbb(log.bytes(), threads);
  });
  add_duomap(
      all, of,
      [](const auto& log, const run_options& how) {
        return count_by_duomap(log.text, *cpu::machine_pool(how.threads, log.text), how);
      },
      same_counts<visits_by_page>, engines);
  all.emits = [of] {
    return static_cast<double>(std::ranges::count(of->bytes(), '\n'));
  };
  return all;
}

experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits) {
  const auto of = std::make_shared<text_problem<ranking>>(synthetic_log(bytes, visits, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of, [](const auto& log, unsigned /*threads*/) {
    return rank_pages(count_clients_in_one_loop(log.bytes()), ranked);
  });
  add_duomap(
      all, of,
      [](const auto& log, const run_options& how) {
        const auto pool = cpu::machine_pool(how.threads, log.text);
        const auto counts = count_by_duomap(log.text, *pool, how);
        const auto best = run(page_rank{ranked}, entries_of(counts), *pool);
        std::vector<std::pair<std::string, std::uint64_t>> pages;
        for (const ranked_page& one : best[0])
          pages.emplace_back(byte_view{one.page, one.page_bytes}.text(), one.views);
        return pages;
      },
      [](const auto& pages, const ranking& expected) {
        return std::ranges::equal(pages, expected, [](const auto& a, const auto& b) {
          return a.first == b.first && a.second == b.second;
        });
      },
      compared_engines::sort);
  return all;
}

}  // namespace duomap::apps
