// Makes the experiments on texts: word count, string match and the inverted index.
#include "apps/tasks/invertedindex/link_index.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "bench/baselines/count_words.hpp"
#include "bench/baselines/find_pattern.hpp"
#include "bench/baselines/list_links.hpp"
#include "bench/data/synthetic_pages.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/text_problem.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t link_targets = 20'000;

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
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of,
               [](const auto& text, unsigned /*threads*/) { return count_words_in_one_loop(text.bytes()); });
  add_baseline(all, of, [](const auto& text, unsigned threads) {
    return count_words_with_tbb(text.bytes(), threads);
  });
  add_duomap(
      all, of, [](const auto& text, const run_options& how) { return run(wordcount{}, text.text, how); },
      same_counts<wordcount>, compared_engines::tables);
  add_resident(all, of, wordcount{}, of->text[0].bytes(), same_counts<wordcount>);
  all.emits = [of] {
    double words = 0;
    for (const auto& [word, count] : *of->expected) words += static_cast<double>(count);
    return words;
  };
  return all;
}

experiment stringmatch_experiment(std::uint64_t bytes) {
  using answer = std::vector<pattern_place>;
  const std::string word(word_of_synthetic_pages());
  const auto of = std::make_shared<text_problem<answer>>(synthetic_pages(bytes, link_targets, seed));
  const auto patterns = std::make_shared<const pattern_list>(std::vector{word}, false);
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of, [word](const auto& text, unsigned /*threads*/) {
    return find_pattern_in_one_loop(text.bytes(), word);
  });
  add_baseline(all, of, [word](const auto& text, unsigned threads) {
    return find_pattern_with_tbb(text.bytes(), word, threads);
  });
  add_duomap(
      all, of,
      [patterns](const auto& text, const run_options& how) {
        return run(stringmatch(*patterns), text.text, how);
      },
      same_matches);
  return all;
}

experiment invertedindex_experiment(std::uint64_t bytes) {
  const auto of = std::make_shared<text_problem<link_lists>>(synthetic_pages(bytes, link_targets, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of,
               [](const auto& text, unsigned /*threads*/) { return list_links_in_one_loop(text.bytes()); });
  add_duomap(
      all, of,
      [](const auto& text, const run_options& how) {
        const auto pool = cpu::machine_pool(how.threads, text.text);
        return link_index(run(find_links{}, text.text, *pool, how), *pool);
      },
      same_links);
  return all;
}

}  // namespace duomap::apps
