#include "apps/bench/papers/text_experiments.hpp"

#include "apps/bench/baselines/find_pattern.hpp"
#include "apps/bench/baselines/list_links.hpp"
#include "apps/bench/baselines/wordcount/baselines.hpp"
#include "apps/bench/data/made_up_pages.hpp"
#include "apps/bench/papers/text_problem.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t link_targets = 20'000;

bool same_counts(const keyed_result<wordcount>& counts, const word_counts& expected) {
  bool same = counts.size() == expected.size();
  counts.for_each([&](byte_view word, std::uint64_t count) {
    const auto known = expected.find(word.text());
    same = same && known != expected.end() && known->second == count;
  });
  return same;
}

bool same_matches(const result_for<stringmatch>& found, const std::vector<pattern_place>& expected) {
  std::vector<pattern_place> places;
  for_each_match(found, [&](const match& one) { places.push_back({one.offset, one.line}); });
  return places == expected;
}

bool same_links(const link_index& index, const link_lists& expected) {
  bool same = index.targets() == expected.size();
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    const auto known = expected.find(target.text());
    same =
        same && known != expected.end() && std::ranges::equal(places, known->second, {}, &link_place::offset);
  });
  return same;
}

}  // namespace

experiment wordcount_experiment(std::uint64_t bytes, std::uint64_t distinct) {
  const auto of = std::make_shared<text_problem<word_counts>>(distinct, seed, bytes);
  const unsigned cores = cpu::usable_cores().cores;
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1,
                        [](const auto& text) { return count_words_in_one_loop(text.bytes()); });
  add_compared_baseline(all, of, "plain oneTBB", cores,
                        [cores](const auto& text) { return count_words_with_tbb(text.bytes(), cores); });
  add_duomap(
      all, [of](const job_options& how) { return run(wordcount{}, of->text, how); },
      [of](const auto& counts) { return same_counts(counts, *of->expected); }, other_engines::tables);
  add_resident(all, wordcount{}, of->text[0].bytes(),
               [of](const auto& counts) { return same_counts(counts, *of->expected); });
  all.emits = [of] {
    double words = 0;
    for (const auto& [word, count] : *of->expected) words += static_cast<double>(count);
    return words;
  };
  return all;
}

experiment stringmatch_experiment(std::uint64_t bytes) {
  using answer = std::vector<pattern_place>;
  const std::string word(word_of_made_up_pages());
  const auto of = std::make_shared<text_problem<answer>>(made_up_pages(bytes, link_targets, seed));
  const auto patterns = std::make_shared<const pattern_list>(std::vector{word}, false);
  const unsigned cores = cpu::usable_cores().cores;
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1,
                        [word](const auto& text) { return find_pattern_in_one_loop(text.bytes(), word); });
  add_compared_baseline(all, of, "plain oneTBB", cores, [word, cores](const auto& text) {
    return find_pattern_with_tbb(text.bytes(), word, cores);
  });
  add_duomap(
      all, [of, patterns](const job_options& how) { return run(stringmatch(*patterns), of->text, how); },
      [of](const auto& found) { return same_matches(found, *of->expected); });
  return all;
}

experiment invertedindex_experiment(std::uint64_t bytes) {
  const auto of = std::make_shared<text_problem<link_lists>>(made_up_pages(bytes, link_targets, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1,
                        [](const auto& text) { return list_links_in_one_loop(text.bytes()); });
  add_duomap(
      all,
      [of](const job_options& how) {
        const auto pool = cpu::machine_pool(how.threads, of->text);
        return link_index(run(find_links{}, of->text, *pool, how), *pool);
      },
      [of](const auto& index) { return same_links(index, *of->expected); });
  return all;
}

}  // namespace duomap::apps
