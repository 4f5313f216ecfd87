#include "apps/bench/papers/log_experiments.hpp"

#include "apps/bench/baselines/count_pages.hpp"
#include "apps/bench/data/made_up_log.hpp"
#include "apps/bench/papers/text_problem.hpp"
#include "apps/commands/count_views.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

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

keyed_result<visits_by_page> count_by_duomap(const input& log, parallel& pool, const job_options& how) {
  const visit_count first_pass{.unique = visitor::client};
  auto visits = run(first_pass, log, pool, how);
  static_cast<void>(take_not_views(visits));
  return count_visits(first_pass, visits, pool, *how.report);
}

bool same_counts(const keyed_result<visits_by_page>& counts, const page_counts& expected) {
  bool same = counts.size() == expected.size();
  counts.for_each([&](byte_view page, std::uint64_t views) {
    const auto known = expected.find(page.text());
    same = same && known != expected.end() && known->second == views;
  });
  return same;
}

}  // namespace

experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits, other_engines engines) {
  const auto of = std::make_shared<text_problem<page_counts>>(made_up_log(bytes, visits, seed));
  const unsigned cores = cpu::usable_cores().cores;
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1,
                        [](const auto& log) { return count_pages_in_one_loop(log.bytes()); });
  add_compared_baseline(all, of, "plain oneTBB", cores,
                        [cores](const auto& log) { return count_pages_with_tbb(log.bytes(), cores); });
  add_duomap(
      all,
      [of](const job_options& how) {
        return count_by_duomap(of->text, *cpu::machine_pool(how.threads, of->text), how);
      },
      [of](const auto& counts) { return same_counts(counts, *of->expected); }, engines);
  all.emits = [of] {
    return static_cast<double>(std::ranges::count(of->bytes(), '\n'));
  };
  return all;
}

experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits) {
  const auto of = std::make_shared<text_problem<ranking>>(made_up_log(bytes, visits, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1, [](const auto& log) {
    return rank_pages(count_pages_in_one_loop(log.bytes()), ranked);
  });
  add_duomap(
      all,
      [of](const job_options& how) {
        const auto pool = cpu::machine_pool(how.threads, of->text);
        const auto counts = count_by_duomap(of->text, *pool, how);
        const auto best = run(page_rank{ranked}, entries_of(counts), *pool);
        std::vector<std::pair<std::string, std::uint64_t>> pages;
        for (const ranked_page& one : best[0])
          pages.emplace_back(byte_view{one.page, one.page_bytes}.text(), one.views);
        return pages;
      },
      [of](const auto& pages) {
        return std::ranges::equal(pages, *of->expected, [](const auto& a, const auto& b) {
          return a.first == b.first && a.second == b.second;
        });
      },
      other_engines::sort);
  return all;
}

}  // namespace duomap::apps
